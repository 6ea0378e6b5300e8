import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Expectation, malformed, readDocument, readText } from "../../src/cli/document.ts";
import type { CommandOutcome } from "../../src/cli/run.ts";
import { describeShared, sharedJson } from "../shared.ts";

const bytes = (text: string | Uint8Array) => (typeof text === "string" ? Buffer.from(text) : text);

/** A command that ended by itself, with what it printed. */
function exited(exitCode: number, stdout: string | Uint8Array = "", stderr: string | Uint8Array = ""): CommandOutcome {
  return { ended: "exited", exitCode, signal: null, stdout: bytes(stdout), stderr: bytes(stderr), durationMs: 1 };
}
const killed = (signal: string, stdout = "", stderr = ""): CommandOutcome => ({
  ...exited(0, stdout, stderr),
  exitCode: null,
  signal,
});
const endedFor = (ended: CommandOutcome["ended"], stdout = "", stderr = ""): CommandOutcome => ({
  ...killed("SIGKILL", stdout, stderr),
  ended,
});

const plain: Expectation = {
  verb: "phux status",
  answerExits: new Set(),
  deadlineMs: 30_000,
  instead: "do something else",
};
const answering = (...exits: number[]): Expectation => ({ ...plain, answerExits: new Set(exits) });
const anyExit: Expectation = { ...plain, verb: "phux run", answerExits: "any" };

const OUT = '{"schema_version":1,"ok":true}';
const ERR = '{"schema_version":1,"error":{"code":"no_server","message":"none"},"remedy":"start one","exit_code":1}';

describe("an answer", () => {
  const rows: [rule: string, outcome: CommandOutcome, expected: Expectation, text: string][] = [
    ["exit 0", exited(0, OUT), plain, OUT],
    ["white space around it is not part of it", exited(0, `\n ${OUT} \r\n`), plain, OUT],
    ["its own layout is", exited(0, '{ "a":\n 1.0 }\n'), plain, '{ "a":\n 1.0 }'],
    ["a number beyond 2^53 is whole", exited(0, '{"n":9007199254740993}'), plain, '{"n":9007199254740993}'],
    ["a list is a document", exited(0, "[]"), plain, "[]"],
    ["a byte-order mark is not part of it", exited(0, `\ufeff${OUT}`), plain, OUT],
    ["warnings beside it are dropped", exited(0, OUT, "partial fleet\n"), plain, OUT],
    ["an error document beside exit 0 too", exited(0, OUT, ERR), plain, OUT],
    ["an exit that is an answer", exited(124, OUT), answering(124), OUT],
    ["an exit that is an answer, with prose beside it", exited(1, OUT, "phux: 1 check failed"), answering(1), OUT],
    ["any exit of run", exited(7, OUT), anyExit, OUT],
    ["exit 125 of run, the command's own", exited(125, OUT), anyExit, OUT],
  ];
  test.each(rows)("%s", (_, outcome, expected, text) => {
    expect(readDocument(outcome, expected)).toEqual({
      ok: true,
      value: { text, value: JSON.parse(text), exitCode: outcome.exitCode ?? -1 },
    });
  });

  test("bytes that are no UTF-8 become replacement characters", () => {
    const stdout = Buffer.concat([Buffer.from('{"x":"a'), Buffer.from([0xff, 0xc3]), Buffer.from('b"}')]);
    const read = readDocument(exited(0, stdout), plain);
    expect(read.ok && read.value.value).toEqual({ x: "a\ufffd\ufffdb" });
  });
});

describe("the command's own words, unchanged", () => {
  const rows: [rule: string, outcome: CommandOutcome, expected: Expectation, words: string][] = [
    ["prose of an older release", exited(2, "", " \n phux: no such target: x \n\n"), plain, "phux: no such target: x"],
    ["several lines of it", exited(2, "", "error: a\n\nUsage: b\n"), plain, "error: a\n\nUsage: b"],
    ["prose, although stdout has a document", exited(3, OUT, "partial"), plain, "partial"],
    ["an exit that is no answer of this tool", exited(125, OUT, "gave up"), answering(124), "gave up"],
    [
      "an exit that is an answer, without a document",
      exited(124, "", "waited in vain"),
      answering(124),
      "waited in vain",
    ],
    ["any exit of run, without a document", exited(125, "  \n", "did not finish"), anyExit, "did not finish"],
    ["a crash", killed("SIGABRT", "", "thread panicked"), plain, "thread panicked"],
    ["JSON that is no error document", exited(1, "", '{"error":"text"}'), plain, '{"error":"text"}'],
    ["an error document that is not the last line", exited(1, "", `${ERR}\nmore`), plain, `${ERR}\nmore`],
  ];
  test.each(rows)("%s", (_, outcome, expected, message) => {
    expect(readDocument(outcome, expected)).toEqual({ ok: false, error: { kind: "sentence", message } });
  });
});

