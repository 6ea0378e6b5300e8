import type { Inventory } from "../../../src/phux/inventory.ts";
import { leavesOf } from "../../../src/phux/resolve.ts";
import { formatResource } from "../../../src/phux/selector.ts";
import type { ResourceId, ResourceRow, SessionRow } from "../../../src/wire/frame.ts";
import type { LayoutDocument, LayoutNode } from "../../../src/wire/layout-document.ts";
import {
  ARCHIVE_VERSION,
  type Archive,
  type ArchivedNode,
  type ArchivedPane,
  type ArchivedWindow,
} from "./archive-document.ts";
import type { SessionOrigin } from "./launch-plan.ts";

/** What an archive is made of. */
export interface Captured {
  readonly inventory: Inventory;
  /** Layout documents by session id, where one decodes. */
  readonly layouts: ReadonlyMap<number, LayoutDocument>;
  /** Where agents' own sessions come from, by selector of their pane. */
  readonly origins: ReadonlyMap<string, SessionOrigin>;
}

/** The sessions that are there, as a document from which they can be made again. What has ended is left out. */
export function captureArchive(captured: Captured): Archive {
  const { sessions, focused_session } = captured.inventory.snapshot;
  return {
    schema_version: ARCHIVE_VERSION,
    sessions: sessions.map((session) => ({
      name: session.name,
      active: session.id === focused_session,
      windows: windowsOf(session, captured),
    })),
  };
}

/** The panes of a session that are alive, in snapshot order. */
export function livePanes(inventory: Inventory, session: SessionRow): readonly ResourceRow[] {
  return inventory.terminalsOf(session).filter(({ id }) => inventory.lifecycleOf(id) !== "exited");
}

function windowsOf(session: SessionRow, captured: Captured): ArchivedWindow[] {
  const layout = captured.layouts.get(session.id);
  const panes = livePanes(captured.inventory, session);
  const windows = layout === undefined ? registered(session, panes, captured) : drawn(layout, panes, captured);
  return windows.filter((window) => window.panes.length > 0);
}

/** Without a layout there is what the server counts: windows, and the panes in each. */
function registered(session: SessionRow, panes: readonly ResourceRow[], captured: Captured): ArchivedWindow[] {
  const { inventory } = captured;
  const windows = inventory.snapshot.windows.filter(({ session_id }) => session_id === session.id);
  return windows.map(({ id, name, active_resource }) => ({
    name,
    active: id === session.active_window,
    panes: panes
      .filter((pane) => inventory.windowOf(pane)?.id === id)
      .map((pane) => archived(pane, active_resource, captured)),
  }));
}

/** Tabs as they are drawn. A pane that no tab draws goes behind those of the first one, out of its tree. */
function drawn(layout: LayoutDocument, panes: readonly ResourceRow[], captured: Captured): ArchivedWindow[] {
  const rows = new Map(panes.map((pane) => [formatResource(pane.id), pane]));
  const shown = layout.windows.map(({ root }) =>
    leavesOf(root).flatMap((leaf) => rows.get(formatResource(leaf)) ?? []),
  );
  const undrawn = panes.filter((pane) => !shown.some((tab) => tab.includes(pane)));
  // A tab that draws only what is gone is none, and the active one may be such a tab.
  const first = Math.max(
    0,
    shown.findIndex((tab) => tab.length > 0),
  );
  return layout.windows.map(({ name, root, focused_terminal }, at): ArchivedWindow => {
    const members = [...(shown[at] ?? []), ...(at === first ? undrawn : [])];
    const tree = treeOf(root, (leaf) => members.findIndex(({ id }) => formatResource(id) === formatResource(leaf)));
    return {
      name,
      active: at === layout.focused_window_index,
      ...(tree !== null && { layout: tree }),
      panes: members.map((pane) => archived(pane, focused_terminal, captured)),
    };
  });
}

/** The tree of what is left: a split that loses a child becomes the other one. */
function treeOf(node: LayoutNode, indexOf: (pane: ResourceId) => number): ArchivedNode | null {
  if (node.kind === "leaf") {
    const pane = indexOf(node.pane);
    return pane < 0 ? null : { kind: "pane", pane };
  }
  const { dir, ratio } = node;
  const left = treeOf(node.left, indexOf);
  const right = treeOf(node.right, indexOf);
  if (left === null || right === null) return left ?? right;
  return { kind: "split", dir, ratio, left, right };
}

function archived(
  { id, title, cwd, cols, rows }: ResourceRow,
  focus: ResourceId | null,
  { origins }: Captured,
): ArchivedPane {
  const origin = origins.get(formatResource(id));
  return {
    active: focus !== null && formatResource(focus) === formatResource(id),
    ...(title !== null && { title }),
    ...(cwd !== null && { cwd }),
    ...(origin !== undefined && { agent_session: origin }),
    ...{ cols, rows },
  };
}
