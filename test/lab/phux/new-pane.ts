import type { Connection } from "../../../src/phux/connection.ts";
import { Deadline } from "../../../src/phux/deadline.ts";
import { refuse } from "../../../src/phux/errors.ts";
import { Inventory } from "../../../src/phux/inventory.ts";
import { formatResource } from "../../../src/phux/selector.ts";
import type { ResourceId, SpawnError } from "../../../src/wire/frame.ts";
import { fail, ok, type Result } from "../../../src/wire/result.ts";
import { encodeOrigin, type SessionOrigin } from "./launch-plan.ts";
import type { CliRefusal } from "./refusal.ts";

/** A pane to be started. */
export interface NewPane {
  /** Its program; empty for the server's shell. */
  readonly argv: readonly string[];
  readonly cwd: string | null;
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly origin: SessionOrigin | null;
  /** In whose window it is counted; null leaves that to the server. */
  readonly owner: ResourceId | null;
}

/** The only group of the reference server. */
const GROUP = 1;
const ORIGIN_KEY = "phux.agent-session/v1";

/** How a killed pane is looked for (client.md 4.0). */
const GONE_STEP_MS = 20;
const GONE_LAST_MS = 1_000;

/** Starts a pane, drawn nowhere. Every refusal is `spawn_failed`, but a lost connection. */
export async function startPane(connection: Connection, pane: NewPane): Promise<Result<ResourceId, CliRefusal>> {
  const answer = await connection.spawn({
    group: GROUP,
    ...(pane.argv.length > 0 && { command: pane.argv }),
    ...(pane.cwd !== null && { cwd: pane.cwd }),
    ...(pane.env.length > 0 && { env: pane.env }),
    ...(pane.owner !== null && { owner_terminal: pane.owner }),
    ...(pane.origin !== null && { agent_session: encodeOrigin(pane.origin) }),
  });
  if (!answer.ok) {
    const { refusal, wireCode } = answer.error;
    return fail(wireCode === null ? refusal : refuse("spawn_failed", refusal.message));
  }
  const { result } = answer.value;
  return result.tag === "ok" ? ok(result.id) : fail(refuse("spawn_failed", spawnFault(result.error)));
}

function spawnFault(error: SpawnError): string {
  return error.tag === "spawn_failed" ? error.message : `the server refused: ${error.tag.replaceAll("_", " ")}`;
}

/**
 * Makes sure that a pane carries the origin of its agent's session. A server that does not know the field of the spawn
 * gets it by an ordinary write.
 */
export async function confirmOrigin(
  connection: Connection,
  pane: ResourceId,
  origin: SessionOrigin,
): Promise<CliRefusal | null> {
  const scope = { tag: "resource", id: pane } as const;
  const wanted = encodeOrigin(origin);
  const kept = await connection.metadata(scope, ORIGIN_KEY);
  if (!kept.ok) return kept.error.refusal;
  if (kept.value !== null && Buffer.compare(kept.value, wanted) === 0) return null;
  const written = await connection.writeMetadata(scope, ORIGIN_KEY, wanted);
  if (!written.ok) return written.error.refusal;
  if (written.value !== null && Buffer.compare(written.value, wanted) === 0) return null;
  return refuse("spawn_failed", `the server did not keep where the session of ${formatResource(pane)} comes from`);
}

/** The bytes that are stored as a pane's origin, or null. */
export async function storedOrigin(
  connection: Connection,
  pane: ResourceId,
): Promise<Result<Uint8Array | null, CliRefusal>> {
  const value = await connection.metadata({ tag: "resource", id: pane }, ORIGIN_KEY);
  if (value.ok) return value;
  // A refused read is a pane without an origin; a lost connection is the end of the call.
  return value.error.wireCode === null ? fail(value.error.refusal) : ok(null);
}

/** Removes a pane that was started and cannot be used, and says so: none is left behind in silence. */
export async function takeBack(connection: Connection, pane: ResourceId, why: CliRefusal): Promise<CliRefusal> {
  const name = formatResource(pane);
  await connection.command({ tag: "KILL_RESOURCE", terminal_id: pane }, `removing ${name}`);
  const gone = await isGone(connection, pane);
  return gone
    ? refuse("spawn_failed", `${name} was started, and removed again: ${why.message}`)
    : refuse("spawn_failed", `${name} was started and may still be there: ${why.message}`, `end it: phux kill ${name}`);
}

async function isGone(connection: Connection, pane: ResourceId): Promise<boolean> {
  const deadline = new Deadline(GONE_LAST_MS, connection.signal);
  for (;;) {
    const state = await connection.state();
    if (!state.ok) return false;
    if (new Inventory(state.value.snapshot).find(pane) === null) return true;
    if (deadline.hasPassed()) return false;
    await deadline.pause(GONE_STEP_MS);
  }
}
