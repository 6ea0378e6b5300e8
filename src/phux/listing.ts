import { SessionFlags } from "../wire/enums.ts";
import type { HostInventory, ResourceId, SessionRow, SessionSnapshot } from "../wire/frame.ts";
import { compareUtf8 } from "./byte-order.ts";
import { Inventory } from "./inventory.ts";
import { formatResource } from "./selector.ts";

/** What a listing needs beside the snapshot. */
export interface ListingView {
  /** Tabs of a session's layout document, by session id, where one decodes; else the server's own count stands. */
  readonly tabs: ReadonlyMap<number, number>;
  /** Satellites that did not answer. */
  readonly notices: readonly string[];
  /** Whether the server lists the sessions of its satellites at all. */
  readonly hostsKnown: boolean;
}

const selectorOf = (id: ResourceId | null) => (id === null ? null : formatResource(id));
const byName = (a: { readonly name: string }, b: { readonly name: string }) => compareUtf8(a.name, b.name);
const attachment = (clients: number) => ({ attached: clients > 0, attached_clients: clients });

/** The document of phux_ls (client.md 4.1): sessions of this host, every resource, and the hosts of the fleet. */
export function listing(snapshot: SessionSnapshot, { tabs, notices, hostsKnown }: ListingView) {
  const inventory = new Inventory(snapshot);
  const windows = (session: SessionRow) => tabs.get(session.id) ?? session.window_count;
  const kept = new Set(
    (snapshot.session_facets ?? []).filter((row) => (row.flags & SessionFlags.keep_empty) !== 0).map((row) => row.id),
  );
  return {
    schema_version: 3,
    sessions: snapshot.sessions
      .map((session) => ({
        name: session.name,
        windows: windows(session),
        ...attachment(session.attached_client_count),
        keep_empty: kept.has(session.id),
        empty: windows(session) === 0,
      }))
      .sort(byName),
    terminals: inventory.terminals.map((row) => formatResource(row.id)),
    resources: snapshot.resources.map(({ id }) => ({
      id: formatResource(id),
      kind: inventory.kindOf(id),
      parent: selectorOf(inventory.parentOf(id)),
      lifecycle: inventory.lifecycleOf(id),
      exit: inventory.exitOf(id),
    })),
    hosts: [localHost(inventory, windows), ...(hostsKnown ? (snapshot.hosts ?? []).map(satelliteHost) : [])],
    hosts_complete: hostsKnown,
    unreachable: notices,
  };
}

function localHost(inventory: Inventory, windows: (session: SessionRow) => number) {
  const sessions = inventory.snapshot.sessions.map((session) => ({
    name: session.name,
    id: session.id,
    windows: windows(session),
    panes: inventory.terminalsOf(session).length,
    ...attachment(session.attached_client_count),
    active_terminal: selectorOf(inventory.activeTerminalOf(session)),
  }));
  return { host: null, local: true, reachable: true, unreachable: null, sessions: sessions.sort(byName) };
}

function satelliteHost({ host, unreachable, sessions }: HostInventory) {
  const rows = sessions.map((session) => ({
    name: session.name,
    id: session.id,
    windows: session.window_count,
    panes: session.pane_count,
    ...attachment(session.attached_client_count),
    active_terminal: selectorOf(session.active_resource),
  }));
  return { host, local: false, reachable: unreachable === null, unreachable, sessions: rows.sort(byName) };
}
