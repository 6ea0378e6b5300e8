/** Servers and phux programs that answer what nobody asked for, and mistakes put into our own process. */
import { expect } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { features } from "../../src/wire/capability.ts";
import type { AnyFrame } from "../../src/wire/frame.ts";
import type { RawHost } from "../e2e/raw-host.ts";
import { type Client, errorFrame, jsonResult, metadataValue, okResult, requestId } from "../phux/fake-server.ts";
import { SmallPhux, stateResult } from "../phux/small-phux.ts";
import type { Published } from "./g-json-schema.ts";
import { leastCall } from "./g-json-schema.ts";
import type { Given } from "./gh-host.ts";

/** Nothing but messages, one a line. */
export function expectMessagesOnly({ lines }: RawHost): void {
  for (const { text, bytes } of lines) {
    const message: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    expect(text).toStartWith('{"jsonrpc":"2.0",');
    expect(Object.keys(Object(message)).join()).toMatch(/^jsonrpc,(id,(result|error)|method,params)$/);
  }
}

// Parse boundary: the keys of the table are the names.
export const everyFeature = Object.keys(features) as (keyof typeof features)[];

type Answerer = (frame: AnyFrame, client: Client) => void;

const deep = (levels: number, open: string, close: string) => open.repeat(levels) + close.repeat(levels);
const screen = '"schema_version":3,"pane":1,"cols":8,"rows":2,"lines":["a"]';

/** JSON of every shape but the right one, some of it only just wrong. */
const documents: readonly (readonly [what: string, json: string])[] = [
  ["null", "null"],
  ["a list", "[]"],
  ["an empty object", "{}"],
  ["a text", '"x"'],
  ["a number", "7"],
  ["nothing", ""],
  ["a fragment", '{"a":'],
  ["names of JavaScript's own", '{"__proto__":{"lines":["x"]},"constructor":2,"toString":null,"lines":{"length":1e9}}'],
  ["numbers that are none", '{"count":1e400,"schema_version":-0,"pane":1.5,"cols":-1,"rows":9007199254740993}'],
  ["a list deeper than the stack", deep(50_000, "[", "]")],
  ["an object deeper than the stack", `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`],
  ["a screen with something deep in it", `{${screen},"scrollback":[],"x":${deep(50_000, "[", "]")}}`],
  [
    "a screen with rows that are not there",
    `{${screen},"cells":[1,null],"soft_wrap":{"lines":[1e9,-1,0.5],"scrollback":[7]}}`,
  ],
];

const request = (frame: AnyFrame): number | null => ("request_id" in frame.value ? requestId(frame) : null);
const isCommand = (frame: AnyFrame, tag: string) => frame.name === "COMMAND" && frame.value.command.tag === tag;

function always(answer: (id: number) => AnyFrame): Answerer {
  return (frame, client) => {
    const id = request(frame);
    if (id !== null) client.send(answer(id));
  };
}

/** A small state, and the same JSON for everything else. */
export function withJson(json: string): Answerer {
  const { state } = new SmallPhux();
  return (frame, client) => {
    const id = request(frame);
    if (id === null) return;
    if (isCommand(frame, "GET_STATE")) client.send(stateResult(id, state));
    else if (frame.name === "GET_METADATA") client.send(metadataValue(id, new TextEncoder().encode(json)));
    else client.send(jsonResult(id, json));
  };
}

/** A state and everything else wrong, or the same answer to everything. */
export const answerers: readonly (readonly [what: string, answer: Answerer])[] = [
  ...documents.map(([what, json]) => [`${what} for a document`, withJson(json)] as const),
  ["OK and no more", always(okResult)],
  ["a state to everything", always((id) => stateResult(id, new SmallPhux().state))],
  ["a refusal of everything", always((id) => errorFrame(id, "INVALID_COMMAND", "no"))],
  ["the end", (_, client) => client.end()],
  ["a cut", (_, client) => client.cut()],
];

/** A call that asks for as little time as it can. */
export function shortCall(tool: Published): Given {
  const { properties } = tool.inputSchema;
  const has = (name: string) => typeof properties === "object" && properties !== null && name in properties;
  return {
    ...leastCall(tool),
    ...(has("target") && { target: "@1" }),
    ...(has("timeout_secs") && { timeout_secs: 1 }),
    ...(has("max_events") && { max_events: 0 }),
  };
}

/** What a `phux` may do in place of answering. */
export const misbehaviours: readonly (readonly [what: string, body: string])[] = [
  ["says nothing", "exit 0"],
  ["fails without a word", "exit 7"],
  ["dies of a signal", "kill -SEGV $$"],
  ["kills itself", "kill -KILL $$"],
  [
    "prints a message of JSON-RPC",
    `echo '{"jsonrpc":"2.0","id":1,"result":{}}'; echo '{"jsonrpc":"2.0","method":"x"}'`,
  ],
  ["prints two documents", "echo '{}{}'"],
  ["prints half of one", "printf '{\"a\":'"],
  ["prints blank lines and a document", "printf '\\n\\n\\r\\n{\"a\":1}\\n\\n'"],
  ["floods stdout", "yes xxxxxxxxxxxxxxxx | head -c 2000000"],
  ["floods stderr", "yes xxxxxxxxxxxxxxxx | head -c 200000 >&2; exit 1"],
  ["closes both and goes on", "exec >&- 2>&-; sleep 0.05"],
  ["leaves somebody behind on its pipes", "sleep 0.4 & echo '{}'"],
];

/** Values that somebody may throw: none of them may end the process, or be told whole. */
const thrown = [
  "null",
  "undefined",
  "7",
  '"S3CRET \\u001b[2J\\nsecond"',
  'Symbol("S3CRET")',
  "Object.create(null)",
  '{ toString() { throw new Error("S3CRET"); } }',
  'new Error("S3CRET")',
  'Object.defineProperty(new Error("x"), "message", { get() { throw new Error("S3CRET"); } })',
  'Object.assign(new Error("S3CRET"), { code: "EPIPE", name: "S3CRET \\u001b" })',
  'new Proxy({}, { get() { throw new Error("S3CRET"); } })',
  'new AggregateError([new Error("S3CRET")], "S3CRET")',
  "10n",
];

/**
 * The environment in which our runtime loads a script before our own code, to make mistakes there: the door that
 * scripts/deaf-runtime.ts leaves to whoever means it.
 */
export function sabotage(folder: string, name: string, script: string): Readonly<Record<string, string>> {
  const path = join(folder, `${name}.js`);
  writeFileSync(path, script);
  return { "BUN-OPTIONS": `--preload ${path}` };
}

/** Each of them thrown where nobody catches, and rejected where nobody looks. */
export const uncaught = `[${thrown.join(", ")}].forEach((one, at) => {
  setTimeout(() => { throw one; }, 5 + at);
  setTimeout(() => { Promise.reject(one); }, 6 + at);
});`;
export const uncaughtCount = 2 * thrown.length;

/** The check of a whole number throws, every time another kind of thing. */
export const brokenCheck = `const things = [new TypeError("S3CRET"), Object.create(null), "S3CRET", null, new Error("S3CRET")];
Number.isSafeInteger = () => { things.push(things[0]); throw things.shift(); };`;
