import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { lineAround, PART_CHARACTERS, partsOf, weightOf, wholeLine } from "../../src/mcp/line.ts";
import { LineWriter } from "../../src/mcp/writer.ts";

const long = (unit: string) => unit.repeat(Math.ceil((3 * PART_CHARACTERS) / unit.length) + 1);

describe("a line around a long text", () => {
  const texts: [about: string, text: string][] = [
    ["short", "a\n\u2028"],
    ["plain", long("abc\n")],
    ["quotes and backslashes", long('"\\')],
    // 65,536 is even: with one letter in front, a part would end inside a pair.
    ["pairs that a part would halve", `x${long("😀")}`],
    ["the first pair behind the BMP", `x${long("\u{10000}")}`],
    ["the last one", `x${long("\u{10ffff}")}`],
    ["one pair exactly where a part would end", `${"a".repeat(PART_CHARACTERS - 1)}😀${long("b")}`],
    ["a letter behind the surrogates where a part would end", `${"a".repeat(PART_CHARACTERS - 1)}\ue000${long("b")}`],
    ["lone surrogates", `${long("a")}\ud800${long("b")}\udc00`],
  ];
  test.each(texts)("%s: the parts are the whole, and weigh as much", (_, text) => {
    const line = lineAround('{"text":"', text, '"}');
    const whole = wholeLine(line);
    expect(JSON.parse(whole).text).toBe(text);
    if (typeof line === "string") return;
    const parts = [...partsOf(line)];
    expect(parts.map((part) => part.text).join("")).toBe(`${whole}\n`);
    expect(parts.reduce((sum, part) => sum + part.weight, 0)).toBe(weightOf(line));
    for (const { weight } of parts) expect(weight).toBeLessThanOrEqual(PART_CHARACTERS);
  });

  test("a text of exactly a part goes in one piece", () => {
    expect(typeof lineAround("", "x".repeat(PART_CHARACTERS), "")).toBe("string");
    expect(typeof lineAround("", "x".repeat(PART_CHARACTERS + 1), "")).toBe("object");
  });

  test("lines of all lengths leave whole and in order, whenever the host reads", async () => {
    const words = fc.constantFrom("a", "😀", '"', "\n");
    const size = fc.constantFrom(1, 10, PART_CHARACTERS, 2 * PART_CHARACTERS);
    const sent = fc.array(fc.tuple(words, size, fc.boolean()), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(sent, fc.boolean(), async (lines, slow) => {
        let out = "";
        let moves = 0;
        const sink = {
          write: (text: string) => {
            out += text;
          },
          flush: () => (slow ? Promise.resolve() : undefined),
        };
        const moved = () => {
          moves += 1;
        };
        const failed = (error: unknown) => {
          throw error;
        };
        const writer = new LineWriter(sink, { moved, failed });
        const texts = lines.map(([word, times]) => word.repeat(times));
        for (const [at, [, , around]] of lines.entries()) {
          const text = texts[at] ?? "";
          writer.write(around ? lineAround('["', text, '"]') : JSON.stringify([text]));
        }
        for (let turn = 0; !writer.idle; turn += 1) {
          if (turn > 10_000) throw new Error("the writer does not come to an end");
          await Promise.resolve();
        }
        const read = out.split("\n").filter(Boolean);
        expect(read.map((line) => JSON.parse(line)[0])).toEqual(texts);
        expect(writer.pending).toBe(0);
        if (lines.length > 0) expect(moves).toBeGreaterThan(0);
      }),
      { numRuns: 60 },
    );
  });
});
