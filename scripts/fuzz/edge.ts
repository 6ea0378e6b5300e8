import { readDocument } from "../../src/cli/document.ts";
import { LineSplitter } from "../../src/mcp/lines.ts";
import { classify, parseLine } from "../../src/mcp/message.ts";
import { cleanText } from "../../src/text/clean.ts";
import { budgetOf } from "../../src/tools/budget.ts";
import { catalog } from "../../src/tools/catalog.ts";
import { fitDocument } from "../../src/tools/cut.ts";
import { fits } from "../../src/tools/shown.ts";
import { broken, corpusOf, type Target, textOf } from "./target.ts";

const messages = corpusOf(
  '{"jsonrpc":"2.0","id":0,"method":"ping"}',
  '{"jsonrpc":"2.0","id":"é😀","method":"tools/call","params":{"name":"phux_ls","arguments":{}}}\n\r\n{"method":"notifications/cancelled","params":{"requestId":1}}\n',
  "[]\n1e400\n{\n\ufeff{}\n",
);

const lines: Target = {
  name: "lines",
  corpus: messages,
  run(input, random) {
    const split = (size: () => number) => {
      const found: string[] = [];
      const splitter = new LineSplitter({
        line: (bytes) => void found.push(Buffer.from(bytes).toString("latin1")),
        overlong: () => broken("a short line is called overlong"),
      });
      for (let at = 0, end = 0; at < input.length; at = end) {
        end = Math.min(input.length, at + size());
        splitter.push(input.subarray(at, end));
      }
      return [...found, Buffer.from(splitter.rest()).toString("latin1")];
    };
    const whole = split(() => input.length);
    if (
      !Bun.deepEquals(
        whole,
        split(() => 1 + random.below(16)),
      )
    )
      return broken("pieces give other lines than the whole");
    if (whole.join("\n") !== Buffer.from(input).toString("latin1")) return broken("a byte was lost");
    return whole.length > 1;
  },
};

const message: Target = {
  name: "messages",
  corpus: messages,
  run(input) {
    const parsed = parseLine(input);
    if (!parsed.ok) return false;
    const said = classify(parsed.value);
    if (said.kind === "invalid") return said.reason === "" ? broken("no reason") : false;
    return true;
  },
};

/** First and last code points of what a terminal obeys, or a reader does not see. */
const unsafe: readonly (readonly [first: number, last: number])[] = [
  [0, 8],
  [0xb, 0x1f],
  [0x7f, 0x9f],
  [0x61c, 0x61c],
  [0x200e, 0x200f],
  [0x202a, 0x202e],
  [0x2066, 0x2069],
  [0xe0000, 0xe007f],
];
const isUnsafe = (point: number) => unsafe.some(([first, last]) => first <= point && point <= last);

const clean: Target = {
  name: "clean",
  corpus: corpusOf("plain", '{"a":"\\\u001b[31m\u202e"}', "\u001b]52;c;x\u0007\r\n\u0085", "👨‍👩‍👧‍👦 שלום \u200f"),
  run(input, random) {
    const text = textOf(input, random);
    const cleaned = cleanText(text);
    if ([...cleaned].some((character) => isUnsafe(character.codePointAt(0) ?? 0)))
      return broken("a control character is left");
    if (!cleaned.isWellFormed()) return broken("half a character is left");
    if (cleanText(cleaned) !== cleaned) return broken("cleaning twice gives another text");
    const value = JSON.stringify({ text });
    const back: unknown = JSON.parse(cleanText(value));
    if (!Bun.deepEquals(back, JSON.parse(value))) return broken("a document has another value when it is clean");
    return true;
  },
};

const [firstTool, ...otherTools] = catalog;
if (firstTool === undefined) throw new Error("no tools");

const args: Target = {
  name: "arguments",
  corpus: corpusOf(
    '{"target":"@1","keys":["a","Enter"]}',
    '{"target":null,"confirm":true,"signal":"kill","timeout_secs":"30","socket":""}',
    '{"target":["@1"],"__proto__":1,"constructor":{},"wait_for_previous":true,"name":"x","text":"y","id":1e400,"n":-0}',
    "{}",
  ),
  run(input, random) {
    let raw: unknown;
    try {
      raw = JSON.parse(textOf(input, random));
    } catch {
      return false;
    }
    if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return false;
    const tool = random.pick([firstTool, ...otherTools]);
    // Names that no tool has end a call early, so most calls come without them.
    const strict = !random.oneIn(4);
    const given = Object.fromEntries(Object.entries(raw).filter(([name]) => !strict || name in tool.input));
    const unconfirmed = tool.confirm?.(given) ?? null;
    if (unconfirmed === "") return broken("a gate without a word");
    const prepared = tool.prepare(given);
    if (!prepared.ok) return prepared.error.message === "" ? broken("a refusal without a word") : false;
    const { value } = prepared;
    if (value.runs === "cli" && value.argv.some((argument) => argument.includes("\0"))) return broken("a NUL in argv");
    return true;
  },
};

const endings = ["exited", "deadline", "aborted", "stdout_cap", "stderr_cap"] as const;

const document: Target = {
  name: "documents",
  corpus: corpusOf(
    '{"schema_version":1,"error":{"code":"no_server","message":"m"},"remedy":"r","exit_code":1}',
    '[{"a":1}]',
    "error: no\n",
    "{}",
  ),
  run(input, random) {
    const half = random.oneIn(2) ? input.length : random.below(input.length + 1);
    const outcome = {
      ended: random.pick(endings),
      exitCode: random.pick([0, 0, 1, 2, 124, null]),
      signal: null,
      stdout: input.subarray(0, half),
      stderr: input.subarray(half),
      durationMs: 5,
    };
    const read = readDocument(outcome, {
      verb: "phux x",
      answerExits: random.oneIn(2) ? "any" : new Set([1]),
      deadlineMs: 1_000,
      instead: "ask for less",
    });
    if (read.ok) return JSON.parse(read.value.text) !== undefined;
    const said = read.error.kind === "document" ? read.error.text : read.error.message;
    return said === "" ? broken("a failure without a word") : false;
  },
};

const cut: Target = {
  name: "cuts",
  corpus: corpusOf(
    `{"lines":${JSON.stringify(Array.from({ length: 60 }, (_, row) => `row ${row} 👩‍🚀 e\u0301`))},"n":1}`,
    `{"text":"${"漢字 😀 ".repeat(200)}","list":[[1,2],[3,{"a":"${"x".repeat(300)}"}]]}`,
  ),
  run(input, random) {
    let document: unknown;
    try {
      document = JSON.parse(textOf(input, random));
    } catch {
      return false;
    }
    if (typeof document !== "object" || document === null || Array.isArray(document)) return false;
    const budget = { ...budgetOf(null, 1_000), ...(random.oneIn(3) && { lines: 30 }) };
    const cuts = [
      { at: ["lines"], hint: "ask for less" },
      { at: ["text"], hint: "ask for less" },
    ];
    const members = Object.fromEntries(Object.entries(document));
    const fitted = fitDocument(members, cuts, budget);
    if (!fitted.isWellFormed() && JSON.stringify(document).isWellFormed()) return broken("half a character is left");
    const left: unknown = JSON.parse(fitted);
    const whole = fits(JSON.stringify(document, null, 2), budget);
    if (whole) return Bun.deepEquals(left, document) || broken("a document that fits was changed");
    if (typeof left !== "object" || left === null || Reflect.get(left, "truncated") !== true)
      return broken("no mark of the cut");
    return true;
  },
};

export const edgeTargets: readonly Target[] = [lines, message, clean, args, document, cut];
