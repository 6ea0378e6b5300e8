import { describe, expect, test } from "bun:test";
import type { Refusal } from "../../src/phux/errors.ts";
import {
  axisOf,
  closePane,
  type Divider,
  draws,
  insertBeside,
  isBeside,
  moveBeside,
  seedLayout,
  splitBeside,
  swapPanes,
} from "../../src/phux/layout-edit.ts";
import { decodeLayout, encodeLayout, type LayoutDocument } from "../../src/wire/layout-document.ts";
import type { Result } from "../../src/wire/result.ts";
import { layoutOf, layoutText } from "./layout-text.ts";
import { idOf } from "./snapshot.ts";

type Edit = (layout: LayoutDocument) => Result<LayoutDocument, Refusal>;

const insert =
  (target: string, pane: string, divider: Divider = "horizontal", ratio = 0.5): Edit =>
  (layout) =>
    insertBeside(layout, idOf(target), idOf(pane), divider, ratio);
const split =
  (target: string, pane: string, divider: Divider = "horizontal", ratio = 0.5): Edit =>
  (layout) =>
    splitBeside(layout, idOf(target), idOf(pane), divider, ratio);
const move =
  (source: string, target: string, divider: Divider = "horizontal", ratio = 0.5): Edit =>
  (layout) =>
    moveBeside(layout, idOf(source), idOf(target), divider, ratio);
const swap =
  (first: string, second: string): Edit =>
  (layout) =>
    swapPanes(layout, idOf(first), idOf(second));
const close =
  (target: string): Edit =>
  (layout) =>
    closePane(layout, idOf(target));

/** The edited layout as a line, or the code of the refusal. */
function outcome(before: string, edit: Edit, version: 2 | 3): string {
  const after = edit(layoutOf(before, version));
  if (!after.ok) return after.error.code ?? "a sentence";
  // What an edit makes must be storable, and be read again as the same.
  const stored = decodeLayout(encodeLayout(after.value, version), version);
  if (!stored.ok) throw new Error(stored.error.message);
  expect(stored.value).toEqual(after.value);
  return layoutText(after.value);
}

const nested = "*1: H(0.5; V(0.35; @1, @2), @3) focus @2";
const tabs = "*code: H(0.65; @1, @2) focus @1 | run: @3 focus @3";

