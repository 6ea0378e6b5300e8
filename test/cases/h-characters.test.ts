/** Kind H: what steers terminals, hides or turns text leaves escaped, wherever it came from; all other text as it was. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { PhuxScript } from "../e2e/phux-script.ts";
import { type RawHost, until } from "../e2e/raw-host.ts";
import { FakeServer } from "../phux/fake-server.ts";
import { SmallPhux } from "../phux/small-phux.ts";
import { ask, documentOf, hostWith, LabHost, type Said } from "./gh-host.ts";
import { type Carrier, carrierOf, documents, errors, kept, PANE } from "./h-carriers.ts";
import {
  all,
  broken,
  everything,
  expectHarmless,
  half,
  hostile,
  obeyed,
  plain,
  type Sample,
  shown,
  textsIn,
} from "./h-text.ts";
import { slots, words } from "./h-words.ts";

setDefaultTimeout(60_000);

const names = (carriers: readonly Carrier[]) => carriers.map((carrier): [string, Carrier] => [carrier.where, carrier]);
describe("what a server says", () => {
  const server = new FakeServer();
  let host: RawHost;
  beforeAll(() => {
    host = hostWith({ socket: server.socket });
  });
  afterAll(() => {
    host[Symbol.dispose]();
    server.close();
  });

  async function saidBy({ tool, given, put }: Carrier, text: string): Promise<Said> {
    const fresh = new SmallPhux();
    server.hello = undefined;
    server.script = fresh.script;
    put(text, fresh, server);
    const answer = await ask(host, tool, given, { progressToken: "p" });
    expectHarmless(answer.line);
    return answer;
  }

  test.each(names(documents))("in %s is the same in the document", async (_, carrier) => {
    for (const [what, text] of everything) {
      const texts = textsIn(documentOf(await saidBy(carrier, text)));
      expect({ what, found: texts.some((one) => one.includes(text)) }).toEqual({ what, found: true });
    }
  });

  test.each(names(errors))("in %s is what the error says", async (_, carrier) => {
    for (const [what, text] of everything) {
      const said = (await saidBy(carrier, text)).text;
      const found = said.startsWith("{")
        ? textsIn(JSON.parse(said)).some((one) => one.includes(text))
        : said.includes(shown(text));
      expect({ what, said, found }).toEqual({ what, said, found: true });
    }
  });

  test("half of a character in its JSON stays half of one in ours", async () => {
    for (const half of ["\ud83d", "\udc00", "a\ud83d", "\ude00\ud83d"]) {
      const { lines } = documentOf(await saidBy(carrierOf("a row of the screen"), half));
      expect(lines).toEqual([half, ""]);
    }
  });

  test.each(broken)("as bytes that are %s is one error, and no half of an answer", async (_, bytes) => {
    const mark = "QXZJ";
    expect(textsIn(documentOf(await saidBy(carrierOf("a session's name"), mark)))).toContain(mark);
    const fresh = new SmallPhux();
    carrierOf("a session's name").put(mark, fresh, server);
    server.script = (frame, client) => {
      const send = client.sendBytes.bind(client);
      client.sendBytes = (given) => {
        const changed = Buffer.from(given);
        for (let at = changed.indexOf(mark); at >= 0; at = changed.indexOf(mark)) changed.set(bytes, at);
        send(changed);
      };
      fresh.script(frame, client);
    };
    const { text, line } = await ask(host, "phux_ls");
    expectHarmless(line);
    expect(JSON.parse(text)).toMatchObject({ error: { code: "transport", message: expect.stringContaining("UTF-8") } });
  });

  test("leaves nothing on stderr that its reader's terminal obeys", async () => {
    const notice = carrierOf("a part of the fleet that cannot be reached");
    for (const [, text] of hostile) await saidBy({ ...notice, tool: "phux_snapshot", given: { target: "@1" } }, text);
    await until(() => host.stderr.split("\n").length > hostile.length, "a line for each", 5_000);
    expect(host.stderr).toContain("part of the fleet did not answer");
    expect(host.stderr.replaceAll("\n", "")).not.toMatch(obeyed);
  });

  test("and whatever else this host heard was harmless too", () => host.lines.forEach(expectHarmless));
});

describe("what a real shell prints, and what people and agents leave in a phux", () => {
  let lab: LabHost;
  /** Texts that phux's own rules let in: no NUL, no half of a character. */
  const stored = everything.map(([what, text]): Sample => [what, text.replaceAll("\0", "")]);
  beforeAll(async () => {
    lab = await LabHost.open({ openLogs: true });
    await lab.call("phux_new", { name: "work", command: ["/bin/sh"] });
    await lab.rowsWith(PANE, "$");
  });
  afterAll(() => lab[Symbol.asyncDispose]());

  const print = async (name: string, bytes: string | Uint8Array) => {
    writeFileSync(join(lab.folder, name), bytes);
    const ran = await lab.ask("phux_run", {
      target: PANE,
      command: `clear; cat ${join(lab.folder, name)}`,
      timeout_secs: 20,
    });
    expectHarmless(ran.line);
    const shot = await lab.ask("phux_snapshot", { target: PANE, cells: true });
    expectHarmless(shot.line);
    return { output: String(documentOf(ran)["output"]), screen: documentOf(shot) };
  };

  test("all scripts, families and flags come out of a pane as they went in", async () => {
    // A terminal has no place for line separators and drops the mark of byte order.
    const lines = plain.map(([, text]) => text).filter((text) => !/[\n\u2028\u2029\ufeff]/.test(text));
    const { output, screen } = await print("plain", `${lines.join("\n")}\n`);
    expect(output.split("\n")).toEqual(lines);
    expect(screen["lines"]).toEqual(expect.arrayContaining(lines));
  });

  test("of what a pane obeyed nothing is left, of what it did not, escapes", async () => {
    // Without those that a terminal answers by typing: their answers would be the shell's next line.
    const lines = hostile.map(([, text]) => text).filter((text) => !/\u007f|\[6n/.test(text));
    const { output } = await print("hostile", `${lines.join("\n")}\nthe end\n`);
    expect(output).toEndWith("the end");
    expect(output).toContain("user\u202egnp.exe\u202c");
  });

  test("bytes that are no UTF-8 break nothing", async () => {
    const bytes = Uint8Array.of(...broken.flatMap(([, one]) => [...one, 0x41, 0x0a]));
    const { output } = await print("broken", bytes);
    expect(output.isWellFormed()).toBe(true);
    expect(output).toContain("A");
  });

  test.each(kept)("%s is read as it was written", async (_, put, given, get, asked) => {
    for (const [what, text] of stored) {
      const written = await lab.ask(put, given(text));
      expectHarmless(written.line);
      if (written.isError) throw new Error(`${what}: ${written.text}`);
      const found = await lab.ask(get, asked);
      expectHarmless(found.line);
      expect({ what, found: textsIn(documentOf(found)).includes(text) }).toEqual({ what, found: true });
    }
  });

  test("a session's name and a pane's question and events too", async () => {
    const name = `s ${all.replaceAll("\0", "").replaceAll(":", "").replaceAll("/@", "")}`;
    const made = await lab.ask("phux_new", { name, command: ["/bin/sh"] });
    const watching = lab.ask("phux_watch", { max_events: 1, timeout_secs: 20, target: PANE });
    await lab.ask("phux_ask", {
      target: PANE,
      id: "q",
      question: all.replaceAll("\0", ""),
      suggestions: ["\u001b[2J\u202e"],
    });
    for (const said of [made, await lab.ask("phux_ls"), await watching]) expectHarmless(said.line);
    expect(textsIn(documentOf(await lab.ask("phux_ls")))).toContain(name);
  });

  test("and an agent session's records, over the command line", async () => {
    const { resource: target } = await lab.call("phux_agent_session_open", { target: PANE, provider: "p" });
    const message = all.replaceAll("\0", "");
    const emitted = await lab.ask("phux_agent_emit", { target, type: "notification", data: { kind: "note", message } });
    const log = await lab.ask("phux_agent_log", { target });
    for (const said of [emitted, log]) expectHarmless(said.line);
    expect(textsIn(documentOf(log))).toContain(message);
  });
});

