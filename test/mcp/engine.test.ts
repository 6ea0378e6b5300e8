import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { expectEnd } from "../e2e/case.ts";
import type { LinkKind } from "../e2e/link.ts";
import { RawHost, SLACK, until } from "../e2e/raw-host.ts";
import { type Compiled, compile } from "./compile.ts";

const MiB = 1024 * 1024;

setDefaultTimeout(30_000);

let program: Compiled;
beforeAll(async () => {
  program = await compile("fixture.ts");
});
afterAll(() => program.remove());

const host = (options: { stdio?: LinkKind; reading?: boolean } = {}) => new RawHost({ bin: program.path, ...options });
const textOf = async (from: RawHost, name: string, args: object) =>
  (await from.request("tools/call", { name, arguments: args })).result?.content?.[0]?.text;

describe("calls", () => {
  test("a tool gets its arguments as they were parsed", async () => {
    using server = host();
    const args = '{"__proto__":{"a":1},"constructor":2,"big":1e400,"half":"\\ud800"}';
    server.write(`{"id":1,"method":"tools/call","params":{"name":"fixture_echo","arguments":${args}}}\n`);
    const text = (await server.reply(1)).result?.content?.[0]?.text;
    expect(text).toBe('{"__proto__":{"a":1},"constructor":2,"big":null,"half":"\\ud800"}');
  });

  test("a tool knows who asks", async () => {
    using server = host();
    expect(await textOf(server, "fixture_who", {})).toBe("null");
    await server.request("initialize", { clientInfo: { name: "some-host", version: "1" } });
    expect(await textOf(server, "fixture_who", {})).toBe('{"name":"some-host","version":"1"}');
  });

  test.each([
    ["escape and the C1 controls", "a\u001b[2J\u009bb\u0085", "a\\u001b[2J\\u009bb\\u0085"],
    ["NUL, BEL, DEL", "\0\u0007\u007f", "\\u0000\\u0007\\u007f"],
    ["directions", "\u202e\u2066\u200f\u061c", "\\u202e\\u2066\\u200f\\u061c"],
    ["tags", "\u{e0041}", "\\udb40\\udc41"],
    ["half characters", "\ud800", "\\ud800"],
    ["line ends", "a\r\nb\rc\td", "a\nb\nc\td"],
    ["separators", "\u2028\u2029", "\u2028\u2029"],
  ])("text is cleaned: %s", async (_, raw, clean) => {
    using server = host();
    expect(await textOf(server, "fixture_big", { of: raw, characters: 1 })).toBe(clean);
    const { bytes, text } = server.lines[0] ?? { bytes: new Uint8Array(), text: "" };
    expect(Buffer.from(text).equals(bytes)).toBe(true);
    expect(text).not.toMatch(/[\u2028\u2029]/);
  });

  test("a tool that throws is an answer and a line on stderr, and the server serves on", async () => {
    using server = host();
    const { result } = await server.request("tools/call", { name: "fixture_broken" });
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("thrown") }] });
    await textOf(server, "fixture_broken", { how: "later" });
    await until(() => server.stderr.trim().split("\n").length === 3, "stderr", 2000);
    await server.request("ping");
    // Kind and place, none of its words: they may repeat what a call was given.
    for (const kind of ["fixture_broken", "unhandled", "uncaught"])
      expect(server.stderr).toMatch(new RegExp(`^${kind}: Error at \\S+:\\d+:\\d+$`, "m"));
    expect(server.stderr).not.toMatch(/thrown|forgotten/);
    expect(server.lines.every(({ message }) => message !== undefined)).toBe(true);
  });

  test("work that takes no notice of its cancel sends nothing, and does not end the next call of the id", async () => {
    using server = host();
    server.call(1, "fixture_stubborn", { ms: 80 }).cancel(1).call(1, "fixture_stubborn", { ms: 200 });
    await server.settled();
    server.call(1, "fixture_echo");
    expect(await server.settled()).toMatchObject([{ id: null, error: { code: -32600 } }]);
    await server.reply(1);
    expect(server.messages.filter(({ id }) => id === 1).length).toBe(1);
  });

  test("work that takes no notice of the end delays it by 40 ms", async () => {
    using server = host();
    server.call(1, "fixture_stubborn").call(2, "fixture_slow");
    await until(() => server.stderr.includes("begun"), "the call", 5000);
    const since = performance.now();
    server.signal("SIGTERM");
    const { code, ms } = await server.ended(5000, since);
    expect(code).toBe(0);
    expect(ms).toBeLessThan(100 * SLACK);
    expect(server.stderr).toContain("aborted");
  });

  test("statuses: one line, rising, for the token 0, the last before the reply", async () => {
    using server = host();
    const name = "fixture_chatty";
    server.call(1, name, { count: 20, ms: 25 }, { progressToken: 0 }).call(2, name, { count: 20, ms: 25 });
    await server.reply(1);
    await server.reply(2);
    const notes = server.messages.filter(({ method }) => method === "notifications/progress");
    const values = notes.map(({ params }) => Number(params?.progress));
    expect(notes.length).toBeGreaterThan(1);
    expect(notes.length).toBeLessThan(6);
    expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
    for (const { params } of notes) {
      expect<unknown>(params).toEqual({
        progressToken: 0,
        progress: expect.any(Number),
        message: expect.stringMatching(/^step \d+ of 20$/),
      });
    }
  });
});

