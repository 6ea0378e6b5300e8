import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  parseScreen,
  projectScreen,
  rowsForMatching,
  type ScreenState,
  tailScreen,
  unwrapScreen,
} from "../../src/phux/screen.ts";
import { describeShared, sharedJson } from "../shared.ts";

const base = { schema_version: 3, pane: 7, cols: 20, rows: 3, cursor: null };

function screen(members: object): ScreenState {
  const parsed = parseScreen(JSON.stringify({ ...base, ...members }));
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
}

describe("reading a reply", () => {
  const refused: [text: string, word: string][] = [
    ["", "JSON"],
    ["[]", "JSON"],
    ["null", "JSON"],
    ["{}", "schema_version is missing"],
    [JSON.stringify(base), "lines is missing"],
    [JSON.stringify({ ...base, lines: ["a", 1] }), "lines"],
    [JSON.stringify({ ...base, lines: [], pane: "@7" }), "pane"],
    [JSON.stringify({ ...base, lines: [], scrollback: {} }), "scrollback"],
    [JSON.stringify({ ...base, lines: [], soft_wrap: { lines: ["0"] } }), "soft_wrap"],
    [JSON.stringify({ ...base, lines: [], soft_wrap: [] }), "soft_wrap"],
    [JSON.stringify({ ...base, lines: [], title: 5 }), "title"],
    [JSON.stringify({ ...base, rendered: "<pre>" }), "rendered"],
  ];
  test.each(refused)("%s is refused for %s", (text, word) => {
    const parsed = parseScreen(text);
    expect(parsed.ok ? "" : parsed.error.message).toContain(word);
  });

  const kept: [why: string, sent: object, got: object][] = [
    [
      "members nobody knows, and the order",
      { later: [1], lines: [], scrollback: [] },
      { later: [1], lines: [], scrollback: [] },
    ],
    [
      "a history that was left out is empty",
      { lines: ["a"], soft_wrap: {} },
      { lines: ["a"], scrollback: [], soft_wrap: { lines: [], scrollback: [] } },
    ],
    [
      "null stands for absent",
      { lines: [], scrollback: [], soft_wrap: null, title: null },
      { lines: [], scrollback: [] },
    ],
    [
      "a rendering needs no rows",
      { rendered: { format: "html", data: "" } },
      { rendered: { format: "html", data: "" } },
    ],
    ["nor does the reason for none", { rendered_error: "too big" }, { rendered_error: "too big" }],
  ];
  test.each(kept)("%s", (_why, sent, got) => {
    expect(JSON.stringify(screen(sent))).toBe(JSON.stringify({ ...base, ...got }));
  });

  test("any text gives a screen or a reason", () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => typeof parseScreen(text).ok === "boolean"));
  });
});

type Rows = [scrollback: string[], lines: string[]];
const wraps = (scrollback: number[], lines: number[]) => ({ scrollback, lines });

const joins: [why: string, rows: Rows, soft_wrap: object | undefined, whole: Rows][] = [
  ["nothing wraps", [["a"], ["b"]], wraps([], []), [["a"], ["b"]]],
  ["the server does not say", [["a"], ["b"]], undefined, [["a"], ["b"]]],
  ["two rows of the viewport", [[], ["ab", "c", "$"]], wraps([], [0]), [[], ["abc", "$"]]],
  ["three rows", [[], ["a", "b", "c"]], wraps([], [0, 1]), [[], ["abc"]]],
  [
    "history into the viewport ends there",
    [
      ["a", "b"],
      ["c", "d"],
    ],
    wraps([1], []),
    [["a"], ["bc", "d"]],
  ],
  ["all of history into the viewport", [["a", "b"], ["c"]], wraps([0, 1], []), [[], ["abc"]]],
  ["a last row that wraps ends", [["a"], ["b"]], wraps([], [0]), [["a"], ["b"]]],
  ["a last history row before an empty viewport", [["a"], []], wraps([0], []), [["a"], []]],
  ["numbers out of range", [["a"], ["b", "c"]], wraps([1, 2, -1], [-1, 2, 9, 0.5]), [["a"], ["b", "c"]]],
];
test.each(joins)("joining: %s", (_why, [scrollback, lines], soft_wrap, whole) => {
  const before = screen({ lines, scrollback, ...(soft_wrap && { soft_wrap }) });
  const after = unwrapScreen(before);
  expect([after.scrollback, after.lines]).toEqual(whole);
  expect(after.soft_wrap).toEqual(soft_wrap && { lines: [], scrollback: [] });
  expect(rowsForMatching(before)).toEqual(whole.flat());
});

