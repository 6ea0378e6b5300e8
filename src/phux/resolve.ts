import type { ResourceId, SessionSnapshot, WindowRow } from "../wire/frame.ts";
import type { LayoutDocument, LayoutNode } from "../wire/layout-document.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import type { Inventory } from "./inventory.ts";
import { type AgentFault, type AgentIndex, type AgentPurpose, resolveAgent } from "./resolve-agent.ts";
import { formatResource, type Selector, type WindowRef } from "./selector.ts";

/** What a selector is resolved against. Only what `readsFor` asks for needs to be there. */
export interface ResolutionView {
  readonly inventory: Inventory;
  /** Layout documents by session id; null or missing when the key is absent, refused or does not decode. */
  readonly layouts: ReadonlyMap<number, LayoutDocument | null>;
  /** Tags by selector of the Terminal that carries them; missing is none. */
  readonly tags: ReadonlyMap<string, readonly string[]>;
  readonly agents: AgentIndex;
}

/** What must be read, beyond the snapshot, before a selector can be resolved. Terminals are in reading order. */
export type Reads =
  | { readonly read: "nothing" }
  | { readonly read: "layout"; readonly session: number }
  | { readonly read: "tags" | "agents"; readonly terminals: readonly ResourceId[] };

/** The reads a selector needs (spec/client.md 3.3, 3.5, 3.6). Nothing for a session that does not exist. */
export function readsFor(selector: Selector, inventory: Inventory): Reads {
  switch (selector.form) {
    case "window":
    case "pane": {
      const session = inventory.session(selector.session);
      return session === null ? { read: "nothing" } : { read: "layout", session: session.id };
    }
    case "tag":
      return { read: "tags", terminals: inventory.terminals.map(({ id }) => id) };
    case "agent":
      return { read: "agents", terminals: inventory.terminals.map(({ id }) => id) };
    default:
      return { read: "nothing" };
  }
}

/**
 * The resources a selector names, in the contract's order and none twice (spec/client.md 3.2, 3.3). An empty list is
 * a miss. An agent name gives exactly its Terminal or a fault; `purpose` matters to that form alone.
 */
export function resolveSet(
  selector: Selector,
  view: ResolutionView,
  purpose: AgentPurpose,
): Result<readonly ResourceId[], AgentFault> {
  const { inventory } = view;
  switch (selector.form) {
    case "current":
      return ok(idsOf(inventory.terminalsOf({ id: inventory.snapshot.focused_session })));
    case "session": {
      const session = inventory.session(selector.session);
      return ok(session === null ? [] : idsOf(inventory.terminalsOf(session)));
    }
    case "window":
      return ok(
        distinct(windowPanes(selector.session, selector.window, view).filter((id) => inventory.isTerminal(id))),
      );
    case "pane": {
      const pane = windowPanes(selector.session, selector.window, view)[selector.pane];
      return ok(pane !== undefined && inventory.isTerminal(pane) ? [pane] : []);
    }
    case "id":
      return ok(present({ tag: "local", id: selector.id }, inventory));
    case "satellite":
      return ok(present({ tag: "satellite", host: selector.host, id: selector.id }, inventory));
    case "tag":
      return ok(idsOf(inventory.terminals).filter((id) => view.tags.get(formatResource(id))?.includes(selector.tag)));
    case "agent": {
      const match = resolveAgent(selector.name, inventory, view.agents, purpose);
      return match.ok ? ok([match.value.terminal]) : fail(match.error);
    }
  }
}

/** The one pane of a set for a tool that acts on one: the focused one when it is in the set, else the first (3.4). */
export function pickOne(set: readonly ResourceId[], snapshot: SessionSnapshot): ResourceId | null {
  const focused = formatResource(snapshot.focused_resource);
  return set.find((id) => formatResource(id) === focused) ?? set[0] ?? null;
}

/** The leaves of a layout tree as drawn: depth first, left before right, whether they live or not. */
export function leavesOf(node: LayoutNode): readonly ResourceId[] {
  const leaves: ResourceId[] = [];
  const waiting = [node];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.kind === "leaf") leaves.push(next.pane);
    else waiting.push(next.right, next.left);
  }
  return leaves;
}

/**
 * The panes of a window as drawn, by the session's layout; by the server's registry when there is none. A decoded
 * layout has the last word: a window that it does not show is a miss, whatever the registry calls it.
 */
function windowPanes(sessionName: string, window: WindowRef, view: ResolutionView): readonly ResourceId[] {
  const { inventory, layouts } = view;
  const session = inventory.session(sessionName);
  if (session === null) return [];
  const layout = layouts.get(session.id) ?? null;
  if (layout !== null) {
    const tab = "index" in window ? layout.windows[window.index] : layout.windows.find(isNamed(window.name));
    return tab === undefined ? [] : leavesOf(tab.root);
  }
  const isWanted = (row: WindowRow) => ("index" in window ? row.index === window.index : row.name === window.name);
  const row = inventory.snapshot.windows.find((row) => row.session_id === session.id && isWanted(row));
  return row === undefined ? [] : idsOf(inventory.terminalsIn(row));
}

function isNamed(name: string) {
  return (window: { readonly name: string }) => window.name === name;
}

function present(id: ResourceId, inventory: Inventory): readonly ResourceId[] {
  return inventory.find(id) === null ? [] : [id];
}

function idsOf(rows: readonly { readonly id: ResourceId }[]): readonly ResourceId[] {
  return rows.map(({ id }) => id);
}

/** A stored tree may hold a pane twice; whoever acts on a set must meet it once. */
function distinct(ids: readonly ResourceId[]): readonly ResourceId[] {
  return [...new Map(ids.map((id) => [formatResource(id), id])).values()];
}
