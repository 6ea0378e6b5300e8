import { CloseReason } from "../../src/wire/enums.ts";
import type { ActorRef, ResourceId } from "../../src/wire/identity.ts";
import { fail, ok, type Result } from "../../src/wire/result.ts";
import { PaneActivity } from "./activity.ts";
import { closeChildren } from "./agent-session.ts";
import { local } from "./answer.ts";
import { setAsked } from "./asked.ts";
import type { Connection } from "./connection.ts";
import { rememberSession } from "./relaunch.ts";
import type { LabServer } from "./server.ts";
import { feedStream } from "./streams.ts";
import { type Exit, isDirectory, Terminal } from "./terminal.ts";

/** A pane that has ended and is kept for a while, readable but dead (wire.md 15.1). */
export type Retained = {
  readonly exit: Exit;
  readonly reason: number;
  readonly atMs: number;
  readonly untilMs: number;
};

export type Pane = {
  readonly id: number;
  readonly resource: ResourceId;
  readonly terminal: Terminal;
  readonly activity: PaneActivity;
  /** What GET_STATE shows: the directory asked for, existing or not, until somebody's ATTACH looks at the real one. */
  shownCwd: string | null;
  readonly retainMs: number | null;
  /** For a conditional kill: made by a spawn of this connection, and nobody else has touched it since. */
  readonly spawnedBy: number | null;
  touched: boolean;
  frozen: boolean;
  dying: boolean;
  retained: Retained | null;
  lease: { readonly holder: Connection; expiry: ReturnType<typeof setTimeout> | null } | null;
};

export type PaneSpec = {
  readonly command: readonly string[] | undefined;
  readonly cwd: string | undefined;
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly term: string | undefined;
  readonly size: { readonly cols: number; readonly rows: number } | undefined;
  readonly retainMs: number | null;
  readonly spawnedBy: number | null;
};

export const plainSpec: PaneSpec = {
  ...{ command: undefined, cwd: undefined, env: [], term: undefined },
  ...{ size: undefined, retainMs: null, spawnedBy: null },
};

/**
 * Starts a program in a new pane that stands in no window yet, or under the `id` of one that has ended. The error is the
 * message of a failed spawn.
 */
export function startPane(server: LabServer, spec: PaneSpec, id = server.store.newPaneId()): Result<Pane, string> {
  const { options } = server;
  const resource = local(id);
  const started = Terminal.start(
    {
      command: spec.command?.length ? spec.command : [options.shell],
      // A directory that is not there is replaced in silence (recorded 0.8).
      cwd: spec.cwd !== undefined && isDirectory(spec.cwd) ? spec.cwd : options.home,
      env: {
        ...options.env,
        PHUX_SOCKET: options.socket,
        PHUX_TERMINAL_ID: String(id),
        TERM: spec.term ?? "xterm-256color",
        ...Object.fromEntries(spec.env.map(({ name, value }) => [name, value])),
      },
      cols: spec.size?.cols || 80,
      rows: spec.size?.rows || 24,
      historyRows: options.historyRows,
    },
    {
      output(chunk, notes) {
        server.meter.paneOutput.add(chunk.length);
        for (const connection of server.connections) feedStream(connection, pane, chunk);
        activity.output(notes);
        server.detector.stir(pane);
      },
      exited: (exit) => ended(server, pane, exit),
    },
  );
  if (!started.ok) return fail(started.error);
  const terminal = started.value;
  const activity = new PaneActivity(
    options.home,
    options.idleMs,
    { cwd: () => terminal.cwd, occupant: () => occupant(terminal) },
    {
      publish: (event) => server.hub.publish({ terminal: resource, event }),
      asked: (question) => setAsked(server, pane, question),
    },
  );
  const pane: Pane = {
    ...{ id, resource, terminal, activity, retainMs: spec.retainMs, spawnedBy: spec.spawnedBy },
    shownCwd: spec.cwd ?? null,
    ...{ touched: false, frozen: false, dying: false, retained: null, lease: null },
  };
  server.panes.set(id, pane);
  server.launches.set(id, { spec, sessionId: null });
  return ok(pane);
}

