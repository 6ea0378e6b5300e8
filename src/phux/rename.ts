import { fail, ok, type Result } from "../wire/result.ts";
import type { Connection } from "./connection.ts";
import { type Refusal, refuse, sentence } from "./errors.ts";

const NAME_KEY = "phux.session.name/v1";

/** Every refusal of a rename is about what was asked: exit 2 (tools.md 21). */
const REFUSED = 2;

/**
 * Gives a session another name, which must be one that a selector can reach, and makes sure by the session's id that it
 * took (client.md 4.20). The server does not answer the order itself, so the state after it decides.
 */
export async function renameSession(connection: Connection, from: string, to: string): Promise<Result<null, Refusal>> {
  const before = await connection.state();
  if (!before.ok) return fail(before.error.refusal);
  const { sessions } = before.value.snapshot;
  const session = sessions.find(({ name }) => name === from);
  const [old, wanted] = [from, to].map((name) => JSON.stringify(name));
  if (session === undefined) return fail(refuse("no_such_target", `no session is named ${old}`, undefined, REFUSED));
  if (from === to) return ok(null);
  if (sessions.some(({ name }) => name === to)) {
    return fail(refuse("session_exists", `another session is named ${wanted}`, undefined, REFUSED));
  }
  const value = new TextEncoder().encode(`${from}\0${to}`);
  const order = (request_id: number) =>
    ({ name: "SET_METADATA", value: { request_id, scope: { tag: "global" }, key: NAME_KEY, value } }) as const;
  const [refused, after] = await connection.prove(order, `renaming ${old}`, () => connection.state());
  if (refused !== null) return fail(refused.refusal);
  if (!after.ok) return fail(after.error.refusal);
  const now = after.value.snapshot.sessions.find(({ id }) => id === session.id)?.name;
  if (now === to) return ok(null);
  if (now === undefined) return fail(sentence(`the session ${old} ended meanwhile`));
  if (now !== from) return fail(sentence(`the session ${old} is now ${JSON.stringify(now)}: somebody else renamed it`));
  return fail(sentence(`the server kept the name ${old}; perhaps ${wanted} was taken meanwhile`));
}
