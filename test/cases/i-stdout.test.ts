/** Kind I: nothing but JSON-RPC on stdout and no secrets on stderr, whatever is around the binary or goes wrong in it. */
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { binary } from "../e2e/binary.ts";
import { RawHost } from "../e2e/raw-host.ts";
import { CANARY, surroundings, talkingScript } from "./i-environment.ts";

setDefaultTimeout(30_000);

const folder = mkdtempSync(join(tmpdir(), "phux-mcp-i-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const cwd = mkdtempSync(join(folder, "cwd-"));
const script = talkingScript(folder);
const free = join(folder, "free.sock");
const plain = { PATH: "/usr/bin:/bin", HOME: folder, LANG: "C.UTF-8" };

/** What a host hears in a conversation of every kind of answer: greeting, list, error, result, and a tool's refusal. */
async function conversation(env: Readonly<Record<string, string>>): Promise<{ heard: string[]; stderr: string }> {
  using host = new RawHost({ bin: binary, cwd, env: { ...plain, ...env } });
  host.send({ id: 0, method: "initialize", params: { clientInfo: { name: "x", version: "1" } } });
  host.send({ id: 1, method: "tools/list" }).send({ id: 2, method: "no/such" }).write("no JSON\n");
  host.call(3, "phux_nosuch").call(4, "phux_ls", { socket: free }).call(5, "phux_kill", { target: CANARY });
  await Promise.all([0, 1, 2, 3, 4, 5].map((id) => host.reply(id)));
  expect((await host.closeInput().ended()).code).toBe(0);
  return { heard: host.lines.map(({ text }) => text).sort(), stderr: host.stderr };
}

describe("a host hears the same with", () => {
  const usual = conversation({});
  const rows = surroundings(script.path, free);

  test.each([...rows])("%s", async (_, env) => {
    const { heard, stderr } = await conversation(env);
    expect(heard).toEqual((await usual).heard);
    expect(stderr).toBe("");
    expect(existsSync(script.mark)).toBe(false);
    expect(readdirSync(cwd)).toEqual([]);
  });

  test("all of them at once", async () => {
    const all = Object.assign({}, ...rows.map(([, env]) => env));
    expect(await conversation(all)).toEqual(await usual);
    expect(existsSync(script.mark)).toBe(false);
  });
});
