import type { Command, CommandResult } from "../../src/wire/command.ts";
import { CloseReason, nameOf, ReportedAgentState } from "../../src/wire/enums.ts";
import { ErrorCode } from "../../src/wire/error-code.ts";
import type { ResourceId } from "../../src/wire/identity.ts";
import { type AgentSession, append, closeAgentSession, openAgentStream } from "./agent-session.ts";
import { json, noRoute, noSuchTerminal, okay, refuse } from "./answer.ts";
import { reportAsked } from "./asked.ts";
import { attachPane, detachClients } from "./attach.ts";
import type { Call } from "./call.ts";
import { applyInput, routeInput } from "./input.ts";
import { killMany, killOne, killOneIf, signalPane } from "./kill.ts";
import { acquire, releaseInput } from "./lease.ts";
import type { Pane } from "./pane.ts";
import { performanceReport } from "./perf.ts";
import { relaunch } from "./relaunch.ts";
import { getScreen, getTerminalState } from "./screen-commands.ts";
import type { LabServer } from "./server.ts";
import { snapshot } from "./snapshot.ts";

/** Answers a COMMAND. One that the policy holds answers when somebody has decided. */
export async function runCommand(server: LabServer, call: Call, command: Command): Promise<void> {
  if (server.approvals.holds(command)) {
    // The client's later requests do not wait behind a held one.
    void server.approvals.hold(call, command, () => execute(server, call, command));
    return;
  }
  await answer(server, call, command, await execute(server, call, command));
}

async function answer(server: LabServer, call: Call, command: Command, result: CommandResult): Promise<void> {
  if (command.tag === "GET_STATE") {
    for (const { code, message } of server.faults.notices) {
      call.connection.send({ name: "ERROR", value: { code, message } });
    }
  }
  await call.result(result);
  if (command.tag === "SHUTDOWN" && result.tag === "ok") void server.stop();
  if (command.tag === "UPGRADE") server.upgrade();
}

async function execute(server: LabServer, call: Call, command: Command): Promise<CommandResult> {
  switch (command.tag) {
    case "GET_STATE":
      return { tag: "ok_with", value: { tag: "state", state: await state(server, call) } };
    case "KILL_RESOURCES":
    case "CLOSE_TAB_RESOURCES":
      return killMany(server, call.connection, command);
    case "DETACH_CLIENTS":
      return detachClients(server, command.session);
    case "UPGRADE":
    case "SHUTDOWN":
      return okay;
    case "GET_PERF":
      return json(performanceReport(server, command.reset));
    case "OPEN_LISTENER":
      return refuse("INVALID_COMMAND", "this server opens no listeners");
    case "DETACH_RESOURCE":
      return detach(server, call, command.terminal_id);
    case "RELAUNCH_RESOURCE":
      return relaunch(server, command);
    default:
      return onPane(server, call, command);
  }
}

async function state(server: LabServer, call: Call) {
  const own = snapshot(server);
  const fleet = await server.fleet.state();
  for (const message of fleet.unreachable) {
    call.connection.send({ name: "ERROR", value: { code: ErrorCode.SATELLITE_UNREACHABLE, message } });
  }
  const resources = [...own.resources, ...fleet.resources];
  return server.release.eight ? { ...own, resources } : { ...own, resources, hosts: fleet.hosts };
}

function detach(server: LabServer, call: Call, id: ResourceId): CommandResult {
  if (id.tag === "local") call.connection.streams.delete(id.id);
  server.hub.unsubscribe(call.connection, id);
  return okay;
}

type PaneCommand = Exclude<Extract<Command, { terminal_id: ResourceId }>, { tag: "RELAUNCH_RESOURCE" }>;

