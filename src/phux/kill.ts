import type { ResourceId } from "../wire/frame.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import type { Action } from "./action.ts";
import type { Connection, StateView } from "./connection.ts";
import { type Refusal, refuse, refuseInPart, sentence } from "./errors.ts";
import { Inventory } from "./inventory.ts";
import { membersOf, parseJsonObject } from "./json-object.ts";
import { leftBehind } from "./request-failure.ts";
import { formatResource, type Selector } from "./selector.ts";
import { explicitId, findPanes, type Remarks, requireFeature, selectorOf } from "./target.ts";
import { fromWireError } from "./wire-error.ts";

/** kill's own exit code for a selector that does not parse (client.md 3.1). */
export const KILL_RULES = { invalidExit: 1 } as const;

const KEEP_EMPTY_KEY = "phux.session.keep_empty/v1";

/** What a kill will send, decided before anything is sent. `key` are the 16 bytes of an idempotency key, or null. */
export type KillPlan =
  | { readonly kind: "together" | "each"; readonly ids: readonly ResourceId[]; readonly key: Uint8Array | null }
  | { readonly kind: "empty session"; readonly session: string };

/** Finds every pane that a selector names, and how to end them (client.md 4.7). */
export async function planKill(
  connection: Connection,
  target: string,
  key: Uint8Array | null,
  remarks: Remarks,
): Promise<Result<KillPlan, Refusal>> {
  const selector = selectorOf(target, KILL_RULES);
  if (!selector.ok) return selector;
  const lacking = key === null ? null : requireFeature(connection, "keyed_signal");
  if (lacking !== null) return fail(lacking);
  // A keyed id is sent unseen, which is what makes a repeat safe after the pane is gone.
  const direct = key === null ? null : explicitId(selector.value);
  if (direct !== null) return ok({ kind: "each", ids: [direct], key });
  const state = await connection.state();
  if (!state.ok) return fail(state.error.refusal);
  const found = await findPanes(connection, target, state.value, remarks, KILL_RULES);
  if (!found.ok) {
    const empty = emptySession(selector.value, state.value);
    return empty === null ? found : ok({ kind: "empty session", session: empty });
  }
  const wholeSession = selector.value.form === "current" || selector.value.form === "session";
  const together = wholeSession || (key !== null && found.value.panes.length > 1);
  return ok({ kind: together ? "together" : "each", ids: found.value.panes, key });
}

/** Carries a plan out. The server's OK says that the kill was accepted, not that the panes are gone. */
export function killPanes(plan: KillPlan, connection: Connection, action: Action): Promise<Result<null, Refusal>> {
  if (plan.kind === "empty session") return removeEmptySession(connection, plan.session);
  return plan.kind === "together" ? killTogether(action, plan.ids, plan.key) : killEach(action, plan.ids, plan.key);
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

async function killTogether(
  action: Action,
  ids: readonly ResourceId[],
  key: Uint8Array | null,
): Promise<Result<null, Refusal>> {
  const what = `killing ${ids.map(formatResource).join(", ")}`;
  const answer = await action.request({ tag: "KILL_RESOURCES", ids, ...(key !== null && { operation_id: key }) }, what);
  // Killing the last pane may end the server, so a connection that closes now without a complaint says that it worked.
  if (!answer.ok) return leftBehind(answer.error) ? ok(null) : fail(answer.error.refusal);
  if (answer.value === null) return ok(null);
  const failures = failedRows(answer.value);
  if (failures === null)
    return fail(sentence(`the answer to ${what} says nothing of what was killed: look with phux_ls`));
  return failures.length === 0 ? ok(null) : fail(sentence(["not every pane was killed", ...failures].join("\n")));
}

async function killEach(
  action: Action,
  ids: readonly ResourceId[],
  key: Uint8Array | null,
): Promise<Result<null, Refusal>> {
  const refusals: Refusal[] = [];
  const ended: string[] = [];
  for (const [at, id] of ids.entries()) {
    const command = { tag: "KILL_RESOURCE", terminal_id: id, ...(key !== null && { operation_id: key }) } as const;
    const answer = await action.request(command, `killing ${formatResource(id)}`);
    if (answer.ok) {
      ended.push(formatResource(id));
      continue;
    }
    if (leftBehind(answer.error)) {
      const spared = await stillListed(action, ids.slice(at + 1));
      if (spared.length > 0) refusals.push(refuseSpared(id, spared));
      break;
    }
    refusals.push(answer.error.refusal);
    // Nothing answers any more, so the others would only wait in vain.
    if (answer.error.lost) break;
  }
  const [first, ...others] = refusals;
  return first === undefined ? ok(null) : fail(refuseInPart([first, ...others], "ended all the same", ended));
}

/** Those that a server at the same socket lists. When none answers, the kill of its last pane was its end. */
async function stillListed(action: Action, ids: readonly ResourceId[]): Promise<readonly ResourceId[]> {
  const again = ids.length === 0 ? null : await action.another();
  const state = again === null ? null : await again.state();
  if (!state?.ok) return [];
  const inventory = new Inventory(state.value.snapshot);
  return ids.filter((id) => inventory.find(id) !== null);
}

function refuseSpared(last: ResourceId, spared: readonly ResourceId[]): Refusal {
  const names = spared.map(formatResource).join(", ");
  return refuse(
    "server_disconnected",
    `the connection ended behind the kill of ${formatResource(last)}; ${names} were not asked to end and are still there`,
    "look with phux_ls which of them are left, then kill those",
  );
}

/**
 * The panes that a keyed kill could not end, one line each, from `{killed, not_found, failed}`; null when the answer is
 * no such document. `not_found` is no failure (wire.md section 16).
 */
function failedRows(json: string): string[] | null {
  const answer = parseJsonObject(json);
  const rows = answer?.["failed"] ?? [];
  if (answer === null || !Array.isArray(rows)) return null;
  return rows.map((row: unknown) => {
    const { id, code, message } = membersOf(row) ?? {};
    const why = typeof message === "string" ? message : "";
    return typeof code === "number" ? fromWireError(code, why, `killing ${String(id)}`).message : JSON.stringify(row);
  });
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
