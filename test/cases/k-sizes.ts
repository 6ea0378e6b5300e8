/** Lines at and beyond what a parser, a buffer or a stack holds, with every reply to them. */
import type { Reply } from "./k-oracle.ts";

const MOST = 16 * 1024 * 1024;
/** How far into a line that is too long its id is looked for. */
const FRONT = 4096;

export type SizeRow = readonly [why: string, line: () => string | Uint8Array, replies: readonly Reply[]];

const served: Reply = { id: 1, is: "result" };
const refused = (id: unknown): Reply => ({ id, is: -32600 });
const notJson: Reply = { id: null, is: -32700 };

/** A ping of exactly so many bytes. */
const ping = (bytes: number, id = "1") => filled(`{"id":${id},"method":"ping","params":"`, '"}', bytes);
/** Too long by far; `front` is what stands before the filling. */
const overlong = (front: string) => filled(front, '"}', MOST + 100);
const filled = (front: string, end: string, bytes: number) =>
  front + "a".repeat(bytes - Buffer.byteLength(front) - end.length) + end;
const deep = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels);
/** Puts the id of a line so that its first character is at `at`. */
const idAt = (at: number) => {
  const front = '{"params":"';
  return overlong(`${front}${"b".repeat(at - front.length - 7)}","id":123456789,"x":"`);
};

export const sizes: readonly SizeRow[] = [
  ["16 MiB to the byte", () => ping(MOST), [served]],
  ["16 MiB and a byte", () => ping(MOST + 1), [refused(1)]],
  ["16 MiB of which the last byte is CR", () => `${ping(MOST - 1)}\r`, [served]],
  ["16 MiB and a CR", () => `${ping(MOST)}\r`, [refused(1)]],
  ["16 MiB of letters of three bytes", () => `{"id":1,"method":"ping","params":"${"漢".repeat(5_592_000)}"}`, [served]],
  ["a good line right behind one too long", () => `${ping(MOST + 1, "7")}\n${ping(60)}`, [refused(7), served]],
  ["two too long in a row", () => `${ping(MOST + 1, "7")}\n${ping(MOST + 9, '"b"')}`, [refused(7), refused("b")]],
  ["too long, the id at the very front", () => overlong('{"id":"漢\\n😀","x":"'), [refused("漢\n😀")]],
  ["too long, a falsy id", () => overlong('{"id":0,"x":"'), [refused(0)]],
  ["too long, an empty id", () => overlong('{"id":"","x":"'), [refused("")]],
  ["too long, the id under an escaped name", () => overlong('{"\\u0069d":5,"x":"'), [refused(5)]],
  ["too long, the id just within 4 KiB", () => idAt(FRONT - 20), [refused(123456789)]],
  ["too long, the id cut by the 4 KiB", () => idAt(FRONT - 4), [refused(null)]],
  ["too long, the id behind the 4 KiB", () => idAt(FRONT + 10), [refused(null)]],
  ["too long, an id inside of params only", () => overlong('{"params":{"id":9},"x":"'), [refused(null)]],
  ["too long, an id inside of a string only", () => overlong('{"x":"\\"id\\":9,'), [refused(null)]],
  ["too long, a null id", () => overlong('{"id":null,"x":"'), [refused(null)]],
  ["too long, an id beyond 2^53", () => overlong('{"id":9007199254740993,"x":"'), [refused(null)]],
  ["too long, a batch", () => overlong('[{"id":9,"x":"'), [refused(null)]],
  ["too long, no JSON", () => "z".repeat(MOST + 1), [refused(null)]],
  ["too long, no UTF-8", () => new Uint8Array(MOST + 1).fill(0xff), [refused(null)]],
  ["too long, nothing but blanks", () => " ".repeat(MOST + 1), [refused(null)]],
  ["16 MiB of blanks", () => " ".repeat(MOST), []],
  ["16 MiB of NUL", () => new Uint8Array(MOST), [notJson]],
  ["a million lists in each other", () => `{"id":1,"method":"ping","params":${deep("[", "]", 1_000_000)}}`, [served]],
  [
    "half a million objects in each other",
    () => `{"id":1,"method":"ping","params":${deep('{"a":', "}", 500_000).replace(":}", ":1}")}}`,
    [served],
  ],
  ["a million lists as an id", () => `{"id":${deep("[", "]", 1_000_000)},"method":"ping"}`, [refused(null)]],
  ["a million lists as a message", () => deep("[", "]", 1_000_000), [refused(null)]],
  [
    "a million lists as arguments",
    () => `{"id":1,"method":"tools/call","params":{"name":"phux_ls","arguments":${deep("[", "]", 1_000_000)}}}`,
    [{ id: 1, is: "refused" }],
  ],
  ["a million lists that never close", () => "[".repeat(1_000_000), [notJson]],
  [
    "100,000 members",
    () => `{"id":1,"method":"ping","params":{${Array.from({ length: 100_000 }, (_, at) => `"m${at}":1`).join()}}}`,
    [served],
  ],
  ["100,000 blank lines", () => "\r\n".repeat(100_000), []],
  ["5,000 lines of no JSON", () => `${"x\n".repeat(4_999)}x`, Array(5_000).fill(notJson)],
  [
    "5,000 requests in a piece",
    () => Array(5_000).fill('{"id":1,"method":"ping"}').join("\n"),
    Array(5_000).fill(served),
  ],
];

/** What the input may end with, without a newline, and what is still answered. */
export const lastLines: readonly SizeRow[] = [
  ["a request", () => ping(60), [served]],
  ["a request behind a byte-order mark", () => `\uFEFF${ping(60)}`, [served]],
  ["a request and a CR", () => `${ping(60)}\r`, [served]],
  ["16 MiB to the byte", () => ping(MOST), [served]],
  ["a line too long", () => ping(MOST + 1), [refused(1)]],
  ["the half of a line too long", () => ping(MOST + 100).slice(0, -1), [refused(1)]],
  ["half a request", () => ping(60).slice(0, -3), []],
  ["half a character", () => Buffer.from('{"id":1,"method":"漢').subarray(0, -1), []],
  ["a batch", () => "[1]", [refused(null)]],
  ["a number", () => "12", [refused(null)]],
  ["a blank", () => "  \t", []],
  ["a response", () => '{"id":1,"result":{}}', []],
];
