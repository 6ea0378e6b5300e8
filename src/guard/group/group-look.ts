/** Icon and colour of a group. Its name is the session's own, which phux keeps. */
import type { Connection } from "../../phux/connection.ts";
import type { Refusal } from "../../phux/errors.ts";
import { parseJsonObject } from "../../phux/json-object.ts";
import type { SessionRow } from "../../wire/frame.ts";
import { fail, ok, type Result } from "../../wire/result.ts";
import { keepValue } from "../kept.ts";
import { changedLook, LOOK_KEY, type Look, parseLook } from "../look.ts";

const GLOBAL = { tag: "global" } as const;
const keyOf = ({ id }: SessionRow) => `${LOOK_KEY}/${id}`;

/** When the session was made, which tells it from an older one that had its number. */
const birthOf = ({ created_at_unix_secs }: SessionRow) => String(created_at_unix_secs);

/** What is kept for the group; nothing for what was kept for another one under its number. */
export async function readGroupLook(connection: Connection, session: SessionRow): Promise<Result<Look, Refusal>> {
  const stored = await connection.metadata(GLOBAL, keyOf(session));
  if (!stored.ok) return stored.error.wireCode === null ? fail(stored.error.refusal) : ok({});
  const isOurs = stored.value !== null && parseJsonObject(stored.value)?.["created"] === birthOf(session);
  if (!isOurs) return ok({});
  const { name: _, ...look } = parseLook(stored.value);
  return ok(look);
}

/** Changes what is given, `""` clearing it; the look that is kept then. */
export async function changeGroupLook(
  connection: Connection,
  session: SessionRow,
  change: { readonly icon?: string | undefined; readonly color?: string | undefined },
): Promise<Result<Look, Refusal>> {
  const before = await readGroupLook(connection, session);
  if (!before.ok || (change.icon === undefined && change.color === undefined)) return before;
  const look = changedLook(before.value, change);
  const value = new TextEncoder().encode(JSON.stringify({ ...look, created: birthOf(session) }));
  const failed = await keepValue(connection, GLOBAL, keyOf(session), value);
  return failed === null ? ok(look) : fail(failed);
}
