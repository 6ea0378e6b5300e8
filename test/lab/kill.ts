import type { Command, CommandResult } from "../../src/wire/command.ts";
import { CloseReason, TerminalSignal } from "../../src/wire/enums.ts";
import type { ResourceId } from "../../src/wire/identity.ts";
import { closeAgentSession } from "./agent-session.ts";
import { json, noSuchTerminal, okay, refuse } from "./answer.ts";
import type { Connection } from "./connection.ts";
import { fingerprint } from "./keyed-results.ts";
import { control, killPanes, type Pane } from "./pane.ts";
import type { LabServer } from "./server.ts";

type Named<T extends Command["tag"]> = Extract<Command, { tag: T }>;
type Keyed = Named<"KILL_RESOURCE" | "KILL_RESOURCES" | "KILL_RESOURCE_IF" | "SIGNAL_TERMINAL">;

/** Runs a command that may carry a key: its second run gives the first result (wire.md 16). 0.8 sees no key. */
function once(server: LabServer, command: Keyed, run: (key: Uint8Array | undefined) => CommandResult): CommandResult {
  const key = server.release.features.includes("keyed_signal") ? command.operation_id : undefined;
  if (!key) return run(undefined);
  const print = fingerprint({ name: "COMMAND", value: { request_id: 0, command } });
  const kept = server.killResults.recall(key, print);
  if (kept === "conflict") return refuse("INVALID_COMMAND", "operation id reused with a different command");
  if (kept) return kept;
  // The key may be a view of a receive buffer.
  const result = run(Uint8Array.from(key));
  if (result.tag !== "error") server.killResults.keep(key, print, result);
  return result;
}

export function killOne(
  server: LabServer,
  by: Connection,
  pane: Pane | null,
  command: Named<"KILL_RESOURCE">,
): CommandResult {
  return once(server, command, (operationId) => {
    if (!pane) return noSuchTerminal(command.terminal_id);
    killPanes(server, [pane], { actor: by.actor, operationId });
    return okay;
  });
}

/** KILL_RESOURCES and CLOSE_TAB_RESOURCES: unknown ids are passed over. */
export function killMany(
  server: LabServer,
  by: Connection,
  command: Named<"KILL_RESOURCES" | "CLOSE_TAB_RESOURCES">,
): CommandResult {
  const found = command.ids.map((id) => (id.tag === "local" ? server.panes.get(id.id) : undefined));
  const panes = found.filter((pane) => pane !== undefined);
  for (const id of command.ids) {
    const agent = id.tag === "local" ? server.agents.get(id.id) : undefined;
    if (agent) closeAgentSession(server, agent, CloseReason.killed, { actor: by.actor });
  }
  if (command.tag === "CLOSE_TAB_RESOURCES") {
    killPanes(server, panes, { actor: by.actor });
    return okay;
  }
  return once(server, command, (operationId) => {
    releaseKeptSessions(server, panes);
    killPanes(server, panes, { actor: by.actor, operationId });
    return operationId ? json(JSON.stringify(outcome(command.ids, found))) : okay;
  });
}

/** Naming every terminal of a keep-empty session ends the session too. */
function releaseKeptSessions(server: LabServer, panes: readonly Pane[]): void {
  const named = new Set(panes.map((pane) => pane.id));
  for (const session of server.store.sessions) {
    const own = server.store.panesOf(session);
    if (own.length > 0 && own.every((id) => named.has(id))) session.keepEmpty = false;
  }
}

function outcome(ids: readonly ResourceId[], found: readonly (Pane | undefined)[]) {
  const text = (id: ResourceId) => (id.tag === "local" ? `@${id.id}` : `${id.host}/@${id.id}`);
  return {
    schema_version: 1,
    killed: ids.filter((_, i) => found[i]).map(text),
    not_found: ids.filter((id, i) => !found[i] && id.tag === "local").map(text),
    failed: ids
      .filter((id) => id.tag === "satellite")
      .map((id) => ({ id: text(id), code: 106, message: "this server is not a federation hub for that host" })),
  };
}

const unattached = 1;

/** KILL_RESOURCE_IF: the checks in the order of wire.md 16. */
export function killOneIf(
  server: LabServer,
  by: Connection,
  pane: Pane,
  command: Named<"KILL_RESOURCE_IF">,
): CommandResult {
  const failed = (message: string) => refuse("PRECONDITION_FAILED", message);
  return once(server, command, (operationId) => {
    const { conditions, instance } = command;
    if ((conditions & ~unattached) !== 0) return refuse("INVALID_COMMAND", `unknown condition ${conditions}`);
    if (conditions & unattached && !instance) return refuse("INVALID_COMMAND", "the condition needs an instance");
    if (instance && Buffer.compare(instance, server.instance) !== 0) return failed("another instance of the server");
    const holds = pane.spawnedBy !== null && !pane.touched;
    if (conditions & unattached && !holds) return failed("somebody has attached or used the terminal");
    killPanes(server, [pane], { actor: by.actor, operationId });
    return okay;
  });
}

/** By TerminalSignal number: what the group gets, and the action that is told. */
const signals: Readonly<Record<number, { readonly sent: NodeJS.Signals; readonly action: number }>> = {
  [TerminalSignal.interrupt]: { sent: "SIGINT", action: 3 },
  [TerminalSignal.freeze]: { sent: "SIGSTOP", action: 4 },
  [TerminalSignal.resume]: { sent: "SIGCONT", action: 5 },
  [TerminalSignal.terminate]: { sent: "SIGTERM", action: 6 },
  [TerminalSignal.kill]: { sent: "SIGKILL", action: 7 },
};

export function signalPane(
  server: LabServer,
  by: Connection,
  pane: Pane,
  command: Named<"SIGNAL_TERMINAL">,
): CommandResult {
  return once(server, command, (operationId) => {
    const signal = signals[command.signal];
    if (!signal || pane.retained) return refuse("INVALID_COMMAND", "the terminal's process has ended");
    pane.terminal.signal(signal.sent);
    if (signal.sent === "SIGSTOP") pane.frozen = true;
    if (signal.sent === "SIGCONT") pane.frozen = false;
    const event = control(pane, signal.action, by);
    server.hub.publish({ terminal: pane.resource, event, actor: by.actor, operationId });
    return okay;
  });
}
