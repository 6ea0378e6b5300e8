import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Markers } from "./markers.ts";

const markers = new Markers(7, 9n);
const begin = "PHUXrun7x9x0BEGIN";
const end = (code: number) => `PHUXrun7x9x0RC=${code}=END`;
const screen = (...lines: string[]) => ({ cols: 80, lines, soft_wrap: { lines: [] } });

test("the line that is typed is the recorded one", () => {
  const typed = "printf 'PHUXrun7x9x0BEGIN\\n'; true; printf '\\nPHUXrun7x9x0RC=%d=END\\n' $?";
  expect(markers.around("true")).toBe(typed);
});

describe("found on the screen", () => {
  const cases: [what: string, rows: string[], output: string, code: number, truncated: boolean][] = [
    ["nothing between", [begin, "", end(0), "$"], "", 0, false],
    ["one line", [begin, "out", "", end(7), "$"], "out", 7, false],
    ["no line end at the end", [begin, "out", end(0)], "out", 0, false],
    ["an empty line at the end", [begin, "out", "", "", end(0)], "out\n", 0, false],
    ["the beginning is gone", ["8", "9", "", end(255)], "8\n9", 255, true],
    ["a screen that was cleared", ["", end(0)], "", 0, true],
    ["an earlier run above", ["PHUXrun7x8x0BEGIN", "PHUXrun7x8x0RC=1=END", begin, "", end(0)], "", 0, false],
    [
      "marks of others inside",
      [begin, "PHUXrun7x8x0RC=1=END", "PHUXrun7x8x0BEGIN", "", end(2)],
      "PHUXrun7x8x0RC=1=END\nPHUXrun7x8x0BEGIN",
      2,
      false,
    ],
    [
      "the echo above",
      ["$ printf 'PHUXrun7x9x0BEGIN\\n'; x; printf '\\nPHUXrun7x9x0RC=%d=END\\n' $?", begin, "", end(0)],
      "",
      0,
      false,
    ],
  ];
  test.each(cases)("%s", (_, rows, output, exitCode, truncated) => {
    expect(markers.find(screen(...rows))).toEqual({ output, exitCode, truncated });
  });
});

test.each([
  ["an empty screen", [""]],
  ["only the echo", ["$ printf 'PHUXrun7x9x0BEGIN\\n'; x; printf '\\nPHUXrun7x9x0RC=%d=END\\n' $?"]],
  ["half of the closing mark", [begin, "out", "PHUXrun7x9x0RC=12"]],
  ["the closing mark behind other text", [begin, `x ${end(0)}`]],
  ["the closing mark of another run", [begin, "PHUXrun7x8x0RC=0=END"]],
])("not found: %s", (_, rows) => {
  expect(markers.find(screen(...rows))).toBeNull();
});

test("rows of any width are joined, with the blanks that a server cuts off", () => {
  const text = fc.string({ unit: fc.constantFrom("a", " ", "-"), maxLength: 60 });
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), fc.integer({ min: 2, max: 50 }), (output, cols) => {
      const lines: string[] = [];
      const wraps: number[] = [];
      for (const line of [begin, ...output, "", end(3)]) {
        const rows = line.match(new RegExp(`.{1,${cols}}`, "g")) ?? [""];
        for (const [at, row] of rows.entries()) {
          if (at < rows.length - 1) wraps.push(lines.length);
          lines.push(row.trimEnd());
        }
      }
      const found = markers.find({ cols, lines, soft_wrap: { lines: wraps } });
      const shown = output.map((line) => trimLastRow(line, cols)).join("\n");
      expect(found).toEqual({ output: shown, exitCode: 3, truncated: false });
    }),
  );
});

/** Blanks at the end of a line's last row are not on any screen. */
function trimLastRow(line: string, cols: number): string {
  const last = Math.floor(Math.max(line.length - 1, 0) / cols) * cols;
  return line.slice(0, last) + line.slice(last).trimEnd();
}