describe("an error document on the last line of stderr", () => {
  const document = { code: "no_server", message: "none", remedy: "start one", exitCode: 1 };
  const rows: [rule: string, outcome: CommandOutcome, expected: Expectation, text: string][] = [
    ["alone", exited(1, "", `${ERR}\n`), plain, ERR],
    ["after warnings, which are passed on", exited(1, "", `warning: x\n${ERR}\n`), plain, `warning: x\n${ERR}`],
    ["although stdout has a document", exited(3, OUT, ERR), plain, ERR],
    ["of an exit that is an answer, with remains on stdout", exited(1, '{"half":', ERR), answering(1), ERR],
    ["of a command that died by a signal", killed("SIGTERM", "", ERR), plain, ERR],
  ];
  test.each(rows)("%s", (_, outcome, expected, text) => {
    expect(readDocument(outcome, expected)).toEqual({ ok: false, error: { kind: "document", text, document } });
  });

  test.each([
    ['{"error":{"code":"c"}}', { code: "c", message: null, remedy: null, exitCode: null }],
    [
      '{"error":{"code":"c","message":3},"remedy":[],"exit_code":"1"}',
      { code: "c", message: null, remedy: null, exitCode: null },
    ],
  ])("carries what it has: %s", (text, document) => {
    expect(readDocument(exited(1, "", text), plain)).toEqual({
      ok: false,
      error: { kind: "document", text, document },
    });
  });
});

