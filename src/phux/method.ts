/** What a scoped credential must hold to use a method (client.md 4.0 and 4.19). */
export type Verb = "INVENTORY" | "OBSERVE" | "CREATE" | "BIND" | "INPUT" | "SIGNAL";

/** The facet of a resource that a method belongs to. */
export type Facet = "substrate" | "terminal" | "agent_session";

export interface Method {
  readonly name: string;
  readonly facet: Facet;
  readonly verbs: readonly Verb[];
  /** It ends, signals or ejects something that a person may be using (tools.md 6.2). */
  readonly dangerous: boolean;
  /** It starts a program. */
  readonly starts: boolean;
  /** The server feature that must be advertised before it is sent. */
  readonly gate: string | null;
}

interface Traits {
  readonly dangerous?: boolean;
  readonly starts?: boolean;
  readonly gate?: string;
}

function method(facet: Facet, name: string, verbs: readonly Verb[], traits: Traits = {}): Method {
  return {
    name,
    facet,
    verbs,
    dangerous: traits.dangerous ?? false,
    starts: traits.starts ?? false,
    gate: traits.gate ?? null,
  };
}

/**
 * Every method a tool can send, once: from this table come a tool's hints (tools.md 6.2) and the catalogue that
 * phux_resource_methods reports (client.md 4.19).
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
  GET_SCREEN: method("terminal", "GET_SCREEN", ["OBSERVE"]),
  ROUTE_INPUT: method("terminal", "ROUTE_INPUT", ["INPUT"]),
  SIGNAL_TERMINAL: method("terminal", "SIGNAL_TERMINAL", ["SIGNAL"], { dangerous: true }),
} as const satisfies Record<string, Method>;

export type MethodName = keyof typeof methods;

/** A method changes something when it needs any verb beyond looking. */
export function isMutating(method: Method): boolean {
  return method.verbs.some((verb) => verb !== "INVENTORY" && verb !== "OBSERVE");
}
