import type { ResourceId } from "../wire/frame.ts";
import type { LayoutDocument, LayoutNode, LayoutVersion, LayoutWindow } from "../wire/layout-document.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import { deriveWindowId } from "../wire/window-id.ts";
import { type Refusal, refuse } from "./errors.ts";
import { leavesOf } from "./resolve.ts";
import { formatResource } from "./selector.ts";

/** The word a person uses for a split names its divider; the stored one names the axis of the children (client.md 8.5). */
export type Divider = "horizontal" | "vertical";

export function axisOf(divider: Divider): "horizontal" | "vertical" {
  return divider === "horizontal" ? "vertical" : "horizontal";
}

type Edited = Result<LayoutDocument, Refusal>;

const isSame = (a: ResourceId, b: ResourceId) => formatResource(a) === formatResource(b);

/** The document of a session that stores none: one tab that shows its owner pane (wire.md section 22). */
export function seedLayout(owner: ResourceId, version: LayoutVersion): LayoutDocument {
  const window = { name: "1", root: { kind: "leaf", pane: owner }, focused_terminal: owner } as const;
  const id = version === 3 ? { id: deriveWindowId(owner, new Set()) } : {};
  return { version, windows: [{ ...id, ...window }], focused_window_index: 0 };
}

/** Draws `pane` in a tab of its own behind the others. Focus and the active tab stay. Refusal: `pane_already_in_layout`. */
export function addTab(layout: LayoutDocument, pane: ResourceId): Edited {
  if (draws(layout, pane)) {
    return fail(refuse("pane_already_in_layout", `${formatResource(pane)} is already drawn in this session`));
  }
  const names = new Set(layout.windows.map(({ name }) => name));
  let number = layout.windows.length + 1;
  while (names.has(String(number))) number += 1;
  const taken = new Set(layout.windows.flatMap(({ id }) => id ?? []));
  const id = layout.version === 3 ? { id: deriveWindowId(pane, taken) } : {};
  const tab = { ...id, name: String(number), root: { kind: "leaf", pane }, focused_terminal: pane } as const;
  return ok({ ...layout, windows: [...layout.windows, tab] });
}

/**
 * Puts `pane` beside `target`: the target's leaf becomes a split with the target first, which keeps `ratio` of it. Focus
 * and the active tab stay as they are (client.md 8.5, split without focus). Refusals: `pane_already_in_layout`,
 * `pane_not_in_layout`, `invalid_ratio`.
 */
export function splitBeside(
  layout: LayoutDocument,
  target: ResourceId,
  pane: ResourceId,
  divider: Divider,
  ratio: number,
): Edited {
  if (draws(layout, pane)) {
    return fail(refuse("pane_already_in_layout", `${formatResource(pane)} is already drawn in this session`));
  }
  const wrong = refuseUndrawn(layout, target) ?? refuseRatio(ratio);
  if (wrong !== null) return fail(wrong);
  return ok({ ...layout, windows: withSplit(layout.windows, target, pane, divider, ratio) });
}

/** The same, and the new pane gets its tab's focus, and its tab becomes the active one (client.md 8.5, split). */
export function insertBeside(
  layout: LayoutDocument,
  target: ResourceId,
  pane: ResourceId,
  divider: Divider,
  ratio: number,
): Edited {
  const split = splitBeside(layout, target, pane, divider, ratio);
  return split.ok ? ok(focusedOn(split.value, pane)) : split;
}

/**
 * Takes `source` from where it is drawn and puts it beside `target`, in the same tab or another, with the focus. A tab
 * that this empties goes (client.md 8.5, move). Refusals: `same_pane`, `pane_not_in_layout`, `invalid_ratio`.
 */
export function moveBeside(
  layout: LayoutDocument,
  source: ResourceId,
  target: ResourceId,
  divider: Divider,
  ratio: number,
): Edited {
  const wrong = refuseSame(source, target) ?? refuseUndrawn(layout, source, target) ?? refuseRatio(ratio);
  if (wrong !== null) return fail(wrong);
  const left = without(layout, source);
  const moved = { ...left, windows: withSplit(left.windows, target, source, divider, ratio) };
  return ok(focusedOn(moved, source));
}

/**
 * Exchanges two panes wherever they are drawn. Splits, shares, focus and the active tab stay: after a swap between tabs
 * a tab's focus may name a pane that the other one draws (client.md 8.5, swap). Refusals: `same_pane`,
 * `pane_not_in_layout`.
 */
export function swapPanes(layout: LayoutDocument, first: ResourceId, second: ResourceId): Edited {
  const wrong = refuseSame(first, second) ?? refuseUndrawn(layout, first, second);
  if (wrong !== null) return fail(wrong);
  const other = (pane: ResourceId) => (isSame(pane, first) ? second : isSame(pane, second) ? first : pane);
  const swapped = (node: LayoutNode): LayoutNode =>
    node.kind === "leaf"
      ? { ...node, pane: other(node.pane) }
      : { ...node, left: swapped(node.left), right: swapped(node.right) };
  return ok({ ...layout, windows: layout.windows.map((window) => ({ ...window, root: swapped(window.root) })) });
}

/**
 * Takes a pane out; its tab becomes the active one, or goes when it is empty (client.md 8.5, close). Refusals:
 * `pane_not_in_layout`, and `layout_rejected` for the last pane, because a document without tabs cannot be stored.
 */
