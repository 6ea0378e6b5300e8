import { describe, expect, test } from "bun:test";
import { beginningOf, characterEnd, characterStart } from "../../src/text/character.ts";

/** Each is one character to a reader, of several code points. */
const wholes: [what: string, character: string][] = [
  ["a family of joiners", "👨‍👩‍👧‍👦"],
  ["a skin tone", "👍🏽"],
  ["a flag", "🇩🇪"],
  ["a keycap", "1️⃣"],
  ["a letter with marks", "e\u0301\u0323"],
  ["a Hangul syllable of parts", "\u1112\u1161\u11ab"],
  ["a Devanagari conjunct", "क्षि"],
  ["a heart with its variation", "❤️"],
  ["the end of a line", "\r\n"],
  ["a flag of tags", "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}"],
];

describe("no place within a character is one to cut at", () => {
  test.each(wholes)("%s", (_, character) => {
    for (const [before, after] of [
      ["", ""],
      ["ab", "cd"],
      ["漢", "字"],
      [character.repeat(3), character.repeat(3)],
      ["x".repeat(5_000), "y".repeat(5_000)],
      [character.repeat(400), character.repeat(400)],
    ] as const) {
      const text = before + character + after;
      const [start, end] = [before.length, before.length + character.length];
      for (let at = start + 1; at < end; at += 1) {
        expect([characterStart(text, at), characterEnd(text, at)]).toEqual([end, start]);
      }
      expect([characterStart(text, start), characterEnd(text, end)]).toEqual([start, end]);
    }
  });

  test("beyond both ends there is only the text", () => {
    expect([characterStart("é", -1), characterStart("é", 9), characterEnd("é", -1), characterEnd("é", 9)]).toEqual([
      0, 1, 0, 1,
    ]);
    expect(beginningOf("", 5)).toBe("");
  });

  test("a character of thousands of marks is not begun in its middle", () => {
    const text = `e${"\u0301".repeat(9_000)}end`;
    expect(text.slice(characterStart(text, 4_000))).toBe("end");
    expect(beginningOf(text, 4_000).isWellFormed()).toBe(true);
  });

  test("a place is found in no time in a text of megabytes", () => {
    const text = "👨‍👩‍👧‍👦".repeat(400_000);
    const began = performance.now();
    for (let at = 0; at < text.length; at += 50_001) expect(characterStart(text, at) % 11).toBe(0);
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});
