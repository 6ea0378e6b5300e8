import type { ResourceId } from "../wire/frame.ts";
import type { LayoutDocument, LayoutNode, LayoutVersion } from "../wire/layout-document.ts";
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

const isSame = (a: ResourceId, b: ResourceId) => formatResource(a) === formatResource(b);

/** The document of a session that stores none: one tab that shows its owner pane (wire.md section 22). */
export function seedLayout(owner: ResourceId, version: LayoutVersion): LayoutDocument {
  const window = { name: "1", root: { kind: "leaf", pane: owner }, focused_terminal: owner } as const;
  const id = version === 3 ? { id: deriveWindowId(owner, new Set()) } : {};
  return { version, windows: [{ ...id, ...window }], focused_window_index: 0 };
}

/**
 * Puts `pane` beside `target`: the target's leaf becomes a split with the target first, which keeps `ratio` of it. Focus
 * and the active tab stay as they are (client.md 8.5, split without focus).
 */
export function splitBeside(
  layout: LayoutDocument,
  target: ResourceId,
  pane: ResourceId,
  divider: Divider,
  ratio: number,
): Result<LayoutDocument, Refusal> {
  const shown = layout.windows.map((window) => leavesOf(window.root));
  if (shown.some((leaves) => leaves.some((leaf) => isSame(leaf, pane)))) {
    return fail(refuse("pane_already_in_layout", `${formatResource(pane)} is already drawn in this session`));
  }
  const at = shown.findIndex((leaves) => leaves.some((leaf) => isSame(leaf, target)));
  const window = layout.windows[at];
  if (window === undefined)
    return fail(refuse("pane_not_in_layout", `no tab of this session draws ${formatResource(target)}`));
  const stored = Math.fround(ratio);
  if (!(stored > 0 && stored < 1)) return fail(refuse("invalid_ratio", `${ratio} leaves one of the two panes no room`));
  const split = (leaf: LayoutNode): LayoutNode => ({
    kind: "split",
    dir: axisOf(divider),
    ratio: stored,
    left: leaf,
    right: { kind: "leaf", pane },
  });
  const root = replaceLeaf(window.root, target, split);
  return ok({ ...layout, windows: layout.windows.with(at, { ...window, root }) });
}

function replaceLeaf(node: LayoutNode, pane: ResourceId, by: (leaf: LayoutNode) => LayoutNode): LayoutNode {
  if (node.kind === "leaf") return isSame(node.pane, pane) ? by(node) : node;
  return { ...node, left: replaceLeaf(node.left, pane, by), right: replaceLeaf(node.right, pane, by) };
}
