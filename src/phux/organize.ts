import { fail, ok, type Result } from "../wire/result.ts";
import { compareUtf8 } from "./byte-order.ts";
import type { Connection } from "./connection.ts";
import { type Refusal, refuse, sentence } from "./errors.ts";
import { type JsonMembers, parseJsonObject } from "./json-object.ts";

/** What a call changes; null leaves a member as it is, and an empty group clears it. */
export interface Arrangement {
  readonly group: string | null;
  readonly pinned: boolean | null;
  readonly position: number | null;
}

/** Where a session stands in the lists that people see. Nothing else hangs on it. */
export interface OrganizedSession {
  readonly session: string;
  readonly session_id: number;
  readonly group: string | null;
  readonly pinned: boolean;
  /** 0 to 65,535. */
  readonly position: number | null;
}

/** A stored record: our three members as far as they are sound, and whatever others keep beside them. */
type OrganizeRecord = JsonMembers;

const GLOBAL = { tag: "global" } as const;
const LAST_POSITION = 65_535;

/** By the session's id, so that a record survives a rename (client.md 4.10). */
export function organizeKey(session: number): string {
  return `phux.session.organize/v1/${session}`;
}

/**
 * Reads how sessions are organized, all of them for `name` null, sorted by the bytes of their names; with a change it is
 * written to the one session named and read back (client.md 4.10). A session that is not there is a definite miss.
 */
export async function organizeSessions(
  connection: Connection,
  name: string | null,
  change: Arrangement | null,
): Promise<Result<readonly OrganizedSession[], Refusal>> {
  const state = await connection.state();
  if (!state.ok) return fail(state.error.refusal);
  const named = state.value.snapshot.sessions.filter((session) => name === null || session.name === name);
  if (name !== null && named.length === 0) {
    return fail(refuse("no_such_target", `no session is named ${JSON.stringify(name)}`));
  }
  const organized: OrganizedSession[] = [];
  for (const session of named.toSorted((a, b) => compareUtf8(a.name, b.name))) {
    const key = organizeKey(session.id);
    const stored = await connection.metadata(GLOBAL, key);
    if (!stored.ok) return fail(stored.error.refusal);
    const before = stored.value === null ? {} : (parseJsonObject(stored.value) ?? {});
    const record = change === null ? before : changed(before, change);
    const failed = change === null ? null : await writeRecord(connection, key, record);
    if (failed !== null) return fail(failed);
    organized.push({ session: session.name, session_id: session.id, ...shown(record) });
  }
  return ok(organized);
}

/** The record after a change: members at their default are left out, those that we do not know are kept. */
export function changed(before: OrganizeRecord, change: Arrangement): OrganizeRecord {
  const was = shown(before);
  const group = change.group ?? was.group ?? "";
  const position = change.position ?? was.position;
  const { group: _, pinned: __, position: ___, ...others } = before;
  return {
    ...(group !== "" && { group }),
    ...((change.pinned ?? was.pinned) && { pinned: true }),
    ...(position !== null && { position }),
    ...others,
  };
}

function shown({ group, pinned, position }: OrganizeRecord): Pick<OrganizedSession, "group" | "pinned" | "position"> {
  const placed = typeof position === "number" && Number.isInteger(position) && position >= 0;
  return {
    group: typeof group === "string" && group !== "" ? group : null,
    pinned: pinned === true,
    position: placed && position <= LAST_POSITION ? position : null,
  };
}

/** Writes the record, or deletes one that says nothing any more; what is read back must be the same bytes. */
async function writeRecord(connection: Connection, key: string, record: OrganizeRecord): Promise<Refusal | null> {
  const value = Object.keys(record).length === 0 ? null : new TextEncoder().encode(JSON.stringify(record));
  const written =
    value === null ? await connection.deleteMetadata(GLOBAL, key) : await connection.writeMetadata(GLOBAL, key, value);
  if (!written.ok) return written.error.refusal;
  const kept = written.value;
  const holds = value === null || kept === null ? value === kept : Buffer.compare(value, kept) === 0;
  return holds ? null : sentence(`${key} does not hold what was written: somebody else wrote it at the same time`);
}