describe.each([2, 3] as const)("edits of a version %d document", (version) => {
  // biome-ignore format: one row a rule
  const cases: [rule: string, before: string, edit: Edit, after: string][] = [
    ["insert: a horizontal divider stacks", "*1: @1 focus @1", insert("@1", "@2"), "*1: V(0.5; @1, @2) focus @2"],
    ["insert: a vertical one, beside", "*1: @1 focus @1", insert("@1", "@2", "vertical", 0.2), "*1: H(0.2; @1, @2) focus @2"],
    ["insert: into a nested split", nested, insert("@1", "@4"), "*1: H(0.5; V(0.35; V(0.5; @1, @4), @2), @3) focus @4"],
    ["insert: its tab becomes active", tabs, insert("@3", "@4"), "code: H(0.65; @1, @2) focus @1 | *run: V(0.5; @3, @4) focus @4"],
    ["insert: drawn already, in another tab", tabs, insert("@1", "@3"), "pane_already_in_layout"],
    ["insert: drawn already, beside itself", tabs, insert("@1", "@1"), "pane_already_in_layout"],
    ["insert: beside what nobody draws", tabs, insert("@7", "@4"), "pane_not_in_layout"],
    ["insert: a share of nothing", tabs, insert("@1", "@4", "horizontal", 0), "invalid_ratio"],
    ["insert: a share of all", tabs, insert("@1", "@4", "horizontal", 1), "invalid_ratio"],
    ["insert: a share that is stored as nothing", tabs, insert("@1", "@4", "horizontal", 1e-60), "invalid_ratio"],
    ["insert: a share that is stored as all", tabs, insert("@1", "@4", "horizontal", 0.999999999), "invalid_ratio"],
    ["insert: no number", tabs, insert("@1", "@4", "horizontal", Number.NaN), "invalid_ratio"],
    ["insert: an id is not a satellite's", "*1: devbox/@1 focus devbox/@1", insert("@1", "@2"), "pane_not_in_layout"],
    ["insert: the first of two leaves is split", "*1: H(0.5; @1, @1) focus @1", insert("@1", "@2"), "*1: H(0.5; V(0.5; @1, @2), @1) focus @2"],

    ["split: focus and active tab stay", tabs, split("@3", "@4", "vertical"), "*code: H(0.65; @1, @2) focus @1 | run: H(0.5; @3, @4) focus @3"],

    ["move: in its tab", nested, move("@1", "@3", "vertical", 0.25), "*1: H(0.5; @2, H(0.25; @3, @1)) focus @1"],
    ["move: beside its sibling", "*1: H(0.4; @1, @2) focus @1", move("@1", "@2"), "*1: V(0.5; @2, @1) focus @1"],
    ["move: beside where it is", "*1: H(0.4; @1, @2) focus @1", move("@2", "@1", "vertical", 0.4), "*1: H(0.4; @1, @2) focus @2"],
    ["move: to another tab, emptying its own", tabs, move("@3", "@2", "horizontal", 0.75), "*code: H(0.65; @1, V(0.75; @2, @3)) focus @3"],
    ["move: to a later tab, emptying an earlier one", "*a: @1 focus @1 | b: H(0.5; @2, @3) focus @2", move("@1", "@2"), "*b: H(0.5; V(0.5; @2, @1), @3) focus @1"],
    ["move: the focus it leaves goes to the first leaf", "*a: H(0.5; @1, V(0.5; @2, @3)) focus @2 | b: @4 focus @4", move("@2", "@4"), "a: H(0.5; @1, @3) focus @1 | *b: V(0.5; @4, @2) focus @2"],
    ["move: a focus elsewhere stays", "*a: H(0.5; @1, V(0.5; @2, @3)) focus @3 | b: @4 focus @4", move("@2", "@4"), "a: H(0.5; @1, @3) focus @3 | *b: V(0.5; @4, @2) focus @2"],
    ["move: heals a pane that was drawn twice", "*1: H(0.5; V(0.5; @1, @2), @1) focus @1", move("@1", "@2"), "*1: V(0.5; @2, @1) focus @1"],
    ["move: onto itself", tabs, move("@1", "@1"), "same_pane"],
    ["move: what nobody draws", tabs, move("@8", "@1"), "pane_not_in_layout"],
    ["move: beside what nobody draws", tabs, move("@1", "@8"), "pane_not_in_layout"],
    ["move: a bad share", tabs, move("@1", "@3", "horizontal", -0.1), "invalid_ratio"],

    ["swap: siblings", tabs, swap("@1", "@2"), "*code: H(0.65; @2, @1) focus @1 | run: @3 focus @3"],
    ["swap: between tabs, focus stays as stored", tabs, swap("@3", "@1"), "*code: H(0.65; @3, @2) focus @1 | run: @1 focus @3"],
    ["swap: between depths", nested, swap("@2", "@3"), "*1: H(0.5; V(0.35; @1, @3), @2) focus @2"],
    ["swap: with itself", tabs, swap("@2", "@2"), "same_pane"],
    ["swap: with what nobody draws", tabs, swap("@2", "@7"), "pane_not_in_layout"],

    ["close: its sibling takes the place", nested, close("@2"), "*1: H(0.5; @1, @3) focus @1"],
    ["close: its tab becomes active", "*a: @1 focus @1 | b: H(0.5; @2, @3) focus @3", close("@2"), "a: @1 focus @1 | *b: @3 focus @3"],
    ["close: an empty tab goes, the next is active", "a: @1 focus @1 | *b: @2 focus @2 | c: @3 focus @3", close("@2"), "a: @1 focus @1 | *c: @3 focus @3"],
    ["close: the last tab goes", "*a: @1 focus @1 | b: @2 focus @2", close("@2"), "*a: @1 focus @1"],
    ["close: the only pane", "*1: @1 focus @1", close("@1"), "layout_rejected"],
    ["close: the only pane, drawn twice", "*1: H(0.5; @1, @1) focus @1", close("@1"), "layout_rejected"],
    ["close: what nobody draws", tabs, close("@9"), "pane_not_in_layout"],
  ];
  test.each(cases)("%s", (_rule, before, edit, after) => {
    expect(outcome(before, edit, version)).toBe(after);
  });
});

test("the word of a divider is the other word of the axis", () => {
  expect([axisOf("horizontal"), axisOf("vertical")]).toEqual(["vertical", "horizontal"]);
});

test.each([
  [2, undefined],
  [3, "35fe1302d6cbe89a26b6a6a84bc3e704"],
] as const)("a layout of version %d begins with one tab of the owner", (version, id) => {
  const seed = seedLayout(idOf("@1"), version);
  expect(layoutText(seed)).toBe("*1: @1 focus @1");
  expect(seed.windows[0]?.id).toBe(id);
});

describe("whether a placement holds", () => {
  const layout = layoutOf("*1: H(0.5; V(0.3; @1, @2), @3) focus @2 | b: @4 focus @4");
  const cases: [target: string, pane: string, divider: Divider, ratio: number, holds: boolean][] = [
    ["@1", "@2", "horizontal", 0.3, true],
    ["@2", "@1", "horizontal", 0.3, false],
    ["@1", "@2", "vertical", 0.3, false],
    ["@1", "@2", "horizontal", 0.31, false],
    ["@1", "@3", "vertical", 0.5, false],
    ["@4", "@1", "horizontal", 0.5, false],
  ];
  test.each(cases)("%s with %s after it, %s at %d: %p", (target, pane, divider, ratio, holds) => {
    expect(isBeside(layout, idOf(target), idOf(pane), divider, ratio)).toBe(holds);
  });

  test("a pane is drawn or not", () => {
    expect([draws(layout, idOf("@4")), draws(layout, idOf("@5")), draws(layout, idOf("x/@4"))]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
