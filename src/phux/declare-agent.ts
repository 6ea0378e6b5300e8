import type { ResourceId } from "../wire/frame.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import { AGENT_KEY, type AgentRecord, encodeAgentRecord, isSameAgentRecord, parseAgentRecord } from "./agent-record.ts";
import type { Connection } from "./connection.ts";
import { type Refusal, sentence } from "./errors.ts";
import { formatResource } from "./selector.ts";

const scopeOf = (id: ResourceId) => ({ tag: "resource", id }) as const;

/**
 * Writes a pane's whole agent record, in place of whatever it had, and gives the one that is there afterwards, which
 * must be the same (client.md 4.16). Another one means that somebody else wrote at the same time.
 */
export async function declareAgent(
  connection: Connection,
  pane: ResourceId,
  record: AgentRecord,
): Promise<Result<AgentRecord, Refusal>> {
  const stored = await connection.writeMetadata(scopeOf(pane), AGENT_KEY, encodeAgentRecord(record));
  if (!stored.ok) return fail(stored.error.refusal);
  const now = parseAgentRecord(stored.value);
  const name = formatResource(pane);
  if (now === null) return fail(sentence(`the server did not keep the agent record of ${name}`));
  if (isSameAgentRecord(now, record)) return ok(now);
  return fail(sentence(`${name} has another agent record than the one written: somebody else wrote it meanwhile`));
}

/** Deletes a pane's agent record; null when none is left. It is fine when there was none. */
export async function clearAgent(connection: Connection, pane: ResourceId): Promise<Refusal | null> {
  const left = await connection.deleteMetadata(scopeOf(pane), AGENT_KEY);
  if (!left.ok) return left.error.refusal;
  if (left.value === null) return null;
  return sentence(
    `${formatResource(pane)} still has an agent record: somebody, or the server's detection, wrote it anew`,
  );
}