describe("what a phux program prints", () => {
  const phux = new PhuxScript();
  const [out, err] = [join(phux.folder, "out"), join(phux.folder, "err")];
  let host: RawHost;
  let narrow: RawHost;
  beforeAll(() => {
    phux.behave(`cat '${out}'; cat '${err}' >&2; [ ! -s '${err}' ]`);
    host = hostWith({ path: phux.folder });
    narrow = hostWith({ path: phux.folder, env: { PHUX_MCP_MAX_RESULT_CHARS: "1000" } });
  });
  afterAll(() => {
    host[Symbol.dispose]();
    narrow[Symbol.dispose]();
    phux.remove();
  });

  async function printed(stdout: string | Uint8Array, stderr: string | Uint8Array = "", by = host): Promise<Said> {
    writeFileSync(out, stdout);
    writeFileSync(err, stderr);
    const answer = await ask(by, "phux_whoami");
    expectHarmless(answer.line);
    return answer;
  }

  // JSON.stringify leaves C1 controls, marks of direction and tags as they are, like any other program's.
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: "grapheme" }),
    fc.constantFrom(...everything.map(([, one]) => one), "\ud83d"),
  );
  test("is any document, with the same value whatever its texts are", () =>
    fc.assert(
      fc.asyncProperty(
        fc.dictionary(text, fc.oneof(text, fc.array(text))),
        fc.constantFrom(0, 2),
        async (document, indent) => {
          const answer = await printed(`\ufeff${JSON.stringify(document, null, indent)}\r\n`);
          expect([answer.isError, JSON.parse(answer.text)]).toEqual([false, document]);
        },
      ),
      { numRuns: 60 },
    ));

  test("is any complaint, with all that can be read of it as it was", () =>
    fc.assert(
      fc.asyncProperty(text, async (said) => {
        const complaint = `x ${said.toWellFormed()} x`;
        const answer = await printed("", `${complaint}\n`);
        expect([answer.isError, answer.text]).toEqual([true, shown(complaint)]);
      }),
      { numRuns: 60 },
    ));

  test("is an error document behind warnings, the one still JSON, the others escaped", async () => {
    const document = { schema_version: 1, error: { code: "io", message: all }, remedy: all, exit_code: 1 };
    const { text: said } = await printed(
      "",
      `warning: ${hostile.map(([, one]) => one).join("")}\n${JSON.stringify(document)}\n`,
    );
    expect(JSON.parse(said.split("\n").at(-1) ?? "")).toEqual(document);
    expect(said).toStartWith("warning: \\u001b]8;;https://evil.example\\u0007click");
  });

  test("is bytes of any kind, and never half of a character", () =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array(), fc.uint8Array(), async (stdout, stderr) => {
        const inJson = Buffer.concat([Buffer.from('{"a":"'), stdout.filter((byte) => byte > 0x7f), Buffer.from('"}')]);
        for (const { isError, text: said } of [await printed(stdout, stderr), await printed(inJson)])
          expect([isError || said.startsWith("{"), said.isWellFormed()]).toEqual([true, true]);
      }),
      { numRuns: 30 },
    ));

  test("is cut between characters, and the rest of it is the end of what was there", async () => {
    for (const [what, one] of everything) {
      const whole = one.repeat(3_000);
      const { text: said } = await printed(JSON.stringify({ output: whole }), "", narrow);
      const { output, truncated } = JSON.parse(said);
      expect([what, said.length <= 1_000, truncated, whole.endsWith(output)]).toEqual([what, true, true, true]);
      expect(output).not.toMatch(/^(?:\p{M}|\u200d|\ufe0f)/u);
      expect([output.isWellFormed(), output.length > 50]).toEqual([true, true]);
      const failed = await printed("", `${one.replaceAll("\n", " ").repeat(600)}\n`, narrow);
      expect([what, failed.text.isWellFormed()]).toEqual([what, true]);
    }
  });
});

