import { describe, expect, test } from "bun:test";
import { stringifyDocument } from "../../src/phux/json-number.ts";
import { parseExactly } from "../../src/tools/exact-json.ts";

describe("numbers of another program", () => {
  const same = [
    '{"n":9007199254740993}',
    '{"n":-9007199254740993}',
    '{"n":18446744073709551615}',
    '{"n":[1,[9007199254740993]]}',
    '{"n":9007199254740991}',
    '{"n":0.5}',
    '{"n":1e+30}',
    '{"__proto__":{"a":1},"constructor":2}',
    '{"a":"\\u0000é","b":null,"c":true,"d":{}}',
  ];
  test.each(same)("%s comes back as it was", (text) => {
    const parsed = parseExactly(text);
    expect(typeof parsed === "object" && parsed !== null ? stringifyDocument(parsed, 0) : null).toBe(text);
  });

  test.each(["", "{", "nul", '{"a":}'])("%j is no document", (text) => expect(parseExactly(text)).toBeNull());
});

test("a number of a hundred thousand digits takes no time, and is their text", () => {
  const began = performance.now();
  const digits = "7".repeat(900_000);
  expect(parseExactly(`{"a":${digits},"b":9007199254740993}`)).toEqual({ a: digits, b: 9007199254740993n });
  expect(performance.now() - began).toBeLessThan(1_000);
});

test("what is nested a hundred thousand deep is read", () => {
  const text = `{"a":${"[".repeat(100_000)}1${"]".repeat(100_000)}}`;
  expect(parseExactly(text)).toHaveProperty("a");
});
