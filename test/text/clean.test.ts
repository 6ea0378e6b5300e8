import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { cleanText, oneLine, quote } from "../../src/text/clean.ts";

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc
    .array(fc.constantFrom("\u001b", "\u009b", "\u007f", "\u202e", "\u{e0041}", "\ud83d", "\r", "\\", '"', "a", "😀"))
    .map((c) => c.join("")),
);
/** The code points that may not leave, first and last. */
const unsafe: [number, number][] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0x061c, 0x061c],
  [0x200e, 0x200f],
  [0x202a, 0x202e],
  [0x2066, 0x2069],
  [0xd800, 0xdfff],
  [0xe0000, 0xe007f],
];
const isSafe = (text: string) =>
  [...text].every(
    (c) => !unsafe.some(([first, last]) => first <= (c.codePointAt(0) ?? 0) && (c.codePointAt(0) ?? 0) <= last),
  );

describe("cleaning", () => {
  test("leaves nothing that steers a terminal or hides", () => {
    fc.assert(fc.property(anyText, (text) => isSafe(cleanText(text))));
  });

  test.each(unsafe)("escapes U+%p to U+%p, and nothing beside them", (first, last) => {
    for (const code of [first, last]) expect(cleanText(String.fromCodePoint(code))).toMatch(/^(\\u[0-9a-f]{4})+$/);
    for (const code of [first - 1, last + 1].filter((c) => c > 0x20 && !unsafe.flat().includes(c))) {
      expect(cleanText(String.fromCodePoint(code))).toBe(String.fromCodePoint(code));
    }
  });

  test.each([0, 2])("keeps a JSON document (indent %p) and its value", (indent) => {
    const value = fc.oneof(anyText, fc.array(anyText), fc.dictionary(anyText, anyText));
    fc.assert(
      fc.property(value, (document) => {
        const text = JSON.stringify(document, null, indent);
        expect(JSON.parse(cleanText(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  test("keeps a document that another program wrote with raw controls and CRLF", () => {
    expect(JSON.parse(cleanText('{\r\n\t"a":\r"\u009b\u007f\u{e0041}"}\r\n'))).toEqual({ a: "\u009b\u007f\u{e0041}" });
  });

  test("leaves what people write alone", () => {
    const text = "漢字 é 👩‍👩‍👧 \t\n “x” \u00ad \u200b \ufeff";
    expect(cleanText(text)).toBe(text);
  });

  test("twice is once", () => {
    fc.assert(fc.property(anyText, (text) => cleanText(cleanText(text)) === cleanText(text)));
  });
});

const quotes: [value: string | number, text: string][] = [
  ["a", '"a"'],
  [5, "5"],
  ["a\u001b\n", '"a\\u001b\\n"'],
  ["x".repeat(100), `"${"x".repeat(100)}"`],
  ["x".repeat(101), `"${"x".repeat(99)}…"`],
  [`${"x".repeat(98)}😀😀`, `"${"x".repeat(98)}…"`],
];
test.each(quotes)("quote %j", (value, text) => {
  expect(quote(value)).toBe(text);
});

test("a status is one short line", () => {
  expect(oneLine(" a\n b\r\n\tc\u001b ")).toBe("a b c\\u001b");
  fc.assert(fc.property(anyText, (text) => !/[\n\r]/.test(oneLine(text))));
  expect(oneLine("x".repeat(5000)).length).toBe(300);
});
