/** The project as an npm package: the right few files, a program under Bun and a sentence elsewhere, and its export. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { createServer } from "../src/package.ts";
import { type Lab, startLab } from "./lab/server.ts";

setDefaultTimeout(60_000);

const root = join(import.meta.dir, "..");
const folder = mkdtempSync(join(tmpdir(), "phux-mcp-package-"));
let lab: Lab;
beforeAll(async () => {
  lab = await startLab({ socket: join(folder, "s"), home: folder, cwd: folder, shell: "/bin/sh", session: "main" });
});
afterAll(async () => {
  await lab.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs to the end; the lab lives in this process, so nothing may block it. */
async function run(command: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = Bun.spawn([...command], { cwd: root, env: { ...process.env, ...env }, stdout: "pipe", stderr: "pipe" });
  const [out, error, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { out, error, code };
}

describe("the package", () => {
  test("holds what it needs to run, and nothing else", async () => {
    const packed = await run(["npm", "pack", "--dry-run", "--json"], {
      HOME: folder,
      npm_config_cache: join(folder, "npm"),
    });
    const [{ files }]: [{ files: { path: string }[] }] = JSON.parse(packed.out);
    const tops = [...new Set(files.map(({ path }) => path.split("/")[0] ?? ""))].sort();
    expect(tops).toEqual([
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "SECURITY.md",
      "bin",
      "package.json",
      "skills",
      "src",
    ]);
    const sources = readdirSync(join(root, "src"), { recursive: true }).filter((name) => String(name).includes("."));
    expect(files.filter(({ path }) => path.startsWith("src/"))).toHaveLength(sources.length);
  });

  test("its program runs under Bun, and says elsewhere what to do", async () => {
    const program = join(root, "bin", "phux-mcp.mjs");
    expect((await run([process.execPath, program, "--version"])).out).toStartWith("phux-mcp ");
    const node = await run(["node", program, "--version"]);
    expect([node.code, node.out]).toEqual([1, ""]);
    expect(node.error).toMatch(/^phux-mcp runs on Bun: .*bunx.*\n$/);
  });

  test("its example runs as it stands", async () => {
    const ran = await run([process.execPath, join(root, "examples", "embed.ts")], { PHUX_SOCKET: lab.socket });
    expect([ran.code, ran.error]).toEqual([0, ""]);
    expect(ran.out).toMatch(/^1\d tools\n/);
    expect(ran.out).toContain('\\"name\\": \\"main\\"');
  });
});

describe("createServer", () => {
  test("serves an SDK client over a pair in memory, and ends with it", async () => {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const server = createServer();
    await server.connect(theirs);
    const client = new Client({ name: "embedder", version: "1" });
    await client.connect(ours);
    expect((await client.listTools()).tools).toHaveLength(59);
    const listed = await client.callTool({ name: "phux_ls", arguments: { socket: lab.socket } });
    expect(JSON.stringify(listed.content)).toContain("main");
    const wait = client.callTool({
      name: "phux_wait",
      arguments: { target: "@1", until: "never there", timeout_secs: 60, socket: lab.socket },
    });
    wait.catch(() => {});
    await server.close();
    await client.close();
    await expect(wait).rejects.toThrow();
    await expect(server.connect(theirs)).rejects.toThrow("one transport");
  });

  test("offers what is asked for, and throws for what it cannot understand", async () => {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const server = createServer({ tools: "core", readOnly: true });
    await server.connect(theirs);
    const client = new Client({ name: "embedder", version: "1" });
    await client.connect(ours);
    const { tools } = await client.listTools();
    expect(tools.length).toBeLessThan(15);
    expect(tools.every((tool) => tool.annotations?.readOnlyHint)).toBe(true);
    await client.close();
    expect(() => createServer({ tools: "cores" })).toThrow("neither a tool nor a set");
  });
});
