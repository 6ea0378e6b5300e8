import type { ResourceId } from "../wire/frame.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import type { AgentRecord } from "./agent-record.ts";
import type { Inventory } from "./inventory.ts";
import { formatResource } from "./selector.ts";

/** Agent records by selector of their Terminal. Incomplete when any read was refused or failed. */
export interface AgentIndex {
  readonly records: ReadonlyMap<string, AgentRecord>;
  readonly complete: boolean;
}

/** What the caller is about to do with the agent it names. */
export interface AgentPurpose {
  /** It types into the pane or signals it, so a claim that was withdrawn is not good enough. */
  readonly forInput: boolean;
  /** The Terminal alone, or the agent session under it as well. */
  readonly wants: "terminal" | "session";
}

export interface AgentMatch {
  readonly terminal: ResourceId;
  /** The agent session under it, when there is exactly one. */
  readonly agentSession: ResourceId | null;
}

export type AgentFaultReason =
  | "kind_constant"
  | "ambiguous"
  | "partial_index"
  | "unknown"
  | "ambiguous_session"
  | "withdrawn";

/** Why an agent name gives no pane. `candidates` are the Terminals, or the agent sessions, that stand in the way. */
export interface AgentFault {
  readonly reason: AgentFaultReason;
  readonly name: string;
  readonly candidates: readonly ResourceId[];
  /** The one Terminal of that name, where there is one. */
  readonly terminal: ResourceId | null;
}

/**
 * The Terminal whose agent has exactly this name (spec/client.md 3.6, its rules in order). Never a set, and never a
 * choice between several. Records that were not read can only add candidates, so the first two rules stand without
 * them.
 */
export function resolveAgent(
  name: string,
  inventory: Inventory,
  index: AgentIndex,
  { forInput, wants }: AgentPurpose,
): Result<AgentMatch, AgentFault> {
  const bearers = inventory.terminals.flatMap(({ id }) => {
    const record = index.records.get(formatResource(id));
    return record?.name === name ? [{ id, record }] : [];
  });
  const candidates = bearers.map(({ id }) => id);
  const [bearer] = bearers;
  const fault = (reason: AgentFaultReason, listed = candidates, terminal: ResourceId | null = null) =>
    fail({ reason, name, candidates: listed, terminal });

  if (bearers.some(({ record }) => isKind(name, record))) return fault("kind_constant");
  if (bearers.length > 1) return fault("ambiguous");
  if (!index.complete) return fault("partial_index");
  if (bearer === undefined) return fault("unknown");
  const sessions = inventory.agentSessionsOf(bearer.id);
  if (wants === "session" && sessions.length > 1) return fault("ambiguous_session", [...sessions], bearer.id);
  if (forInput && bearer.record.kind !== undefined && bearer.record.state === "unknown") {
    return fault("withdrawn", candidates, bearer.id);
  }
  return ok({ terminal: bearer.id, agentSession: sessions.length === 1 ? (sessions[0] ?? null) : null });
}

/** A name that is the record's kind is what a detector calls every pane of that kind, not an identity. */
function isKind(name: string, { kind }: AgentRecord): boolean {
  // A selectable name is lower-case ASCII already.
  return kind?.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) === name;
}
