/** One line in, all the replies to it out: the first half of the table of design.md section 4. */
import { expect } from "bun:test";

const parseError = { id: null, error: { code: -32700 } };
export const invalid = { id: null, error: { code: -32600 } };
export const served = { id: 1, result: {} };
const invalidParams = { id: 1, error: { code: -32602 } };

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Uint8Array.from(part))));

/** A line, and all the replies to it. */
export const lines: readonly [rule: string, line: string | Uint8Array, replies: readonly object[]][] = [
  ["not JSON", "{bad", [parseError]],
  ["a word", "hello", [parseError]],
  ["two values", '{"id":1,"method":"ping"}{"id":2,"method":"ping"}', [parseError]],
  ["bytes that are not UTF-8", bytes('{"id":1,"method":"pi', [0xff, 0xfe], 'ng"}'), [parseError]],
  ["half a character", bytes('{"id":"', [0xe6, 0xbc], '","method":"ping"}'), [parseError]],
  ["an encoded surrogate", bytes('{"id":"', [0xed, 0xa0, 0x80], '","method":"ping"}'), [parseError]],
  ["NUL", "\0", [parseError]],
  ["a mark that is not in front", '{"id":1,\uFEFF"method":"ping"}', [parseError]],
  ["a no-break space is not blank", "\u00a0", [parseError]],
  ["nesting deeper than a parser goes", "[".repeat(100_000), [parseError]],
  ["an empty batch", "[]", [invalid]],
  ["a batch", '[{"id":1,"method":"ping"}]', [invalid]],
  ["a number", "1", [invalid]],
  ["a string", '"ping"', [invalid]],
  ["null", "null", [invalid]],
  ["true", "true", [invalid]],
  ["an object without anything", "{}", [invalid]],
  ["a method that is a number, with a usable id", '{"id":5,"method":7}', [{ id: 5, error: { code: -32600 } }]],
  ["no method, with a usable id", '{"id":"a"}', [{ id: "a", error: { code: -32600 } }]],
  ["members of a prototype are no members", '{"__proto__":{"id":1,"method":"ping"}}', [invalid]],
  ["id null", '{"id":null,"method":"ping"}', [invalid]],
  ["id an object", '{"id":{},"method":"ping"}', [invalid]],
  ["id an array", '{"id":[1],"method":"ping"}', [invalid]],
  ["id a boolean", '{"id":true,"method":"ping"}', [invalid]],
  ["id beyond 2^53", '{"id":9007199254740993,"method":"ping"}', [invalid]],
  ["id below -2^53", '{"id":-9007199254740993,"method":"ping"}', [invalid]],
  ["id without end", '{"id":1e400,"method":"ping"}', [invalid]],
  ["a response nobody asked for", '{"jsonrpc":"2.0","id":3,"result":{}}', []],
  ["a response of null", '{"jsonrpc":"2.0","id":3,"result":null}', []],
  ["an error response nobody asked for", '{"jsonrpc":"2.0","id":"x","error":{"code":-1,"message":"m"}}', []],
  ["a blank line", "", []],
  ["a line of spaces", "   \t ", []],
  ["a lone CR", "\r", []],
  ["a lone byte-order mark", "\uFEFF", []],
  ["CRLF", '{"id":1,"method":"ping"}\r', [served]],
  ["a byte-order mark", '\uFEFF{"id":1,"method":"ping"}', [served]],
  ["spaces around", ' \t{"id":1,"method":"ping"}  ', [served]],
  ["jsonrpc missing", '{"id":1,"method":"ping"}', [served]],
  ["jsonrpc 1.0", '{"jsonrpc":"1.0","id":1,"method":"ping"}', [served]],
  ["members that mean nothing", '{"id":1,"method":"ping","x":1,"params":[1],"_meta":{}}', [served]],
  ["two lines in a chunk", '{"id":1,"method":"ping"}\n{"id":2,"method":"ping"}', [served, { id: 2, result: {} }]],
  ["initialize without an id", '{"method":"initialize","params":{}}', []],
  ["tools/list without an id", '{"method":"tools/list"}', []],
  ["an unknown notification", '{"method":"notifications/what","params":{}}', []],
  ["notifications/initialized", '{"method":"notifications/initialized"}', []],
  ["an unknown method", '{"id":4,"method":"resources/list"}', [unknownMethod(4, "resources/list")]],
  ["server/discover", '{"id":0,"method":"server/discover"}', [unknownMethod(0, "server/discover")]],
  ["a method named like a member of objects", '{"id":4,"method":"constructor"}', [unknownMethod(4, "constructor")]],
  ["tools/call without params", '{"id":1,"method":"tools/call"}', [invalidParams]],
  ["tools/call with params null", '{"id":1,"method":"tools/call","params":null}', [invalidParams]],
  ["tools/call with params in an array", '{"id":1,"method":"tools/call","params":["x"]}', [invalidParams]],
  ["tools/call with a string for params", '{"id":1,"method":"tools/call","params":"x"}', [invalidParams]],
  ["tools/call without a name", '{"id":1,"method":"tools/call","params":{"arguments":{}}}', [invalidParams]],
  ["tools/call with a number for a name", '{"id":1,"method":"tools/call","params":{"name":5}}', [invalidParams]],
];

/** An id as it is written, and as it must come back. */
export const ids: readonly string[] = [
  '"a"',
  '""',
  "0",
  "-1",
  "1",
  "1.5",
  '"1"',
  "9007199254740991",
  '"漢😀é"',
  '"\\ud800"',
];

function unknownMethod(id: number, method: string): object {
  return { id, error: { code: -32601, message: expect.stringContaining(method) } };
}
