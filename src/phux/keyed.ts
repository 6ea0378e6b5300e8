import { fail, type Result } from "../wire/result.ts";
import type { Connection } from "./connection.ts";
import { type Refusal, refuse } from "./errors.ts";
import { hasGone, type RequestFailure, refusedHere } from "./request-failure.ts";

/** How to get another connection to the socket of a call. */
export type Redial = () => Promise<Result<Connection, Refusal>>;

/** What it takes to send a request again: the 16 bytes of its key, and another connection. */
export interface Keyed {
  readonly key: Uint8Array;
  readonly redial: Redial;
}

/** What became of a keyed request, and the connection on which the call goes on. */
export interface KeyedAnswer<T> {
  readonly connection: Connection;
  readonly answer: Result<T, RequestFailure>;
}

/**
 * Sends a request that carries a key, and when the connection goes before the answer, once more under the same key: the
 * server then gives the first result without acting again. Only to the same server process, because another one does not
 * know the key and would act a second time (tools.md 10.1, wire.md section 24); for the same reason a later call with a
 * key that is still unsettled is refused there. `keyed` is null for a request that has no key: that one is never repeated.
 */
export async function sendKeyed<T>(
  connection: Connection,
  keyed: Keyed | null,
  send: (connection: Connection) => Promise<Result<T, RequestFailure>>,
): Promise<KeyedAnswer<T>> {
  if (keyed === null) return { connection, answer: await send(connection) };
  const { unsettled } = connection;
  const name = keyed.key.toHex();
  if (unsettled.isOfAnother(name, connection.server)) return { connection, answer: fail(strangerToKey) };
  const sent = await sendTwice(connection, keyed.redial, send);
  if (sent.answer.ok || sent.answer.error.effect === "none") {
    unsettled.settle(name);
    return sent;
  }
  unsettled.keep(name, connection.server);
  const { error } = sent.answer;
  return { ...sent, answer: fail({ ...error, refusal: { ...error.refusal, remedy: REPEAT } }) };
}

async function sendTwice<T>(
  connection: Connection,
  redial: Redial,
  send: (connection: Connection) => Promise<Result<T, RequestFailure>>,
): Promise<KeyedAnswer<T>> {
  const answer = await send(connection);
  if (answer.ok || !hasGone(answer.error)) return { connection, answer };
  const again = await redial();
  // A server that has no id cannot be told from its successor.
  const { id } = connection.server;
  if (!again.ok || again.value.server.id !== id || id === "") return { connection, answer };
  const second = await send(again.value);
  // What was lost before it was sent takes nothing back of what the first try may have done.
  const unsent = !second.ok && second.error.lost && second.error.effect === "none";
  return { connection: again.value, answer: unsent ? answer : second };
}

const REPEAT =
  "it may have been done all the same: repeat it with the same idempotency_key, and it is done once at most";

const strangerToKey = refusedHere(
  refuse(
    "idempotency_conflict",
    "this idempotency_key went to a server process that ended before it answered, and its successor does not know the key: nothing was sent now",
    "look whether it was done, and which ids the panes have now; then use a fresh key",
  ),
);