describe("a sentence of ours", () => {
  const rows: [rule: string, outcome: CommandOutcome, expected: Expectation, parts: RegExp[]][] = [
    ["nothing at all", exited(3), plain, [/phux status/, /exit status 3/, /nothing on stderr/]],
    ["a document that does not count", exited(2, OUT), plain, [/exit status 2/, /schema_version/]],
    ["a signal", killed("SIGKILL"), plain, [/signal SIGKILL/]],
    ["a signal without a name", killed("34"), plain, [/signal 34/]],
    ["a signal after a document", killed("SIGTERM", OUT), anyExit, [/signal SIGTERM/, /schema_version/]],
    ["exit 0 and nothing", exited(0), plain, [/exit status 0/, /no JSON document on stdout/]],
    ["exit 0 and only stderr", exited(0, "", "phux: server stopped"), plain, [/no JSON document/, /server stopped/]],
    ["half a document", exited(0, '{"half": '), plain, [/not a JSON document \(.*EOF.*\)/, /half/]],
    ["half a document of an answer", exited(7, '{"half": '), anyExit, [/exit status 7/, /half/]],
    ["half of one, with prose beside it", exited(7, '{"half": ', "why"), anyExit, [/half/, /why/]],
    ["text", exited(0, "hello"), plain, [/not a JSON document/, /hello/]],
    ["a value that is no document", exited(0, "42"), plain, [/single JSON value/, /42/]],
    ["text after it", exited(0, `${OUT}\nbye`), plain, [/followed by other text: "bye"/]],
    ["a second one", exited(0, `${OUT}${OUT}`), plain, [/followed by other text: "\{/]],
    ["brackets in its strings end nothing", exited(0, '{"a":"}\\"]"} x'), plain, [/followed by other text: "x"/]],
    ["a broken one with text after it", exited(0, '{"a":tru} x'), plain, [/not a JSON document/, /tru/]],
    ["the deadline", endedFor("deadline"), { ...anyExit, deadlineMs: 6_000 }, [/phux run/, /within 6 s/]],
    ["the deadline, although a document was printed", endedFor("deadline", OUT), anyExit, [/within 30 s/]],
    ["a deadline of part of a second", endedFor("deadline"), { ...plain, deadlineMs: 1_500 }, [/within 1\.5 s/]],
    ["too much on stdout", endedFor("stdout_cap"), plain, [/stdout/, /1048576/, /do something else/]],
    ["too much on stderr", endedFor("stderr_cap", OUT), plain, [/stderr/, /65536/]],
    ["a cancel", endedFor("aborted"), plain, [/cancelled/]],
  ];
  test.each(rows)("%s", (_, outcome, expected, parts) => {
    const read = readDocument(outcome, expected);
    const message = read.ok || read.error.kind !== "sentence" ? "" : read.error.message;
    for (const part of parts) expect(message).toMatch(part);
  });

  test.each([
    ["a megabyte of text", "x".repeat(1_000_000)],
    ["a megabyte of brackets", "[".repeat(1_000_000)],
    ["a megabyte after a document", `${OUT}${"😀".repeat(250_000)}`],
    ["a megabyte in a string without an end", `{"${"\\n".repeat(500_000)}`],
  ])("%s is quoted in part", (_, stdout) => {
    const read = readDocument(exited(0, stdout), plain);
    const message = read.ok || read.error.kind !== "sentence" ? "" : read.error.message;
    expect(message.length).toBeGreaterThan(100);
    expect(message.length).toBeLessThan(10_000);
    expect(message.isWellFormed()).toBe(true);
  });

  test("a control character in it is escaped", () => {
    const read = readDocument(exited(0, "\u001b[2J\u0007"), plain);
    expect(!read.ok && read.error.kind === "sentence" && read.error.message).toContain("\\u001b[2J\\u0007");
  });
});

describe("readText", () => {
  test("gives the trimmed text of exit 0", () => {
    expect(readText(exited(0, "@12\tclosed\n"), plain)).toEqual({ ok: true, value: "@12\tclosed" });
    expect(readText(exited(0), plain)).toEqual({ ok: true, value: "" });
  });
  test.each([
    [exited(1, "@12\tclosed", "phux: no"), "phux: no"],
    [exited(1), "`phux status` ended with exit status 1 and said nothing on stderr."],
  ])("any other exit is a failure", (outcome, message) => {
    expect(readText(outcome, plain)).toEqual({ ok: false, error: { kind: "sentence", message } });
  });
  test("what is no such line is named with malformed", () => {
    const failure = malformed(exited(0, "@12 closed"), plain, "stdout is not a resource, a tab and `closed`");
    expect(failure.kind === "sentence" && failure.message).toBe(
      '`phux status` ended with exit status 0, but stdout is not a resource, a tab and `closed`. stdout: "@12 closed".',
    );
  });
});

test("any bytes give an answer or a failure with words in it", () => {
  const output = fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc.json().map((text) => Buffer.from(text)),
    fc.tuple(fc.json(), fc.string()).map(([json, rest]) => Buffer.from(json + rest)),
    fc.constant(Buffer.from(ERR)),
  );
  const code = fc.option(fc.integer({ min: 0, max: 255 }));
  fc.assert(
    fc.property(
      output,
      output,
      code,
      fc.constantFrom(plain, answering(1, 124), anyExit),
      (stdout, stderr, exitCode, expected) => {
        const outcome = { ...exited(0, stdout, stderr), exitCode, signal: exitCode === null ? "SIGHUP" : null };
        const read = readDocument(outcome, expected);
        if (read.ok) expect(JSON.parse(read.value.text)).toEqual(read.value.value);
        else expect(read.error.kind === "document" ? read.error.text : read.error.message).not.toBe("");
      },
    ),
  );
});

describeShared("what a real 0.22 printed (recorded-cli.json)", () => {
  interface Recorded {
    readonly argv: readonly string[];
    readonly exit: number | null;
    readonly stdout_kind: string;
    readonly stdout?: unknown;
    readonly stderr: {
      readonly kind: string;
      readonly begins?: string;
      readonly code?: string;
      readonly exit_code?: number;
    };
  }
  // The file is the contract's own, its shape is written at its head.
  const { runs } = sharedJson("vectors/recorded-cli.json") as { runs: Recorded[] };

  test("a document of an accepted exit comes through", () => {
    const answers = runs.filter(({ stdout_kind: kind, stdout }) => kind === "document" && stdout !== undefined);
    expect(answers.length).toBeGreaterThan(30);
    for (const { exit, stdout } of answers) {
      const read = readDocument(exited(exit ?? -1, JSON.stringify(stdout)), anyExit);
      expect(read.ok && read.value.value).toEqual(stdout);
    }
  });

  test("a failure keeps its code, or its prose", () => {
    for (const { exit, stdout_kind: kind, stderr } of runs) {
      if (exit === null || exit === 0 || kind !== "empty") continue;
      const isDocument = stderr.kind === "document";
      const said = isDocument
        ? JSON.stringify({ error: { code: stderr.code, message: "m" }, remedy: "r", exit_code: stderr.exit_code })
        : (stderr.begins ?? "error: usage");
      const read = readDocument(exited(exit, "", `${said}\n`), anyExit);
      if (isDocument) expect(read).toMatchObject({ error: { kind: "document", document: { code: stderr.code } } });
      else expect(read).toEqual({ ok: false, error: { kind: "sentence", message: said.trim() } });
    }
  });
});
