import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { insertBeside, moveBeside, swapPanes } from "../../src/phux/layout-edit.ts";
import { leavesOf } from "../../src/phux/resolve.ts";
import { formatResource } from "../../src/phux/selector.ts";
import { decodeLayout, encodeLayout, type LayoutDocument, type LayoutNode } from "../../src/wire/layout-document.ts";
import { layoutOf } from "./layout-text.ts";
import { idOf } from "./snapshot.ts";

/** What somebody does to a layout, by numbers that are taken modulo what is there. */
type Deed = {
  readonly kind: "insert" | "move" | "swap";
  readonly a: number;
  readonly b: number;
  readonly ratio: number;
};

const deeds = fc.array(
  fc.record({
    kind: fc.constantFrom("insert", "move", "swap"),
    a: fc.nat(40),
    b: fc.nat(40),
    ratio: fc.oneof(fc.double({ noNaN: true, min: -0.5, max: 1.5 }), fc.constantFrom(0, 1, 1e-60, 0.999999999, 0.5)),
  }),
  { maxLength: 40 },
) satisfies fc.Arbitrary<Deed[]>;

const starts = [
  "*1: @1 focus @1",
  "*1: H(0.5; V(0.35; @1, @2), @3) focus @2",
  "*code: H(0.65; @1, @2) focus @1 | run: @3 focus @3",
  "a: @1 focus @1 | *b: H(0.5; @2, devbox/@7) focus @2 | c: @3 focus @3",
];

describe("any sequence of inserts, moves and swaps", () => {
  test("keeps every pane exactly once, shares inside their bounds, focus on a pane that is drawn", () => {
    fc.assert(
      fc.property(fc.constantFrom(...starts), deeds, (start, sequence) => {
        let layout = layoutOf(start);
        let next = 100;
        for (const deed of sequence) {
          const panes = drawn(layout);
          const [one, other] = [panes[deed.a % panes.length], panes[deed.b % panes.length]].map((pane) => pane ?? "@0");
          if (one === undefined || other === undefined) throw new Error("a layout draws something");
          const fresh = `@${next}`;
          const after = edited(layout, deed, one, other, fresh);
          const added = deed.kind === "insert" && after.ok ? [fresh] : [];
          if (after.ok) layout = after.value;
          next += added.length;
          expect(drawn(layout).toSorted()).toEqual([...panes, ...added].toSorted());
          sound(layout, deed.kind === "swap" || !after.ok ? null : deed.kind === "insert" ? fresh : one);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("window ids and names go with their tabs", () => {
    fc.assert(
      fc.property(fc.nat(40), fc.nat(40), (a, b) => {
        const before = layoutOf(starts[3] ?? "");
        const panes = drawn(before);
        const deed = { kind: "move", a, b, ratio: 0.5 } as const;
        const after = edited(before, deed, panes[a % panes.length] ?? "", panes[b % panes.length] ?? "", "");
        const known = new Map(before.windows.map(({ id, name }) => [id, name]));
        for (const { id, name } of after.ok ? after.value.windows : []) expect(known.get(id)).toBe(name);
      }),
    );
  });
});

function edited(layout: LayoutDocument, deed: Deed, one: string, other: string, fresh: string) {
  const divider = deed.a % 2 === 0 ? "horizontal" : "vertical";
  switch (deed.kind) {
    case "insert":
      return insertBeside(layout, idOf(one), idOf(fresh), divider, deed.ratio);
    case "move":
      return moveBeside(layout, idOf(one), idOf(other), divider, deed.ratio);
    case "swap":
      return swapPanes(layout, idOf(one), idOf(other));
  }
}

function drawn({ windows }: LayoutDocument): string[] {
  return windows.flatMap(({ root }) => leavesOf(root).map(formatResource));
}

/** What must hold of any layout that we write; `focus` is the pane that an edit gave the focus, if it gave any. */
function sound(layout: LayoutDocument, focus: string | null): void {
  const { windows, focused_window_index: active } = layout;
  const panes = new Set(drawn(layout));
  expect(windows[active]).toBeDefined();
  for (const { root, focused_terminal } of windows) {
    expect(panes.has(formatResource(focused_terminal))).toBe(true);
    for (const share of sharesOf(root)) {
      expect(share > 0 && share < 1).toBe(true);
      expect(Math.fround(share)).toBe(share);
    }
  }
  if (focus !== null) expect(formatResource(windows[active]?.focused_terminal ?? idOf("@0"))).toBe(focus);
  const stored = decodeLayout(encodeLayout(layout, 3), 3);
  expect(stored.ok && stored.value).toEqual(layout);
}

function sharesOf(node: LayoutNode): number[] {
  return node.kind === "leaf" ? [] : [node.ratio, ...sharesOf(node.left), ...sharesOf(node.right)];
}
