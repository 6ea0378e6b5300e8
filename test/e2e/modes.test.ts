/** The modes that print and exit, and the folder a host starts us in (tools.md section 2). */
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { version } from "../../package.json";
import { binary } from "./binary.ts";
import { RawHost } from "./raw-host.ts";

setDefaultTimeout(20_000);

const folder = mkdtempSync(join(tmpdir(), "phux-mcp-modes-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

async function run(
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<Ran> {
  const child = Bun.spawn([binary, ...args], {
    cwd: options.cwd ?? folder,
    env: options.env ?? { PATH: "/usr/bin:/bin", HOME: folder },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, out, err };
}

const shell = async (line: string): Promise<Ran> => {
  const child = Bun.spawn(["/bin/sh", "-c", line], { cwd: folder, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, out, err };
};

describe("modes that print and exit", () => {
  test("--schema is what tools/list returns, pretty, with a newline at the end", async () => {
    const { code, out, err } = await run(["--schema"]);
    expect([code, err]).toEqual([0, ""]);
    using host = new RawHost({ bin: binary });
    const listed = (await host.request("tools/list", {})).result?.tools;
    expect(JSON.parse(out)).toEqual(listed);
    expect(out).toBe(`${JSON.stringify(listed, null, 2)}\n`);
  });

  test("--skill names every listed tool and calls what a pane shows untrusted", async () => {
    const guide = (await run(["--skill"])).out;
    const listed: readonly { readonly name: string }[] = JSON.parse((await run(["--schema"])).out);
    for (const { name } of listed) expect(guide).toContain(`\`${name}\``);
    expect(guide).toContain("untrusted");
  });

  test.each(["-h", "--help"])("%s names the flags", async (flag) => {
    const { code, out, err } = await run([flag]);
    expect([code, err]).toEqual([0, ""]);
    for (const name of ["--schema", "--skill", "--help", "--version"]) expect(out).toContain(name);
  });

  test.each(["-V", "--version"])("%s is the version of the package and of initialize", async (flag) => {
    expect((await run([flag])).out).toBe(`phux-mcp ${version}\n`);
    using host = new RawHost({ bin: binary });
    const { result } = await host.request("initialize", {});
    expect(result).toMatchObject({ serverInfo: { name: "phux", version } });
  });

  const wrong = [["--bogus"], [""], ["--schema", "--skill"], ["--schema", ""], ["--schema=1"], ["-hV"], ["--"], ["x"]];
  test.each(wrong.map((args): [string, string[]] => [JSON.stringify(args), args]))(
    "%s is a usage error",
    async (_, args) => {
      const { code, out, err } = await run(args);
      expect([code, out]).toEqual([2, ""]);
      for (const name of ["--schema", "--skill", "--help", "--version"]) expect(err).toContain(name);
      expect(err.trim()).not.toContain("\n");
    },
  );

  test("a reader that goes away early is no failure", async () => {
    const { out, err } = await shell(`{ '${binary}' --schema; echo "code $?" >&2; } | head -1`);
    expect([out, err.trim()]).toEqual(["[\n", "code 0"]);
  });

  test.each(["--schema", "--skill", "--version"])("%s to a full disk is exit 1 and one line", async (flag) => {
    const { code, err } = await shell(`'${binary}' ${flag} > /dev/full`);
    expect(code).toBe(1);
    expect(err.trim().split("\n")).toHaveLength(1);
  });
});

describe("a folder that would change a careless program", () => {
  const trap = mkdtempSync(join(folder, "trap-"));
  writeFileSync(join(trap, ".env"), `PHUX_SOCKET=${trap}/evil.sock\n`);
  writeFileSync(join(trap, "bunfig.toml"), 'preload = ["./preload.ts"]\n[run]\npreload = ["./preload.ts"]\n');
  writeFileSync(join(trap, "preload.ts"), `require("fs").writeFileSync("${trap}/ran", ""); console.log("RAN");\n`);
  writeFileSync(join(trap, "package.json"), "{ broken");
  writeFileSync(join(trap, "tsconfig.json"), "{ broken");

  test("--schema is what it is elsewhere", async () => {
    expect(await run(["--schema"], { cwd: trap })).toEqual(await run(["--schema"]));
    expect(existsSync(join(trap, "ran"))).toBe(false);
  });

  test("serving is what it is elsewhere", async () => {
    using host = new RawHost({ bin: binary, cwd: trap, env: { PATH: "/usr/bin:/bin", HOME: trap } });
    const { result } = await host.request("tools/call", { name: "phux_ls" });
    expect(result?.isError).toBe(true);
    expect(result?.content?.[0]?.text).not.toContain("evil");
    expect(host.lines.every((line) => line.message !== undefined)).toBe(true);
    expect(existsSync(join(trap, "ran"))).toBe(false);
  });
});
