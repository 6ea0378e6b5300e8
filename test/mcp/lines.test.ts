import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { FRONT_BYTES, LINE_BYTES, LineSplitter } from "../../src/mcp/lines.ts";

const utf8 = {
  encode: (text: string) => new TextEncoder().encode(text),
  decode: (b: Uint8Array) => new TextDecoder().decode(b),
};

/** What comes out for these chunks, a tilde in front of the beginning of an overlong line, and what is left. */
function split(chunks: readonly Uint8Array[]): { lines: string[]; rest: string } {
  const lines: string[] = [];
  const splitter = new LineSplitter({
    line: (bytes) => lines.push(utf8.decode(bytes)),
    overlong: (front) => lines.push(`~${utf8.decode(front)}`),
  });
  for (const chunk of chunks) splitter.push(chunk);
  return { lines, rest: utf8.decode(splitter.rest()) };
}

const cases: [chunks: string[], lines: string[], rest: string][] = [
  [[], [], ""],
  [["a\n"], ["a"], ""],
  [["a\nb"], ["a"], "b"],
  [["a", "b\n", "c"], ["ab"], "c"],
  [["\n\n"], ["", ""], ""],
  [["a\r\n"], ["a\r"], ""],
];
test.each(cases)("%j", (chunks, lines, rest) => {
  expect(split(chunks.map(utf8.encode))).toEqual({ lines, rest });
});

test("chunks change nothing", () => {
  const part = fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom("\n", "\r\n", "x".repeat(FRONT_BYTES + 1)));
  fc.assert(
    fc.property(fc.array(part), fc.array(fc.nat(30)), (parts, sizes) => {
      const text = parts.join("");
      const bytes = utf8.encode(text);
      const chunks = [];
      for (let from = 0, i = 0; from < bytes.length; i++) {
        const size = 1 + (sizes[i % (sizes.length || 1)] ?? 10);
        chunks.push(bytes.subarray(from, from + size));
        from += size;
      }
      const lines = text.split("\n");
      expect(split(chunks)).toEqual({ lines: lines.slice(0, -1), rest: lines.at(-1) ?? "" });
    }),
  );
});

describe("a line of 16 MiB", () => {
  const long = (length: number) => `<${"a".repeat(length - 1)}`;
  const chunked = (text: string, size: number) =>
    Array.from({ length: Math.ceil(text.length / size) }, (_, i) => utf8.encode(text.slice(i * size, (i + 1) * size)));

  test.each([
    ["at once", LINE_BYTES * 2],
    ["in chunks", 65_536],
  ])("is a line, %s", (_, size) => {
    const { lines } = split(chunked(`${long(LINE_BYTES)}\nnext\n`, size));
    expect(lines.map((line) => line.length)).toEqual([LINE_BYTES, 4]);
  });

  test.each([
    ["at once", LINE_BYTES * 2],
    ["in chunks", 65_536],
    ["in odd chunks", 1_000_003],
  ])("and one byte is told by its front, %s, and the next line is served", (_, size) => {
    const { lines, rest } = split(chunked(`${long(LINE_BYTES + 1)}\nnext\n${long(LINE_BYTES + 1)}`, size));
    const front = `~<${"a".repeat(FRONT_BYTES - 1)}`;
    expect(lines).toEqual([front, "next", front]);
    expect(rest).toBe("");
  });
});
