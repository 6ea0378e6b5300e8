import { describe, expect, test } from "bun:test";
import { cleanText } from "../../src/text/clean.ts";
import { extentOf, fits, linesOf } from "../../src/tools/shown.ts";

const anything = {
  characters: Number.POSITIVE_INFINITY,
  bytes: Number.POSITIVE_INFINITY,
  lines: Number.POSITIVE_INFINITY,
};

describe("what a text takes once it is escaped", () => {
  // Around every end of every range that the engine escapes, and what JSON leaves as it is.
  const edges = [0x7e, 0x9f, 0x61b, 0x200d, 0x2029, 0x202e, 0x2065, 0x2069, 0xe001, 0xdffff, 0xe007f, 0xe0100];
  const points = edges.flatMap((edge) => [-1, 0, 1, 2, 3].map((step) => edge + step));
  test.each(points)("U+%i is counted as the engine writes it", (point) => {
    for (const text of [String.fromCodePoint(point), `a${String.fromCodePoint(point)}é`]) {
      const clean = cleanText(text);
      const { characters, bytes } = extentOf(text);
      expect([characters, bytes]).toEqual([clean.length, Buffer.byteLength(clean)]);
    }
  });

  test("half of a tag character is no tag character", () => {
    expect(extentOf("\udb40x").characters).toBe(2);
    expect(extentOf("\udb40\ue000").characters).toBe(2);
    expect(extentOf("\udb40").characters).toBe(1);
  });

  test("in front, in the middle and at the end", () => {
    expect(extentOf("\u202eab\u202ecd\u202e").characters).toBe(4 + 3 * 6);
  });
});

test("lines are counted from the first newline on", () => {
  expect(["", "a", "\n", "\n\n", "a\nb\n"].map(linesOf)).toEqual([1, 1, 2, 3, 3]);
});

describe("a text fits", () => {
  const cases: [text: string, characters: number, fitting: boolean][] = [
    ["", 0, true],
    ["abc", 3, true],
    ["abcd", 3, false],
    ["\u202e", 6, true],
    ["\u202e", 5, false],
    ["é\u0080", 7, true],
    ["é\u0080", 6, false],
  ];
  test.each(cases)("%j in %d: %p", (text, characters, fitting) => {
    expect(fits(text, { ...anything, characters })).toBe(fitting);
  });

  test("by lines and by bytes too", () => {
    expect(fits("a\nb", { ...anything, lines: 2 })).toBe(true);
    expect(fits("a\nb", { ...anything, lines: 1 })).toBe(false);
    expect(fits("漢", { ...anything, bytes: 3 })).toBe(true);
    expect(fits("漢", { ...anything, bytes: 2 })).toBe(false);
  });
});