describe("what a host itself says comes back harmless", () => {
  let host: RawHost;
  beforeAll(() => {
    host = hostWith({ path: "/no/such/folder" });
  });
  afterAll(() => host[Symbol.dispose]());

  test.each(slots)("as %s", async (_, tool, given) => {
    for (const { line, isError } of await Promise.all(words.map((word) => ask(host, tool, given(word))))) {
      expect(isError).toBe(true);
      expectHarmless(line);
    }
  });

  test("as a tool, an id, a method, a token and a version", async () => {
    const version = { "io.modelcontextprotocol/protocolVersion": all };
    for (const word of words) {
      const id = `${word} ${host.lines.length}`;
      host.send({ id, method: word }).send({ id: `${id}b`, method: "ping", params: { _meta: version } });
      host.call(`${id}c`, word, {}, { progressToken: word }).write(`{"id":"${host.lines.length}d","method":${word}}\n`);
      const [unknown, , call] = await Promise.all([id, `${id}b`, `${id}c`].map((one) => host.reply(one)));
      for (const text of word.isWellFormed() ? [unknown?.error?.message, call?.result?.content?.[0]?.text] : [])
        expect(text).not.toMatch(half);
    }
    host.lines.forEach(expectHarmless);
  });

  test("and as the status of a call that waits for it", async () => {
    const server = new FakeServer({ script: new SmallPhux().script });
    using waiting = hostWith({ socket: server.socket });
    for (const until of words.filter((word) => word.isWellFormed()))
      await ask(waiting, "phux_wait", { target: "@1", until, timeout_secs: 0 }, { progressToken: until });
    const statuses = waiting.messages.filter(({ method }) => method === "notifications/progress");
    expect(statuses.length).toBeGreaterThan(10);
    for (const { params } of statuses) expect(Object(params)["message"]).not.toMatch(half);
    waiting.lines.forEach(expectHarmless);
    server.close();
  });
});
