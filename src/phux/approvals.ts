import { hasFeature } from "../wire/capability.ts";
import { ErrorCode } from "../wire/error-code.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import type { Asked } from "./action.ts";
import { compareUtf8 } from "./byte-order.ts";
import type { Connection } from "./connection.ts";
import { type Refusal, refuse, sentence } from "./errors.ts";
import { membersOf, parseJsonObject } from "./json-object.ts";

/** An action that the server holds for a decision, as documents show it: optional members are left out. */
export interface Approval {
  readonly id: string;
  readonly requester: { readonly client: number; readonly credential_id?: string; readonly client_name?: string };
  readonly method: string;
  readonly signal?: string;
  readonly subjects: readonly string[];
  readonly requested_at_ms: number;
  readonly expires_at_ms: number;
}

export type Decision = "approve" | "deny";

const GLOBAL = { tag: "global" } as const;
const RECORD_PREFIX = "phux.approval/v1/";
const DECIDE_PREFIX = "phux.approval.decide/v1/";

/** The refusal of a server that holds nothing; nothing was sent (tools.md 10.2). */
export function requireApprovals(connection: Connection): Refusal | null {
  if (hasFeature(connection.server.capabilities, "approvals")) return null;
  return refuse(
    "server_too_old",
    `the server at ${connection.server.socket} lacks the feature approvals: it holds nothing`,
  );
}

/** What the server holds now, oldest request first (client.md 4.26). What was decided meanwhile is left out. */
export async function readApprovals(connection: Connection): Promise<Result<readonly Approval[], Refusal>> {
  const keys = await connection.metadataKeys(GLOBAL);
  if (!keys.ok) return fail(keys.error.refusal);
  const approvals: Approval[] = [];
  for (const key of keys.value.filter((name) => name.startsWith(RECORD_PREFIX))) {
    const value = await connection.metadata(GLOBAL, key);
    if (!value.ok && value.error.wireCode === null) return fail(value.error.refusal);
    const approval = value.ok ? parseApproval(key.slice(RECORD_PREFIX.length), value.value) : null;
    if (approval !== null) approvals.push(approval);
  }
  return ok(approvals.sort((a, b) => a.requested_at_ms - b.requested_at_ms || compareUtf8(a.id, b.id)));
}

/**
 * Writes a decision and looks whether the record is gone, which says that it was handled. The server refuses an id that
 * is not pending, and the requester's own action (client.md 4.26).
 */
export async function decide(connection: Connection, id: string, decision: Decision): Promise<Result<null, Refusal>> {
  const word = new TextEncoder().encode(decision);
  const write = await connection.writeThenRead(GLOBAL, DECIDE_PREFIX + id, word, RECORD_PREFIX + id);
  if (write.refusal !== null) return fail(refusedDecision(id, decision, write.refusal.refusal, write.refusal.wireCode));
  const { readBack } = write;
  // Who may decide need not be allowed to read.
  if (!readBack.ok) return readBack.error.wireCode === null ? fail(readBack.error.refusal) : ok(null);
  if (readBack.value === null) return ok(null);
  return fail(sentence(`the server still holds ${id}: the decision was not taken`, 2));
}

function refusedDecision(id: string, decision: Decision, refusal: Refusal, wireCode: number | null): Refusal {
  if (wireCode !== ErrorCode.PERMISSION_DENIED) return { ...refusal, exitCode: 2 };
  return refuse(
    "permission_denied",
    `${decision} of ${id} was refused: ${refusal.message}`,
    "read phux_approvals again: it may be decided or expired, and nobody decides an action of their own",
  );
}

/** For each request the record that holds it, or null; no record is given to two of them. */
export function holdsOf(asked: readonly (Asked | null)[], approvals: readonly Approval[]): (Approval | null)[] {
  const free = [...approvals];
  return asked.map((request) => {
    const at = request === null ? -1 : free.findIndex((approval) => isHoldOf(approval, request));
    return at < 0 ? null : (free.splice(at, 1)[0] ?? null);
  });
}

function isHoldOf({ method, subjects }: Approval, asked: Asked): boolean {
  const held = new Set(subjects);
  const wanted = new Set(asked.subjects);
  return method === asked.method && held.symmetricDifference(wanted).size === 0;
}

/** The record under an approval key; null when it is not there or not readable. */
export function parseApproval(id: string, value: Uint8Array | null): Approval | null {
  if (value === null || !/^[0-9a-f]{32}$/.test(id)) return null;
  const record = parseJsonObject(value);
  const requester = membersOf(record?.["requester"]);
  const [client, credential, name] = [requester?.["client"], requester?.["credential_id"], requester?.["client_name"]];
  const [method, signal, subjects] = [record?.["method"], record?.["signal"], record?.["subjects"]];
  const [requested, expires] = [record?.["requested_at_ms"], record?.["expires_at_ms"]];
  if (typeof client !== "number" || typeof method !== "string" || !isTexts(subjects)) return null;
  if (typeof requested !== "number" || typeof expires !== "number") return null;
  return {
    id,
    requester: {
      client,
      ...(typeof credential === "string" && { credential_id: credential }),
      ...(typeof name === "string" && { client_name: name }),
    },
    method,
    ...(typeof signal === "string" && { signal }),
    subjects: subjects.map(subjectText),
    requested_at_ms: requested,
    expires_at_ms: expires,
  };
}

/** The record says `terminal:4` and `terminal:host/4` (wire.md 21.5); a document writes a pane as its selector. */
function subjectText(subject: string): string {
  const [, host = "", id] = /^terminal:(?:(.*)\/)?(\d+)$/s.exec(subject) ?? [];
  if (id === undefined) return subject;
  return host === "" ? `@${id}` : `${host}/@${id}`;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
