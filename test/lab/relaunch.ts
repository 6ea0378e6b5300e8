import type { Command, CommandResult } from "../../src/wire/command.ts";
import { json, noSuchTerminal, refuse } from "./answer.ts";
import { fingerprint } from "./keyed-results.ts";
import { type Pane, type PaneSpec, startPane } from "./pane.ts";
import type { LabServer } from "./server.ts";
import type { Window } from "./store.ts";

type Relaunch = Extract<Command, { tag: "RELAUNCH_RESOURCE" }>;

/** What a pane was started with, remembered under its id beyond its end. */
export type Launch = { readonly spec: PaneSpec; sessionId: number | null };

/**
 * RELAUNCH_RESOURCE, designed (src/phux/relaunch.ts): starts what an exited or lost pane ran, under the same id. A key
 * gives the first result again. The lab resumes no agents.
 */
export function relaunch(server: LabServer, command: Relaunch): CommandResult {
  const id = command.terminal_id;
  if (id.tag === "satellite") return refuse("UNSUPPORTED_SATELLITE_ROUTE", "a relaunch is not relayed");
  const key = command.operation_id;
  const print = fingerprint({ name: "COMMAND", value: { request_id: 0, command } });
  const kept = key && server.relaunchResults.recall(key, print);
  if (kept === "conflict") return refuse("INVALID_COMMAND", "operation id reused with a different command");
  if (kept) return answer(kept, true);
  const old = server.panes.get(id.id);
  const launch = server.launches.get(id.id);
  if (!launch) return noSuchTerminal(id);
  if (old && !old.retained) return refuse("PRECONDITION_FAILED", "the terminal's process has not ended");
  const started = startPane(server, launch.spec, id.id);
  if (!started.ok) return refuse("INTERNAL_ERROR", started.error);
  if (old) old.terminal.close();
  else homeOf(server, launch).panes.push(id.id);
  server.announce(started.value);
  if (key) server.relaunchResults.keep(Uint8Array.from(key), print, launch);
  return answer(launch, false);
}

function answer({ spec }: Launch, replayed: boolean): CommandResult {
  const [command, cwd] = [spec.command ?? null, spec.cwd ?? null];
  return json(JSON.stringify({ schema_version: 1, command, cwd, resumed: false, replayed }));
}

/** The window of a pane that stands in none any more: one of the session that it was in, as far as that is there. */
function homeOf({ store, nowSeconds }: LabServer, { sessionId }: Launch): Window {
  const was = sessionId === null ? undefined : store.session(sessionId);
  const session = was ?? store.focus ?? store.createSession("relaunched", nowSeconds);
  return store.windowsOf(session)[0] ?? store.createWindow(session);
}

/** Notes where a pane stands before it goes. */
export function rememberSession(server: LabServer, pane: Pane): void {
  const launch = server.launches.get(pane.id);
  if (launch) launch.sessionId = server.store.sessionOf(pane.id)?.id ?? null;
}