describe("a host that does not read", () => {
  test("for 5 s while 500 requests arrive: bounded memory, cancels heard, all served in order; idle meanwhile", async () => {
    using server = host({ reading: false });
    using idle = host();
    await idle.request("ping");
    server.call("slow", "fixture_slow");
    await until(() => server.stderr.includes("begun"), "the call", 5000);
    const before = server.memory().now;
    const processor = { busy: 0, idle: idle.cpuMs() };
    for (let id = 0; id < 500; id++) server.send({ id, method: "tools/list" });
    server.cancel("slow").call("held", "fixture_slow").cancel("held");
    await until(() => server.stderr.includes("aborted"), "the cancel", 2000 * SLACK);
    await Bun.sleep(500);
    processor.busy = server.cpuMs();
    await Bun.sleep(4500);
    expect(server.cpuMs() - processor.busy).toBeLessThanOrEqual(20);
    expect(idle.cpuMs() - processor.idle).toBeLessThanOrEqual(20);
    expect((server.memory().peak - before) / MiB).toBeLessThan(64);
    server.read();
    await until(() => server.lines.length >= 500, "all replies", 10_000);
    expect(server.messages.map(({ id }) => id)).toEqual(Array.from({ length: 500 }, (_, id) => id));
    await server.request("ping");
    expect(server.stderr.match(/begun/g)?.length).toBe(1);
  });

  test.each(["malformed lines", "pings"])("a flood of %s costs bounded memory", async (what) => {
    using server = host({ reading: false });
    const line = what === "pings" ? `{"id":"${"x".repeat(100)}","method":"ping"}\n` : "{\n";
    const block = line.repeat(Math.ceil(MiB / line.length));
    for (let i = 0; i < 24; i++) server.write(block);
    let peak = 0;
    const settled = () => {
      const before = peak;
      peak = server.memory().peak;
      return peak === before;
    };
    await Bun.sleep(90);
    await until(settled, "its memory to stop growing", 5000);
    expect(peak / MiB).toBeLessThan(160);
  });

  // Ctrl-S: a write to it waits, and must not hold up what else there is to hear.
  test("a terminal that is stopped: cancels are heard, and a signal ends it within a second", async () => {
    using server = host({ stdio: "terminal", reading: false });
    server.call("slow", "fixture_slow").write('{"id":1,"method":"tools/list"}\n'.repeat(50)).cancel("slow");
    await Bun.sleep(90);
    server.send({ id: "later", method: "ping" });
    const since = performance.now();
    server.signal("SIGTERM");
    expectEnd(await server.ended(5000, since));
  });

  test("a terminal that is stopped for a while gets everything, in order", async () => {
    using server = host({ stdio: "terminal", reading: false });
    server.write('{"id":1,"method":"tools/list"}\n'.repeat(50));
    for (let turn = 0; turn < 3; turn++) {
      await Bun.sleep(20);
      server.read();
      await Bun.sleep(1);
      server.stopReading();
    }
    server.send({ id: 2, method: "ping" }).read();
    await server.reply(2);
    expect(server.messages.map(({ id }) => id)).toEqual([...Array(50).fill(1), 2]);
  });

  test("a result of 8,000,000 characters arrives whole", async () => {
    using server = host({ reading: false });
    server.call(1, "fixture_big", { characters: 8_000_000, of: "漢" }).call(2, "fixture_echo");
    await Bun.sleep(90);
    server.read();
    await server.reply(2);
    expect((await server.reply(1)).result?.content?.[0]?.text.length).toBe(8_000_000);
  });
});
