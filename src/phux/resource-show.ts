import type { ResourceId, Scope } from "../wire/frame.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import { AGENT_KEY, parseAgentRecord } from "./agent-record.ts";
import type { Connection } from "./connection.ts";
import type { Refusal } from "./errors.ts";
import type { Inventory } from "./inventory.ts";
import { parseProcessFacts } from "./process-facts.ts";
import type { RequestFailure } from "./request-failure.ts";
import type { FoundResource } from "./resource-target.ts";
import { formatResource } from "./selector.ts";
import { parseTags, TAGS_KEY } from "./tags.ts";

type Members = Readonly<Record<string, unknown>>;

/**
 * Everything the server says of one resource (client.md 4.17). What it refuses to tell is null; only a connection that
 * fails is a refusal of the call.
 */
export async function describeResource(
  connection: Connection,
  { id, inventory }: FoundResource,
): Promise<Result<Members, Refusal>> {
  const isTerminal = inventory.kindOf(id) === "terminal";
  const scope: Scope = { tag: "resource", id };
  const process = isTerminal ? await readProcess(connection, id) : ok(null);
  if (!process.ok) return process;
  const tags = orNull(await connection.metadata(scope, TAGS_KEY), parseTags);
  if (!tags.ok) return tags;
  const agent = isTerminal ? orNull(await connection.metadata(scope, AGENT_KEY), parseAgentRecord) : ok(null);
  if (!agent.ok) return agent;
  return ok({
    schema_version: 1,
    resource: formatResource(id),
    ...facts(id, inventory),
    process: process.value,
    tags: tags.value,
    agent: agent.value,
    agent_session: inventory.agentFacetOf(id),
    unreachable: connection.notices,
  });
}

/** The part of the document that GET_STATE tells. */
function facts(id: ResourceId, inventory: Inventory): Members {
  const row = inventory.find(id);
  const window = row === null ? null : inventory.windowOf(row);
  const session = inventory.snapshot.sessions.find((one) => one.id === window?.session_id);
  const parent = inventory.parentOf(id);
  const state = inventory.stateOf(id);
  return {
    kind: inventory.kindOf(id),
    parent: parent === null ? null : formatResource(parent),
    session: session?.name ?? null,
    title: row?.title ?? null,
    cwd: row?.cwd ?? null,
    lifecycle: inventory.lifecycleOf(id),
    exit: inventory.exitOf(id),
    input_holder: state?.input_holder ?? null,
    viewers: [...(state?.viewer ?? [])].sort((a, b) => a - b),
  };
}

async function readProcess(connection: Connection, terminal: ResourceId) {
  const command = {
    tag: "GET_TERMINAL_STATE",
    terminal_id: terminal,
    include_scrollback: false,
    max_scrollback_lines: 0,
  } as const;
  const answer = await connection.json(command, `reading the state of ${formatResource(terminal)}`);
  // An answer that is no JSON text is a fact not told, like a refusal.
  return !answer.ok && !answer.error.lost ? ok(null) : orNull(answer, parseProcessFacts);
}

/** What a read tells; null when it was refused. */
function orNull<A, B>(read: Result<A, RequestFailure>, parse: (value: A) => B): Result<B | null, Refusal> {
  if (read.ok) return ok(parse(read.value));
  return read.error.wireCode === null ? fail(read.error.refusal) : ok(null);
}
