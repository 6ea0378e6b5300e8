import type { Feature } from "../wire/capability.ts";
import type { AnyFrame } from "../wire/frame.ts";

/** What a scoped credential must hold to use a method (client.md 4.0 and 4.19). */
export type Verb = "INVENTORY" | "OBSERVE" | "CREATE" | "BIND" | "INPUT" | "SIGNAL";

/** The facet of a resource that a method belongs to. */
export type Facet = "substrate" | "terminal" | "agent_session";

export interface Method {
  readonly name: string;
  /** Null for what acts on no single resource, or is no part of the known protocol: not in the catalogue. */
  readonly facet: Facet | null;
  readonly verbs: readonly Verb[];
  /** It ends, signals or ejects something that a person may be using (tools.md 6.2). */
  readonly dangerous: boolean;
  /** It starts a program. */
  readonly starts: boolean;
  /** The server feature that must be advertised before it is sent. */
  readonly gate: Feature | null;
  /** No server has it yet. */
  readonly unimplemented: boolean;
}

interface Traits {
  readonly dangerous?: true;
  readonly starts?: true;
  readonly gate?: Feature;
  readonly unimplemented?: true;
}

function method(facet: Facet | null, name: string, verbs: readonly Verb[], traits: Traits = {}): Method {
  return {
    name,
    facet,
    verbs,
    dangerous: traits.dangerous ?? false,
    starts: traits.starts ?? false,
    gate: traits.gate ?? null,
    unimplemented: traits.unimplemented ?? false,
  };
}

/**
 * Every method, once, in the order of the catalogue that phux_resource_methods reports (client.md 4.19); a tool's hints
 * come from the same rows (tools.md 6.2). Verbs are in the order in which they are shown.
 */
export const methods = {
  SPAWN_RESOURCE: method("substrate", "SPAWN_RESOURCE", ["CREATE", "BIND"], { starts: true }),
  ATTACH_RESOURCE: method("substrate", "ATTACH_RESOURCE", ["OBSERVE", "BIND"]),
  DETACH_RESOURCE: method("substrate", "DETACH_RESOURCE", []),
  KILL_RESOURCE: method("substrate", "KILL_RESOURCE", ["SIGNAL"], { dangerous: true }),
  KILL_RESOURCE_IF: method("substrate", "KILL_RESOURCE_IF", ["SIGNAL"], { dangerous: true, gate: "conditional_kill" }),
  KILL_RESOURCES: method("substrate", "KILL_RESOURCES", ["SIGNAL"], { dangerous: true }),
  CLOSE_TAB_RESOURCES: method("substrate", "CLOSE_TAB_RESOURCES", ["SIGNAL"], {
    dangerous: true,
    gate: "close_tab_resources",
  }),
  SUBSCRIBE_RESOURCE_EVENTS: method("substrate", "SUBSCRIBE_RESOURCE_EVENTS", ["OBSERVE"]),
  SUBSCRIBE_EVENTS: method("substrate", "SUBSCRIBE_EVENTS", ["OBSERVE"]),
  GET_STATE: method("substrate", "GET_STATE", ["INVENTORY"]),
  GET_METADATA: method("substrate", "GET_METADATA", ["OBSERVE"]),
  SET_METADATA: method("substrate", "SET_METADATA", ["CREATE", "BIND", "SIGNAL"]),
  DELETE_METADATA: method("substrate", "DELETE_METADATA", ["BIND"]),
  LIST_METADATA: method("substrate", "LIST_METADATA", ["INVENTORY"]),
  SUBSCRIBE_METADATA: method("substrate", "SUBSCRIBE_METADATA", ["OBSERVE"]),
  INPUT_KEY: method("terminal", "INPUT_KEY", ["INPUT"]),
  INPUT_PASTE: method("terminal", "INPUT_PASTE", ["INPUT"]),
  INPUT_MOUSE: method("terminal", "INPUT_MOUSE", ["INPUT"]),
  INPUT_FOCUS: method("terminal", "INPUT_FOCUS", ["INPUT"]),
  INPUT_RAW: method("terminal", "INPUT_RAW", ["INPUT"], { unimplemented: true }),
  INPUT_TERMINAL_REPLY: method("terminal", "INPUT_TERMINAL_REPLY", ["INPUT"], { gate: "terminal_reply" }),
  RESIZE_TERMINAL: method("terminal", "RESIZE_TERMINAL", ["BIND"]),
  HISTORY_REQUEST: method("terminal", "HISTORY_REQUEST", ["OBSERVE"]),
  FRAME_ACK: method("terminal", "FRAME_ACK", ["OBSERVE"]),
  MOVE_RESOURCE: method("terminal", "MOVE_RESOURCE", ["BIND"], { gate: "move_resource" }),
  GET_SCREEN: method("terminal", "GET_SCREEN", ["OBSERVE"]),
  ROUTE_INPUT: method("terminal", "ROUTE_INPUT", ["INPUT"]),
  APPLY_INPUT: method("terminal", "APPLY_INPUT", ["INPUT"], { gate: "acknowledged_input" }),
  PUT_FILE: method("terminal", "PUT_FILE", ["INPUT"], { gate: "file_upload" }),
  TRANSCRIBE: method("terminal", "TRANSCRIBE", ["INPUT"], { gate: "transcribe" }),
  GET_TERMINAL_STATE: method("terminal", "GET_TERMINAL_STATE", ["INVENTORY"]),
  ACQUIRE_INPUT: method("terminal", "ACQUIRE_INPUT", ["BIND"]),
  RELEASE_INPUT: method("terminal", "RELEASE_INPUT", ["BIND"]),
  SIGNAL_TERMINAL: method("terminal", "SIGNAL_TERMINAL", ["SIGNAL"], { dangerous: true }),
  REPORT_ASKED: method("terminal", "REPORT_ASKED", ["BIND"]),
  REPORT_AGENT_STATE: method("terminal", "REPORT_AGENT_STATE", ["BIND"], { gate: "report_agent_state" }),
  APPEND_RESOURCE_OUTPUT: method("agent_session", "APPEND_RESOURCE_OUTPUT", ["BIND", "INPUT"], {
    gate: "resource_kinds",
  }),
  GET_PERF: method(null, "GET_PERF", ["OBSERVE"], { gate: "get_perf" }),
  // The same frame as a pane's, but what it makes is a log: no program starts.
  OPEN_AGENT_SESSION: method(null, "SPAWN_RESOURCE", ["CREATE", "BIND"]),
  DETACH_CLIENTS: method(null, "DETACH_CLIENTS", ["SIGNAL"], { dangerous: true }),
  // A metadata write that lets a held action run is as dangerous as the action.
  APPROVE: method(null, "SET_METADATA", ["SIGNAL"], { dangerous: true }),
  // Designed: no release has it (wire/designed.ts).
  RELAUNCH_RESOURCE: method(null, "RELAUNCH_RESOURCE", ["CREATE", "BIND"], { starts: true }),
} as const satisfies Record<string, Method>;

export type MethodName = keyof typeof methods;

/** A method changes something when it needs any verb beyond looking. */
export function isMutating(method: Method): boolean {
  return method.verbs.some((verb) => verb !== "INVENTORY" && verb !== "OBSERVE");
}

const byName: ReadonlyMap<string, Method> = new Map(Object.values(methods).map((row) => [row.name, row]));

/** Whether a request changes anything once the server has read it. What the catalogue does not know may. */
export function isAct(frame: AnyFrame): boolean {
  const known = byName.get(frame.name === "COMMAND" ? frame.value.command.tag : frame.name);
  return known === undefined || isMutating(known);
}
