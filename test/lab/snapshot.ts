import { Lifecycle, SessionFlags } from "../../src/wire/enums.ts";
import type { ResourceRow, ResourceState, SessionRow, SessionSnapshot, WindowRow } from "../../src/wire/state.ts";
import { local } from "./answer.ts";
import type { Pane } from "./pane.ts";
import type { LabServer } from "./server.ts";
import type { Session, Window } from "./store.ts";

/**
 * What GET_STATE answers, or with a session what ATTACHED says to someone who joins it. The two differ on purpose:
 * ATTACHED has that session in focus and live directories, GET_STATE the directories asked for (recorded 0.8).
 */
export function snapshot(server: LabServer, attached: Session | null = null): SessionSnapshot {
  const { store } = server;
  const focus = attached ?? store.focus;
  const window = focus && store.windowsOf(focus)[0];
  const cwd = (pane: Pane) => (attached ? pane.terminal.cwd : null) ?? pane.askedCwd ?? server.options.cwd;
  const windows = store.sessions.flatMap((session) => store.windowsOf(session));
  const plain: SessionSnapshot = {
    sessions: store.sessions.map((session) => sessionRow(server, session)),
    windows: windows.map(windowRow),
    resources: windows.flatMap(({ id, panes }) =>
      panes.flatMap((number) => {
        const pane = server.panes.get(number);
        return pane ? [resourceRow(pane, id, cwd(pane), server.release.eight)] : [];
      }),
    ),
    focused_session: focus?.id ?? 0,
    focused_window: window?.id ?? 0,
    focused_resource: local(window?.panes[0] ?? 0),
  };
  return server.release.eight ? plain : { ...plain, ...trailingParts(server) };
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

function resourceRow({ resource, terminal }: Pane, window: number, cwd: string, eight: boolean): ResourceRow {
  const title = eight ? null : terminal.screen.title;
  return { id: resource, window_id: window, cols: terminal.cols, rows: terminal.rows, title, cwd };
}

function trailingParts(server: LabServer): Partial<SessionSnapshot> {
  const kept = server.store.sessions.filter((session) => session.keepEmpty);
  const states = [...server.panes.values()].map(resourceState).filter((state) => state !== null);
  return {
    session_facets: kept.map(({ id }) => ({ id, flags: SessionFlags.keep_empty })),
    extensions: {
      ...(states.length > 0 ? { resource_state: states } : {}),
      ...(server.release.features.includes("event_journal") ? { journal_head: server.hub.head } : {}),
    },
  };
}

/** Null for a pane of which there is nothing to say: running, unheld, unwatched. */
function resourceState(pane: Pane): ResourceState | null {
  const { retained, lease, resource } = pane;
  if (!retained && !lease && !pane.frozen) return null;
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
  };
}
