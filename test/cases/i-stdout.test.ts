/** Kind I: nothing but JSON-RPC on stdout and no secrets on stderr, whatever is around the binary or goes wrong in it. */
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { binary } from "../e2e/binary.ts";
import { pingedToEnd } from "../e2e/case.ts";
import { PhuxScript } from "../e2e/phux-script.ts";
import { RawHost, until } from "../e2e/raw-host.ts";
import { FakeServer } from "../phux/fake-server.ts";
import { plainScreen } from "../phux/small-phux.ts";
import { argumentsOf, type Published, publishedTools } from "./g-json-schema.ts";
import { ask, type Given, hostWith } from "./gh-host.ts";
import {
  answerers,
  brokenCheck,
  everyFeature,
  expectMessagesOnly,
  misbehaviours,
  sabotage,
  shortCall,
  uncaught,
  uncaughtCount,
  withJson,
} from "./i-answers.ts";
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

describe("a mistake of ours", () => {
  test("that nobody caught ends nothing, and tells the log its kind alone", async () => {
    using host = hostWith({ env: sabotage(folder, "uncaught", uncaught) });
    await until(() => host.stderr.split("\n").length > uncaughtCount, "a line for each", 10_000);
    expect((await host.request("ping")).result).toEqual({});
    expect(host.stderr.trim().split("\n")).toHaveLength(uncaughtCount);
    expect(host.stderr).toContain("uncaught: Error at uncaught.js:1:");
    expect(host.stderr).not.toContain("S3CRET");
    expect(host.stderr.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
    expectMessagesOnly(host);
    expect((await host.closeInput().ended()).code).toBe(0);
  });

  test("in a tool is an answer, and the next call another", async () => {
    using host = hostWith({ socket: "/no/such", env: sabotage(folder, "check", brokenCheck) });
    for (let call = 0; call < 6; call += 1) {
      const { text, isError } = await ask(host, "phux_wait", { timeout_secs: 1 });
      expect([isError, text]).toEqual([
        true,
        expect.stringMatching(/^phux_wait failed because of a mistake in this server: /),
      ]);
    }
    expect(host.stderr).not.toContain("S3CRET");
    expectMessagesOnly(host);
  });

  test("while a result is written is an error with its id", async () => {
    const script = `const { stringify } = JSON;
      JSON.stringify = (value, ...rest) => { if (String(value).startsWith("unknown tool")) throw value; return stringify(value, ...rest); };`;
    using host = hostWith({ env: sabotage(folder, "stringify", script) });
    host.call(7, "phux_nosuch");
    expect(await host.reply(7)).toMatchObject({ id: 7, error: { code: -32603 } });
    expect((await host.request("ping")).result).toEqual({});
    expectMessagesOnly(host);
  });
});

const tools = await publishedTools();

describe("every tool has an answer of its own, and nobody else's words on stdout, when", () => {
  test.concurrent.each([...answerers])("a server answers with %s", async (_, script) => {
    const server = new FakeServer({ script, features: everyFeature });
    using host = hostWith({ socket: server.socket, path: "/no/such" });
    for (const { text } of await Promise.all(tools.map((tool) => ask(host, tool.name, shortCall(tool)))))
      expect(text).not.toContain("mistake in this server");
    expect(host.stderr).toBe("");
    expectMessagesOnly(host);
    server.close();
  });

  test.each([...misbehaviours])("phux %s", async (_, body) => {
    const phux = new PhuxScript();
    phux.behave(body);
    using host = hostWith({ path: phux.folder, socket: free });
    for (const { text } of await Promise.all(tools.map((tool) => ask(host, tool.name, shortCall(tool)))))
      expect(text).not.toContain("mistake in this server");
    expect(host.stderr).toBe("");
    expectMessagesOnly(host);
    phux.remove();
  });
});

describe("stderr", () => {
  /** A value for each text of a call that must not be seen again outside of its answer. */
  const telling = (tool: Published): Given =>
    Object.fromEntries(
      argumentsOf(tool).map(([name, { type, pattern }]) => {
        const value = type === "array" ? [CANARY] : type === "object" ? { a: CANARY } : CANARY;
        return [
          name,
          name === "confirm"
            ? true
            : type === "string" && pattern === undefined
              ? CANARY
              : type === "array" || type === "object"
                ? value
                : undefined,
        ];
      }),
    );

  test("repeats no argument, no text of a pane and nothing of the environment", async () => {
    const phux = new PhuxScript();
    phux.behave(`echo '${CANARY}' >&2; echo '{"${CANARY}":1'; exit 3`);
    const screen = { ...plainScreen, lines: [CANARY, CANARY], title: CANARY, [CANARY]: CANARY };
    const server = new FakeServer({ script: withJson(JSON.stringify(screen)), features: everyFeature });
    const env = {
      ANTHROPIC_API_KEY: CANARY,
      PHUX_TERMINAL_ID: CANARY,
      XDG_STATE_HOME: `/dev/null/${CANARY}`,
      PHUX_PROFILE: CANARY,
    };
    using host = hostWith({ path: phux.folder, socket: server.socket, env });
    for (const given of [telling, shortCall, (tool: Published) => ({ ...shortCall(tool), socket: `/${CANARY}` })])
      await Promise.all(tools.map((tool) => ask(host, tool.name, given(tool))));
    host
      .send({ id: 1, method: CANARY })
      .write(`${CANARY}\n{"id":"${CANARY}","method":"tools/call","params":"${CANARY}"}\n`);
    await host.request("ping");
    expect(host.stderr).not.toContain(CANARY);
    expectMessagesOnly(host);
    server.close();
    phux.remove();
  });

  test.each([[["--no-such-flag\u001b[2J\u202e😀"]], [["x".repeat(10_000), "😀".repeat(1_000)]]])(
    "names a wrong argument of ours harmlessly, and briefly: %j",
    async (args) => {
      using host = hostWith({ args });
      expect((await host.ended()).code).toBe(2);
      expect(host.lines).toEqual([]);
      expect(host.stderr).toMatch(/^phux-mcp: cannot use [^\p{Cc}\u202e]{1,600}\n$/u);
    },
  );
});

describe("stdin with what is no message", () => {
  const noise: readonly (string | Uint8Array)[] = [
    "",
    " ",
    "\r",
    "\ufeff",
    "null",
    "[]",
    "[1]",
    "{}",
    '"x"',
    "7",
    "-",
    "{",
    '{"id":1}',
    '{"id":{},"method":"ping"}',
    '{"id":1,"method":7}',
    '{"jsonrpc":"2.0","id":1,"result":{}}',
    '{"method":"notifications/cancelled"}',
    '{"method":"notifications/cancelled","params":{"requestId":{}}}',
    '{"id":2,"method":"tools/call"}',
    '{"id":3,"method":"tools/call","params":[]}',
    '{"id":4,"method":"tools/call","params":{"name":7}}',
    '{"id":5,"method":"__proto__"}',
    '{"id":6,"method":"toString","params":null}',
    "<html>",
    "Content-Length: 20\r\n\r\n",
    "GET / HTTP/1.1",
    "\u001b[2J",
    "\0\0\0",
    "x".repeat(70_000),
    `{"id":9,"method":"${"y".repeat(70_000)}"}`,
    Uint8Array.of(0xff, 0xfe),
    Uint8Array.of(0xc3),
    Uint8Array.of(0x7b, 0x80, 0x7d),
    new Uint8Array(1_000),
  ];

  test("is answered in messages, or not at all, and the next request is served", async () => {
    using host = hostWith();
    for (const line of noise) host.write(line).write("\n");
    expect((await host.request("ping")).result).toEqual({});
    expectMessagesOnly(host);
    for (const { error } of host.messages) if (error !== undefined) expect(error.message.length).toBeLessThan(300);
    expect(host.stderr).toBe("");
  });

  test("at the end of input is silence and a quiet end", async () => {
    using host = hostWith();
    host.write('{"id":1,"method":"pi').closeInput();
    expect((await host.ended()).code).toBe(0);
    expect([host.lines, host.stderr]).toEqual([[], ""]);
  });
});

test.each(["socket", "pipe"] as const)(
  "a closed stdout (a %s) is a quiet end, with a call under way",
  async (stdio) => {
    const server = new FakeServer({ script: () => {} });
    using host = new RawHost({ bin: binary, env: { ...plain, PHUX_SOCKET: server.socket }, stdio });
    host.call(1, "phux_ls");
    await until(() => server.clients.length > 0, "a connection", 5_000);
    await host.closeOutput();
    const exit = await pingedToEnd(host, performance.now());
    expect([exit.code, exit.signal, host.stderr]).toEqual([0, null, ""]);
    server.close();
  },
);