const windows: [want: number, kept: string[], wrapped: number[], cut: boolean][] = [
  [10, ["a", "b", "c"], [0, 2], false],
  [5, ["a", "b", "c"], [0, 2], false],
  [4, ["b", "c"], [1], true],
  [3, ["c"], [0], true],
  [2, [], [], true],
  [1, [], [], true],
  [0, ["a", "b", "c"], [0, 2], false],
];
test.each(windows)("a tail of %p rows keeps %j of three and the viewport of two", (want, kept, wrapped, cut) => {
  const before = screen({ lines: ["d", "e"], scrollback: ["a", "b", "c"], soft_wrap: wraps([0, 2], [0]), title: "t" });
  const after = tailScreen(before, want);
  expect(after).toMatchObject({ lines: ["d", "e"], scrollback: kept, soft_wrap: wraps(wrapped, [0]), title: "t" });
  const mark = cut ? ["truncated", "truncated_reason"] : [];
  expect(Object.keys(after)).toEqual([...Object.keys(base), "lines", "scrollback", "soft_wrap", ...mark, "title"]);
  if (cut) expect(after).toMatchObject({ truncated: true, truncated_reason: "row_window" });
});

test("no tail is longer than 10,000 rows, whatever was asked for", () => {
  const long = screen({ lines: ["x"], scrollback: Array.from({ length: 12_000 }, (_, at) => `${at}`) });
  for (const want of [0, 10_000, 11_000, 4_294_967_295]) {
    expect(tailScreen(long, want).scrollback?.slice(0, 1)).toEqual(["2001"]);
  }
});

test("a mark of the server stays when nothing was cut, and gives way when something was", () => {
  const cut = { lines: ["a"], scrollback: ["b"], truncated: true, truncated_reason: "memory" };
  expect(tailScreen(screen(cut), 5)).toMatchObject({ truncated: true, truncated_reason: "memory" });
  expect(tailScreen(screen(cut), 1)).toMatchObject({ truncated: true, truncated_reason: "row_window" });
});

test("rows are joined before the tail counts them", () => {
  const before = screen({ lines: ["c", "d"], scrollback: ["a", "b"], soft_wrap: wraps([0], [0]) });
  expect(projectScreen(before, { unwrap: true, tail: 2 })).toMatchObject({ lines: ["cd"], scrollback: ["ab"] });
  expect(projectScreen(before, { tail: 3 })).toMatchObject({ lines: ["c", "d"], scrollback: ["b"] });
  expect(projectScreen(before, {})).toEqual(before);
});

test("a rendering stands alone", () => {
  const both = screen({ lines: ["a"], soft_wrap: wraps([], []), rendered: { format: "vt", data: "" }, later: 1 });
  expect(projectScreen(both, { unwrap: true, tail: 1 })).toEqual({
    ...base,
    rendered: { format: "vt", data: "" },
    later: 1,
  });
});

describe("of any screen", () => {
  const rows = fc.array(fc.string({ maxLength: 4 }), { maxLength: 12 });
  const numbers = fc.uniqueArray(fc.integer({ min: -2, max: 14 }), { maxLength: 8 });
  const screens = fc
    .record({
      lines: rows,
      scrollback: rows,
      soft_wrap: fc.option(fc.record({ lines: numbers, scrollback: numbers }), { nil: undefined }),
    })
    .map(screen);

  test("joining loses no text and leaves nothing to join", () => {
    fc.assert(
      fc.property(screens, (before) => {
        const after = unwrapScreen(before);
        const text = ({ scrollback = [], lines = [] }: ScreenState) => scrollback.concat(lines).join("");
        expect(text(after)).toBe(text(before));
        expect(unwrapScreen(after)).toEqual(after);
        expect(rowsForMatching(after)).toEqual(rowsForMatching(before));
      }),
    );
  });

  test("a tail is the end of history, as long as it may be, over the whole viewport", () => {
    fc.assert(
      fc.property(screens, fc.integer({ min: 1, max: 30 }), (before, want) => {
        const { scrollback = [], lines = [] } = before;
        const after = tailScreen(before, want);
        const kept = after.scrollback ?? [];
        expect(after.lines).toEqual(lines);
        expect(kept).toEqual(scrollback.slice(scrollback.length - kept.length));
        expect(kept.length).toBe(Math.min(scrollback.length, Math.max(want - lines.length, 0)));
        expect(after["truncated"]).toBe(kept.length < scrollback.length || undefined);
        expect(tailScreen(after, want)).toEqual(after);
      }),
    );
  });
});

describeShared("screens of the recordings", () => {
  const texts = new Set<string>();
  const gather = (value: unknown): void => {
    if (typeof value === "string" && value.startsWith('{"schema_version":3,"pane"')) texts.add(value);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(gather);
  };
  for (const file of ["recorded-0.8", "recorded-tools", "wire"]) gather(sharedJson(`vectors/${file}.json`));

  test.each([...texts].map((text) => [text.slice(0, 60), text] as const))("%s…", (_start, text) => {
    const parsed = parseScreen(text);
    expect(parsed.ok && JSON.stringify(parsed.value)).toBe(text);
  });
});
