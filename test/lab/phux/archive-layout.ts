import { leavesOf } from "../../../src/phux/resolve.ts";
import { formatResource } from "../../../src/phux/selector.ts";
import type { ResourceId } from "../../../src/wire/frame.ts";
import type { LayoutDocument, LayoutNode, LayoutVersion, LayoutWindow } from "../../../src/wire/layout-document.ts";
import { deriveWindowId } from "../../../src/wire/window-id.ts";
import type { ArchivedNode, ArchivedWindow } from "./archive-document.ts";

/** The pane that was made for each pane of each window, null where none could be. */
export type MadePanes = readonly (readonly (ResourceId | null)[])[];

/** The layout of a session that was made again; null when its archive draws nothing that is there. */
export function layoutOf(
  archived: readonly ArchivedWindow[],
  made: MadePanes,
  version: LayoutVersion,
): LayoutDocument | null {
  const windows: LayoutWindow[] = [];
  const taken = new Set<string>();
  let focused_window_index = 0;
  for (const [at, window] of archived.entries()) {
    const panes = made[at] ?? [];
    const root = window.layout === undefined ? null : treeOf(window.layout, panes);
    if (root === null) continue;
    const [first, ...more] = leavesOf(root);
    if (first === undefined) continue;
    if (window.active) focused_window_index = windows.length;
    const focus = panes[window.panes.findIndex(({ active }) => active)] ?? null;
    const isDrawn = [first, ...more].some((leaf) => focus !== null && formatResource(leaf) === formatResource(focus));
    const id = deriveWindowId(first, taken);
    taken.add(id);
    const focused_terminal = focus !== null && isDrawn ? focus : first;
    windows.push({ ...(version === 3 && { id }), name: window.name, root, focused_terminal });
  }
  return windows.length === 0 ? null : { version, windows, focused_window_index };
}

function treeOf(node: ArchivedNode, panes: readonly (ResourceId | null)[]): LayoutNode | null {
  if (node.kind === "pane") {
    const pane = panes[node.pane] ?? null;
    return pane === null ? null : { kind: "leaf", pane };
  }
  const left = treeOf(node.left, panes);
  const right = treeOf(node.right, panes);
  return left === null || right === null ? (left ?? right) : { ...node, left, right };
}
