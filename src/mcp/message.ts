/** JSON-RPC 2.0 values: what an incoming one is, and the exact text of an outgoing one. Pure. */
import { cleanText } from "../text/clean.ts";
import { fail, ok, type Result } from "../wire/result.ts";

/** Ids compare by type and value: 1 and "1" are two ids, 0 and "" ordinary ones. */
export type RequestId = string | number;

export type Incoming =
  | { readonly kind: "request"; readonly id: RequestId; readonly method: string; readonly params: unknown }
  | { readonly kind: "notification"; readonly method: string; readonly params: unknown }
  | { readonly kind: "response" }
  | { readonly kind: "invalid"; readonly id: RequestId | null; readonly reason: string };

export const errorCode = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
  unsupportedVersion: -32022,
} as const;

/** A blank line is no message and no error. */
export type NoMessage = "blank" | "not UTF-8" | "not JSON";

// ignoreBOM keeps a mark in the text: it is tolerated in front of a line only, which parseLine sees to.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Reads the bytes of one line, without its newline. White space around, CR included, is JSON's own. */
export function parseLine(bytes: Uint8Array): Result<unknown, NoMessage> {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return fail("not UTF-8");
  }
  if (text.startsWith("\uFEFF")) text = text.slice(1);
  try {
    return ok(JSON.parse(text));
  } catch {
    return fail(/^[ \t\r]*$/.test(text) ? "blank" : "not JSON");
  }
}

/** Says what a JSON value is to a server. `jsonrpc` is not looked at, unknown members are ignored. */
export function classify(value: unknown): Incoming {
  if (Array.isArray(value)) return invalid(null, "batches are not served: one request a line");
  if (!isObject(value)) return invalid(null, "a message is an object");
  const { id, method, params, result, error } = value;
  if (typeof method === "string") {
    if (id === undefined) return { kind: "notification", method, params };
    if (isRequestId(id)) return { kind: "request", id, method, params };
    return invalid(null, "id is a string, or a number up to 2^53 - 1");
  }
  if (method === undefined && (result !== undefined || error !== undefined)) return { kind: "response" };
  return invalid(isRequestId(id) ? id : null, "method is a string");
}

function invalid(id: RequestId | null, reason: string): Incoming {
  return { kind: "invalid", id, reason };
}

/** Beyond 2^53 a number has lost digits in the parser, so its echo would be another id. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || (typeof value === "number" && Math.abs(value) <= Number.MAX_SAFE_INTEGER);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The members of an object; none of anything else. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/** A reply as one line without its newline, members in the order hosts rely on. `result` is JSON on one line. */
export function resultLine(id: RequestId, result: string): string {
  return `${resultHead(id)}${result}}`;
}

/** What stands in front of the result of a reply; a closing brace follows it. */
export function resultHead(id: RequestId): string {
  return `{"jsonrpc":"2.0","id":${echo(id)},"result":`;
}

export function errorLine(id: RequestId | null, code: number, message: string, data?: object): string {
  const details = data === undefined ? "" : `,"data":${echo(data)}`;
  return `{"jsonrpc":"2.0","id":${echo(id)},"error":{"code":${code},"message":${json(message)}${details}}}`;
}

export function notificationLine(method: string, params: Readonly<Record<string, unknown>>): string {
  return `{"jsonrpc":"2.0","method":${json(method)},"params":${echo(params)}}`;
}

/** A value of the host on its way back: the same value, with escapes for what a terminal that shows the line would obey. */
function echo(value: unknown): string {
  const text = json(value);
  // Most ids are short and plain, and the first regular expression of a process costs more than a megabyte.
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) >= 0x7f) return cleanText(text);
  return text;
}

/** JSON of a value on one line for every reader: lone surrogates and the Unicode line separators are escaped. */
export function json(value: unknown): string {
  return onOneLine(JSON.stringify(value));
}

const breaks = ["\n", "\r", "\u2028", "\u2029"];

/** The same for JSON text from elsewhere: a raw newline can only stand between its tokens. */
export function onOneLine(text: string): string {
  // Most text has none, and the first regular expression of a process costs more than a megabyte.
  if (!breaks.some((character) => text.includes(character))) return text;
  return text
    .replace(/[\n\r]/g, " ")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}
