import { Lifecycle, ResourceKind, SessionFlags } from "../../src/wire/enums.ts";
import type { ResourceRow, ResourceState, SessionRow, SessionSnapshot, WindowRow } from "../../src/wire/state.ts";
import { local } from "./answer.ts";
import type { Pane } from "./pane.ts";
import type { LabServer } from "./server.ts";
import type { Session, Window } from "./store.ts";

/** What GET_STATE answers, and what ATTACHED says to someone who joins a session (wire.md 10.1). */
export function snapshot(server: LabServer): SessionSnapshot {
  const { store } = server;
  const { focus } = store;
  const window = focus && store.windowsOf(focus)[0];
  const windows = store.sessions.flatMap((session) => store.windowsOf(session));
  const plain: SessionSnapshot = {
    sessions: store.sessions.map((session) => sessionRow(server, session)),
    windows: windows.map(windowRow),
    resources: windows.flatMap(({ id, panes }) =>
      panes.flatMap((number) => {
        const pane = server.panes.get(number);
        return pane ? [resourceRow(pane, id, server)] : [];
      }),
    ),
    focused_session: focus?.id ?? 0,
    focused_window: window?.id ?? 0,
    focused_resource: local(window?.panes[0] ?? 0),
  };
  if (server.release.eight) return plain;
  return { ...plain, resources: [...plain.resources, ...agentRows(server)], ...trailingParts(server) };
}

function sessionRow(server: LabServer, session: Session): SessionRow {
  const windows = server.store.windowsOf(session);
  return {
    id: session.id,
    name: session.name,
    active_window: windows[0]?.id ?? null,
    created_at_unix_secs: BigInt(session.createdAtSeconds),
    window_count: windows.length,
    attached_client_count: [...server.connections].filter((one) => one.attachedSession === session.id).length,
  };
}

function windowRow(window: Window): WindowRow {
  const active = window.panes[0];
  return {
    id: window.id,
    session_id: window.sessionId,
    index: window.index,
    name: window.name,
    active_resource: active === undefined ? null : local(active),
    layout: null,
  };
}

function resourceRow({ resource, terminal, shownCwd }: Pane, window: number, server: LabServer): ResourceRow {
  const title = server.release.eight ? null : terminal.screen.title;
  const cwd = shownCwd ?? server.options.cwd;
  return { id: resource, window_id: window, cols: terminal.cols, rows: terminal.rows, title, cwd };
}

/** A resource that is no terminal has no size and no window. */
function agentRows(server: LabServer): ResourceRow[] {
  const nowhere = { window_id: 0, cols: 0, rows: 0, title: null, cwd: null };
  return [...server.agents.values()].map(({ resource }) => ({ id: resource, ...nowhere }));
}

function trailingParts(server: LabServer): Partial<SessionSnapshot> {
  const kept = server.store.sessions.filter((session) => session.keepEmpty);
  const states = [...server.panes.values()]
    .map((pane) => resourceState(server, pane))
    .filter((state) => state !== null);
  const agents = [...server.agents.values()];
  return {
    facets: agents.map(({ resource, parent, provider, nativeId, state }) => ({
      id: resource,
      kind: ResourceKind.agent_session,
      parent: local(parent),
      agent: { provider, native_id: nativeId, state },
    })),
    session_facets: kept.map(({ id }) => ({ id, flags: SessionFlags.keep_empty })),
    extensions: {
      ...(states.length > 0 ? { resource_state: states } : {}),
      ...(server.release.features.includes("event_journal") ? { journal_head: server.hub.head } : {}),
    },
  };
}

/** Null for a pane of which there is nothing to say: running, unheld, unwatched. */
function resourceState(server: LabServer, pane: Pane): ResourceState | null {
  const { retained, lease, resource } = pane;
  const viewer = [...server.connections].filter((one) => one.viewerOf.has(pane.id)).map((one) => one.id);
  if (!retained && !lease && !pane.frozen && viewer.length === 0) return null;
  return {
    id: resource,
    lifecycle: retained ? Lifecycle.exited : pane.frozen ? Lifecycle.frozen : Lifecycle.running,
    ...(retained
      ? {
          exit: {
            exit_status: retained.exit.status,
            signal: retained.exit.signal,
            reason: retained.reason,
            exited_at_ms: BigInt(retained.atMs),
            retained_until_ms: BigInt(retained.untilMs),
          },
        }
      : {}),
    ...(lease ? { input_holder: lease.holder.id } : {}),
    ...(viewer.length > 0 ? { viewer } : {}),
  };
}
