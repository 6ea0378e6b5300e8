import { expect, test } from "bun:test";
import fc from "fast-check";
import { printable } from "./printable.ts";

test.each([
  ["plain, 漢😀é, 👩‍💻", "plain, 漢😀é, 👩‍💻"],
  ["line\n\tnext\n", "line\n\tnext\n"],
  ["\u001b[31mred", "\\u001b[31mred"],
  ["a\rb\u0007\u007f\u009b", "a\\u000db\\u0007\\u007f\\u009b"],
  ["gpj\u202e.exe", "gpj\\u202e.exe"],
])("%j", (text, printed) => {
  expect(printable(text)).toBe(printed);
});

test("a JSON text means the same", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (value) => {
      expect(JSON.parse(printable(JSON.stringify([value])))).toEqual([value]);
    }),
  );
});