async function onPane(server: LabServer, call: Call, command: PaneCommand): Promise<CommandResult> {
  const id = command.terminal_id;
  if (id.tag === "satellite") {
    const hint = `${noRoute(id.host)} (check \`phux server --hub\` and the [[satellites]] registry)`;
    return server.fleet.knows(id.host)
      ? server.fleet.relay(id.host, command)
      : refuse("UNSUPPORTED_SATELLITE_ROUTE", hint);
  }
  const agent = server.agents.get(id.id);
  if (agent) return onAgentSession(server, call, agent, command);
  const pane = server.panes.get(id.id);
  if (!pane)
    return command.tag === "KILL_RESOURCE" ? killOne(server, call.connection, null, command) : noSuchTerminal(id);
  return withPane(server, call, pane, command);
}

function onAgentSession(server: LabServer, call: Call, agent: AgentSession, command: PaneCommand): CommandResult {
  switch (command.tag) {
    case "ATTACH_RESOURCE":
      openAgentStream(call.connection, agent, call.connection.id, true);
      return okay;
    case "APPEND_RESOURCE_OUTPUT":
      return append(server, agent, call.connection, command.bytes);
    case "KILL_RESOURCE":
    case "KILL_RESOURCE_IF":
      closeAgentSession(server, agent, CloseReason.killed, { actor: call.connection.actor });
      return okay;
    case "SUBSCRIBE_RESOURCE_EVENTS":
      server.hub.subscribeFiltered(call.connection, agent.resource, command.event_types);
      return okay;
    default:
      return refuse("WRONG_RESOURCE_KIND", `${command.tag} is for terminals`);
  }
}

async function withPane(server: LabServer, call: Call, pane: Pane, command: PaneCommand): Promise<CommandResult> {
  const { connection } = call;
  if (touching.has(command.tag) && connection.id !== pane.spawnedBy) pane.touched = true;
  switch (command.tag) {
    case "GET_SCREEN":
      return getScreen(server, pane, command);
    case "GET_TERMINAL_STATE":
      return getTerminalState(server, pane, command);
    case "ROUTE_INPUT":
      return routeInput(server, pane, connection, command.event);
    case "APPLY_INPUT":
      return applyInput(server, pane, connection, command);
    case "ACQUIRE_INPUT":
      if (connection.viewerOf.has(pane.id)) return refuse("PERMISSION_DENIED", "a viewer takes no lease");
      return acquire(server, pane, connection, command.mode, command.ttl_ms);
    case "RELEASE_INPUT":
      return releaseInput(server, pane, connection);
    case "KILL_RESOURCE":
      return killOne(server, connection, pane, command);
    case "KILL_RESOURCE_IF":
      return killOneIf(server, connection, pane, command);
    case "SIGNAL_TERMINAL":
      return signalPane(server, connection, pane, command);
    case "SUBSCRIBE_RESOURCE_EVENTS":
      server.hub.subscribeFiltered(connection, pane.resource, command.event_types);
      return okay;
    case "ATTACH_RESOURCE":
      return attachPane(server, connection, pane, command.role_policy ?? 0);
    case "DETACH_RESOURCE":
      return okay;
    case "REPORT_ASKED":
      return reportAsked(server, pane, command);
    case "REPORT_AGENT_STATE":
      server.detector.reported(pane, nameOf(ReportedAgentState, command.state) ?? "unknown");
      return okay;
    case "PUT_FILE":
      return server.uploads.put(command);
    case "TRANSCRIBE":
      return refuse("INVALID_COMMAND", "this server transcribes nothing");
    case "APPEND_RESOURCE_OUTPUT":
      return refuse("WRONG_RESOURCE_KIND", "the resource is a terminal");
  }
}

/** What counts as somebody's interest in a pane, for a conditional kill (wire.md 16). */
const touching: ReadonlySet<string> = new Set([
  ...["ATTACH_RESOURCE", "ROUTE_INPUT", "APPLY_INPUT", "ACQUIRE_INPUT", "PUT_FILE", "TRANSCRIBE"],
  ...["SIGNAL_TERMINAL", "GET_SCREEN"],
]);
