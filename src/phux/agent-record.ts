/** Metadata key of a Terminal's agent record (spec/client.md 4.16, spec/wire.md 21.2). */
export const AGENT_KEY = "phux.agent/v1";

export const agentStates = ["unknown", "idle", "working", "blocked", "done"] as const;
export type AgentState = (typeof agentStates)[number];

export const attentions = ["none", "low", "normal", "high"] as const;
export type Attention = (typeof attentions)[number];

/** Who works in a Terminal, in the key order of its document. What was not declared is absent. */
export interface AgentRecord {
  readonly name: string;
  readonly kind?: string;
  readonly state: AgentState;
  readonly attention?: Attention;
  readonly session?: string;
}

/**
 * The record in a stored value, or null: absent, not UTF-8, not JSON, or without a name that shows. State and
 * attention words that nobody defined read as `unknown` and `normal`; a member of another type counts as absent.
 */
export function parseAgentRecord(value: Uint8Array | null): AgentRecord | null {
  const stored = value === null ? null : parseObject(value);
  if (stored === null) return null;
  const [name, kind, state, attention, session] = ["name", "kind", "state", "attention", "session"].map((member) => {
    const text = stored.get(member);
    return typeof text === "string" ? text : undefined;
  });
  if (name === undefined || name.trim() === "") return null;
  return {
    name,
    ...(kind === undefined ? {} : { kind }),
    state: agentStates.find((word) => word === state) ?? "unknown",
    ...(attention === undefined ? {} : { attention: attentions.find((word) => word === attention) ?? "normal" }),
    ...(session === undefined ? {} : { session }),
  };
}

/** The value to store: the whole record, because writers replace and never merge. */
export function encodeAgentRecord({ name, kind, state, attention, session }: AgentRecord): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ name, kind, state, attention, session }));
}

/** Whether two records say the same in every field: a read-back must. */
export function isSameAgentRecord(left: AgentRecord, right: AgentRecord): boolean {
  return (
    left.name === right.name &&
    left.kind === right.kind &&
    left.state === right.state &&
    left.attention === right.attention &&
    left.session === right.session
  );
}

const attentionOf: Readonly<Record<AgentState, Attention>> = {
  blocked: "high",
  working: "normal",
  done: "low",
  unknown: "low",
  idle: "none",
};

/** How much attention the agent asks for: as declared, else what its state calls for. */
export function effectiveAttention({ attention, state }: AgentRecord): Attention {
  return attention ?? attentionOf[state];
}

function parseObject(value: Uint8Array): ReadonlyMap<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(value));
    const isObject = typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
    return isObject ? new Map(Object.entries(parsed)) : null;
  } catch {
    return null;
  }
}
