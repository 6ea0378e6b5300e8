import type { CommandResult } from "../../src/wire/command.ts";
import { InputMode, RolePolicy } from "../../src/wire/enums.ts";
import { ErrorCode, type ErrorName } from "../../src/wire/error-code.ts";
import type { FrameValue } from "../../src/wire/frame.ts";
import type { AttachTarget, ViewportInfo } from "../../src/wire/resource.ts";
import { json, okay, refuse } from "./answer.ts";
import type { Connection } from "./connection.ts";
import { acquire } from "./lease.ts";
import { control, type Pane, plainSpec, startPane } from "./pane.ts";
import type { LabServer } from "./server.ts";
import { snapshot } from "./snapshot.ts";
import type { Session } from "./store.ts";
import { openStream } from "./streams.ts";

/** ATTACH_RESOURCE: the output of one pane, its size left alone. */
export async function attachPane(
  server: LabServer,
  connection: Connection,
  pane: Pane,
  role: number,
): Promise<CommandResult> {
  const refusal = takeRole(server, connection, pane, role);
  if (refusal) return refusal;
  await openStream(connection, pane, connection.id, true);
  return okay;
}

/** The role byte (0.9, wire.md 18.2); 0.8 does not read it. */
function takeRole(server: LabServer, connection: Connection, pane: Pane, role: number): CommandResult | null {
  if (!server.release.features.includes("attach_roles")) return null;
  if (role > RolePolicy.deliberate) return refuse("INVALID_COMMAND", `undefined role policy ${role}`);
  const wasViewer = connection.viewerOf.has(pane.id);
  if (role === RolePolicy.viewer) connection.viewerOf.add(pane.id);
  else connection.viewerOf.delete(pane.id);
  if (wasViewer !== (role === RolePolicy.viewer)) {
    server.hub.publish({ terminal: pane.resource, event: control(pane, 10, connection), actor: connection.actor });
  }
  if (role === RolePolicy.deliberate) acquire(server, pane, connection, InputMode.seize, 0);
  return null;
}

/** ATTACH: joins a session. Every refusal is an ERROR without a request id, and only a zero id is fatal (recorded 0.8). */
export async function attach(
  server: LabServer,
  connection: Connection,
  { attach_id, target, viewport, role_policy = 0 }: FrameValue<"ATTACH">,
): Promise<void> {
  const notice = (code: ErrorName, message: string) =>
    connection.send({ name: "ERROR", value: { code: ErrorCode[code], message } });
  if (attach_id === 0) return connection.fatal("MALFORMED_MESSAGE", "ATTACH attach_id must be nonzero");
  if (connection.attachIds.has(attach_id)) {
    return notice("MALFORMED_MESSAGE", `ATTACH attach_id ${attach_id} was already used on this connection`);
  }
  connection.attachIds.add(attach_id);
  server.markAttached();
  const found = findSession(server, target);
  if (typeof found === "string") return notice("SESSION_NOT_FOUND", found);
  if (!server.release.eight && role_policy > RolePolicy.deliberate) {
    return notice("MALFORMED_MESSAGE", `undefined role policy ${role_policy}`);
  }
  connection.attachedSession = found.id;
  server.store.focusOn(found);
  // GET_STATE does not follow a cd, but an ATTACH brings the rows of every pane up to date (recorded 0.8).
  for (const pane of server.panes.values()) pane.shownCwd = pane.terminal.cwd ?? pane.shownCwd;
  const panes = server.store
    .panesOf(found)
    .map((id) => server.panes.get(id))
    .filter((pane) => pane !== undefined);
  for (const pane of panes) {
    takeRole(server, connection, pane, role_policy);
    if (connection.id !== pane.spawnedBy) pane.touched = true;
  }
  resizeAttached(server, connection, viewport);
  const view = { snapshot: snapshot(server), initial_client_id: connection.id, attach_id };
  connection.send({ name: "ATTACHED", value: view });
  for (const pane of panes) await openStream(connection, pane, attach_id + 1, true);
  connection.send({ name: "ATTACH_READY", value: { attach_id } });
}

/** The size of an attached client's window is that of its session's panes. One without a size casts no vote. */
export function resizeAttached(server: LabServer, { attachedSession }: Connection, { cols, rows }: ViewportInfo): void {
  const session = attachedSession === null ? undefined : server.store.session(attachedSession);
  if (!session || cols === 0 || rows === 0) return;
  for (const id of server.store.panesOf(session)) server.panes.get(id)?.terminal.resize(cols, rows);
}

function findSession(server: LabServer, target: AttachTarget): Session | string {
  const { store } = server;
  switch (target.tag) {
    case "last":
      return store.focus ?? "no prior session activity: there is nothing to attach to";
    case "by_name":
      return store.sessionNamed(target.name) ?? `session "${target.name}" not found`;
    case "by_id":
      return store.session(target.session_id) ?? `session ${target.session_id} not found`;
    case "create_if_missing": {
      const known = store.sessionNamed(target.name);
      if (known) return known;
      const spec = { ...plainSpec, command: target.command ?? undefined, cwd: target.cwd ?? undefined };
      const started = startPane(server, spec);
      if (!started.ok) return started.error;
      return server.openSession(target.name, started.value);
    }
  }
}

/** DETACH_CLIENTS: sweeps those who joined a session. On 0.8 an unknown session is simply nobody. */
export function detachClients(server: LabServer, name: string | null): CommandResult {
  const session = name === null ? null : server.store.sessionNamed(name);
  if (session === undefined) {
    return server.release.eight ? json("0") : refuse("SESSION_NOT_FOUND", `session "${name}" not found`);
  }
  const swept = [...server.connections].filter(({ attachedSession }) =>
    session === null ? attachedSession !== null : attachedSession === session.id,
  );
  for (const connection of swept) connection.end(0, "detached by `phux detach`");
  return json(String(swept.length));
}