export function closePane(layout: LayoutDocument, target: ResourceId): Edited {
  const wrong = refuseUndrawn(layout, target);
  if (wrong !== null) return fail(wrong);
  const active = { ...layout, focused_window_index: tabOf(layout.windows, target) };
  const left = without(active, target);
  if (left.windows.length > 0) return ok(left);
  return fail(refuse("layout_rejected", `${formatResource(target)} is the only pane that the layout draws`));
}

/** Whether any tab draws the pane. */
export function draws(layout: LayoutDocument, pane: ResourceId): boolean {
  return tabOf(layout.windows, pane) >= 0;
}

/** Whether some split has exactly `target` first and `pane` second, with this divider and this share (client.md 4.23). */
export function isBeside(
  layout: LayoutDocument,
  target: ResourceId,
  pane: ResourceId,
  divider: Divider,
  ratio: number,
): boolean {
  const holds = (node: LayoutNode): boolean => {
    if (node.kind === "leaf") return false;
    const { left, right } = node;
    if (holds(left) || holds(right)) return true;
    if (node.dir !== axisOf(divider) || node.ratio !== Math.fround(ratio)) return false;
    return left.kind === "leaf" && right.kind === "leaf" && isSame(left.pane, target) && isSame(right.pane, pane);
  };
  return layout.windows.some(({ root }) => holds(root));
}

function refuseSame(a: ResourceId, b: ResourceId): Refusal | null {
  return isSame(a, b) ? refuse("same_pane", `${formatResource(a)} is named twice, and two panes are needed`) : null;
}

function refuseUndrawn(layout: LayoutDocument, ...panes: readonly ResourceId[]): Refusal | null {
  const pane = panes.find((one) => !draws(layout, one));
  return pane === undefined
    ? null
    : refuse("pane_not_in_layout", `no tab of this session draws ${formatResource(pane)}`);
}

/** A share is stored as a 32-bit float, and that one must leave both panes some room. */
function refuseRatio(ratio: number): Refusal | null {
  const stored = Math.fround(ratio);
  return stored > 0 && stored < 1
    ? null
    : refuse("invalid_ratio", `a share of ${ratio} leaves one of the two panes no room`);
}

/** The position of the first tab that draws the pane, or -1. */
function tabOf(windows: readonly LayoutWindow[], pane: ResourceId): number {
  return windows.findIndex(({ root }) => leavesOf(root).some((leaf) => isSame(leaf, pane)));
}

function focusedOn(layout: LayoutDocument, pane: ResourceId): LayoutDocument {
  const at = tabOf(layout.windows, pane);
  const windows = layout.windows.map((window, index) =>
    index === at ? { ...window, focused_terminal: pane } : window,
  );
  return { ...layout, windows, focused_window_index: at };
}

function withSplit(
  windows: readonly LayoutWindow[],
  target: ResourceId,
  pane: ResourceId,
  divider: Divider,
  ratio: number,
): readonly LayoutWindow[] {
  const split = (leaf: LayoutNode): LayoutNode => ({
    kind: "split",
    dir: axisOf(divider),
    ratio: Math.fround(ratio),
    left: leaf,
    right: { kind: "leaf", pane },
  });
  const at = tabOf(windows, target);
  return windows.map((window, index) =>
    index === at ? { ...window, root: replaceLeaf(window.root, target, split) } : window,
  );
}

/** Replaces the first leaf of a pane as drawn; a document that somebody wrote with two of them keeps the second. */
function replaceLeaf(node: LayoutNode, pane: ResourceId, by: (leaf: LayoutNode) => LayoutNode): LayoutNode {
  if (node.kind === "leaf") return isSame(node.pane, pane) ? by(node) : node;
  const left = replaceLeaf(node.left, pane, by);
  if (left !== node.left) return { ...node, left };
  const right = replaceLeaf(node.right, pane, by);
  return right === node.right ? node : { ...node, right };
}

/**
 * The layout without a pane, however often it was drawn: a split that loses a child becomes the other one, a focus that
 * goes passes to the tab's first pane, tabs left empty go, and the active tab stays the one that it was (client.md 8.5).
 */
function without(layout: LayoutDocument, pane: ResourceId): LayoutDocument {
  const tabs = layout.windows.map((window): LayoutWindow | null => {
    const root = pruned(window.root, pane);
    if (root === window.root) return window;
    return root === null ? null : { ...window, root, focused_terminal: keptFocus(root, window.focused_terminal) };
  });
  const windows = tabs.filter((tab) => tab !== null);
  const before = tabs.slice(0, layout.focused_window_index).filter((tab) => tab !== null).length;
  return { ...layout, windows, focused_window_index: Math.min(before, Math.max(0, windows.length - 1)) };
}

/** The tree without a pane, the same object when it draws none of it, null when nothing is left. */
function pruned(node: LayoutNode, pane: ResourceId): LayoutNode | null {
  if (node.kind === "leaf") return isSame(node.pane, pane) ? null : node;
  const left = pruned(node.left, pane);
  const right = pruned(node.right, pane);
  if (left === null || right === null) return left ?? right;
  return left === node.left && right === node.right ? node : { ...node, left, right };
}

function keptFocus(root: LayoutNode, focus: ResourceId): ResourceId {
  const leaves = leavesOf(root);
  return leaves.find((leaf) => isSame(leaf, focus)) ?? leaves[0] ?? focus;
}
