import type { ResourceId } from "../wire/frame.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import type { Connection, StateView } from "./connection.ts";
import { type Refusal, sentence } from "./errors.ts";
import type { RequestFailure } from "./request-failure.ts";
import { formatResource, type Selector } from "./selector.ts";
import { explicitId, findPanes, type Remarks, requireFeature, selectorOf } from "./target.ts";

/** kill's own exit code for a selector that does not parse (client.md 3.1). */
export const KILL_RULES = { invalidExit: 1 } as const;

const KEEP_EMPTY_KEY = "phux.session.keep_empty/v1";

/**
 * Ends every pane that a selector names (client.md 4.7). `key` are the 16 bytes of an idempotency key, or null. The
 * server's OK says that the kill was accepted, not that the panes are gone.
 */
export async function killPanes(
  connection: Connection,
  target: string,
  key: Uint8Array | null,
  remarks: Remarks,
): Promise<Result<null, Refusal>> {
  const selector = selectorOf(target, KILL_RULES);
  if (!selector.ok) return selector;
  const lacking = key === null ? null : requireFeature(connection, "keyed_signal");
  if (lacking !== null) return fail(lacking);
  // A keyed id is sent unseen, which is what makes a repeat safe after the pane is gone.
  const direct = key === null ? null : explicitId(selector.value);
  if (direct !== null) return killEach(connection, [direct], key);
  const state = await connection.state();
  if (!state.ok) return fail(state.error.refusal);
  const found = await findPanes(connection, target, state.value, remarks, KILL_RULES);
  if (!found.ok) {
    const empty = emptySession(selector.value, state.value);
    return empty === null ? found : removeEmptySession(connection, empty);
  }
  const wholeSession = selector.value.form === "current" || selector.value.form === "session";
  const together = wholeSession || (key !== null && found.value.panes.length > 1);
  return together ? killTogether(connection, found.value.panes, key) : killEach(connection, found.value.panes, key);
}

/** The name of the kept session that a whole-session selector names and that has no pane left. */
function emptySession(selector: Selector, { snapshot }: StateView): string | null {
  const session = snapshot.sessions.find((row) =>
    selector.form === "session"
      ? row.name === selector.session
      : selector.form === "current" && row.id === snapshot.focused_session,
  );
  return session?.name ?? null;
}

async function killTogether(connection: Connection, ids: readonly ResourceId[], key: Uint8Array | null) {
  const what = `killing ${ids.map(formatResource).join(", ")}`;
  const answer = await connection.command(
    { tag: "KILL_RESOURCES", ids, ...(key !== null && { operation_id: key }) },
    what,
  );
  if (!answer.ok) return isEndOfServer(answer.error) ? ok(null) : fail(answer.error.refusal);
  if (answer.value?.tag !== "json") return ok(null);
  const failures = failuresOf(answer.value.json);
  return failures.length === 0 ? ok(null) : fail(sentence(`not every pane was killed: ${failures.join("; ")}`));
}

async function killEach(connection: Connection, ids: readonly ResourceId[], key: Uint8Array | null) {
  const refusals: RequestFailure[] = [];
  for (const id of ids) {
    const command = { tag: "KILL_RESOURCE", terminal_id: id, ...(key !== null && { operation_id: key }) } as const;
    const answer = await connection.command(command, `killing ${formatResource(id)}`);
    if (answer.ok) continue;
    if (isEndOfServer(answer.error)) return ok(null);
    refusals.push(answer.error);
  }
  const [first] = refusals;
  if (first === undefined) return ok(null);
  if (refusals.length === 1) return fail(first.refusal);
  return fail(sentence(refusals.map(({ refusal }) => refusal.message).join("\n")));
}

// Killing the last pane may end the server, so a connection that closes now says that it worked.
function isEndOfServer(failure: RequestFailure): boolean {
  return failure.closed && failure.refusal.code === "server_disconnected";
}

/** The `failed` rows of the answer to a keyed kill, one phrase each. `not_found` is no failure. */
function failuresOf(json: string): string[] {
  const answer: unknown = JSON.parse(json);
  const rows: unknown = typeof answer === "object" && answer !== null && "failed" in answer ? answer.failed : [];
  return Array.isArray(rows) ? rows.map((row: unknown) => JSON.stringify(row)) : [];
}

/** A session that is kept while empty goes when its mark is taken back; the state then shows whether it did. */
async function removeEmptySession(connection: Connection, name: string): Promise<Result<null, Refusal>> {
  const value = new TextEncoder().encode(`${name}\0false`);
  const written = await connection.writeMetadata({ tag: "global" }, KEEP_EMPTY_KEY, value);
  if (!written.ok) return fail(written.error.refusal);
  const state = await connection.state();
  if (!state.ok) return fail(state.error.refusal);
  const stays = state.value.snapshot.sessions.some((session) => session.name === name);
  return stays ? fail(sentence(`the server kept the empty session ${JSON.stringify(name)}`)) : ok(null);
}