function occupant(terminal: Terminal): { foreground: string; is_pane_shell: boolean } | null {
  const { foreground } = terminal;
  return foreground && { foreground: foreground.name, is_pane_shell: foreground.pgid === terminal.pid };
}

/** How many ended panes a server keeps (client.md 4.8). */
const retainedCap = 256;

/** Its process is gone by itself: the pane goes too, unless it was asked to stay. */
function ended(server: LabServer, pane: Pane, exit: Exit): void {
  if (pane.dying || server.panes.get(pane.id) !== pane) return;
  pane.activity.stop();
  const { retainMs } = pane;
  if (retainMs === null) {
    closePane(server, pane, exit, CloseReason.exited);
    return;
  }
  const kept = [...server.panes.values()].filter(({ retained }) => retained);
  const oldest = kept.sort((a, b) => (a.retained?.atMs ?? 0) - (b.retained?.atMs ?? 0))[0];
  if (oldest?.retained && kept.length >= retainedCap) {
    closePane(server, oldest, oldest.retained.exit, CloseReason.exited);
  }
  const now = Date.now();
  pane.retained = { exit, reason: CloseReason.exited, atMs: now, untilMs: now + retainMs };
  server.hub.publish({ terminal: pane.resource, event: control(pane, 8, null) });
  server.detector.stir(pane);
  server.after(retainMs, () => closePane(server, pane, exit, CloseReason.exited));
}

export type Cause = { readonly actor?: ActorRef | undefined; readonly operationId?: Uint8Array | undefined };

/**
 * Ends panes on purpose. The answer may go out at once; each pane stays listed and readable until the kill window of
 * the release is over (wire.md 16).
 */
export function killPanes(server: LabServer, panes: readonly Pane[], cause: Cause): void {
  for (const pane of panes) {
    if (pane.dying) continue;
    pane.dying = true;
    // What has ended before needs no time to end.
    if (pane.retained) {
      closePane(server, pane, pane.retained.exit, CloseReason.killed, cause);
      continue;
    }
    pane.terminal.hangUp();
    server.after(server.options.killWindowMs, () => {
      closePane(server, pane, { status: null, signal: null }, CloseReason.killed, cause);
    });
  }
}

function closePane(server: LabServer, pane: Pane, exit: Exit, reason: number, cause: Cause = {}): void {
  // Its place may be another's by now: it was started again under the same id.
  if (server.panes.get(pane.id) !== pane) return;
  rememberSession(server, pane);
  server.panes.delete(pane.id);
  server.detector.forget(pane);
  pane.activity.stop();
  if (pane.lease?.expiry) clearTimeout(pane.lease.expiry);
  if (pane.dying) pane.terminal.destroy();
  else {
    pane.terminal.close();
    server.leftBehind.push(...pane.terminal.leftBehind);
  }
  closeChildren(server, pane.id);
  const emptied = server.store.removePane(pane.id);
  tellClosed(server, pane, exit, reason);
  server.approvals.targetGone(pane.resource);
  server.hub.publish({ terminal: pane.resource, event: { tag: "pane_closed", exit_status: exit.status }, ...cause });
  server.metadata.dropScope({ tag: "resource", id: pane.resource });
  if (emptied) server.sessionGone(emptied);
  server.stopIfEmpty();
}

function tellClosed(server: LabServer, pane: Pane, exit: Exit, reason: number): void {
  const newer = server.release.eight ? {} : { reason, ...(exit.signal === null ? {} : { signal: exit.signal }) };
  for (const connection of server.connections) {
    const stream = connection.streams.get(pane.id);
    if (!stream) continue;
    connection.streams.delete(pane.id);
    if (!stream.attached) continue;
    const status = exit.status === null ? {} : { exit_status: exit.status };
    connection.send({ name: "RESOURCE_CLOSED", value: { terminal_id: pane.resource, ...status, ...newer } });
  }
}

/** A terminal_control event: what somebody did to the pane, and how it stands now (wire.md 19.2). */
export function control(pane: Pane, action: number, actor: Connection | null) {
  return {
    tag: "terminal_control",
    lifecycle: pane.retained ? 2 : pane.frozen ? 1 : 0,
    exit_status: pane.retained?.exit.status ?? null,
    input_holder: pane.lease?.holder.id ?? null,
    action,
    actor: actor?.id ?? null,
  } as const;
}
