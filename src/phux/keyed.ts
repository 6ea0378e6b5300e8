import type { Result } from "../wire/result.ts";
import type { Connection } from "./connection.ts";
import type { Refusal } from "./errors.ts";
import { hasGone, type RequestFailure } from "./request-failure.ts";

/** How to get another connection to the socket of a call. */
export type Redial = () => Promise<Result<Connection, Refusal>>;

/** What became of a keyed request, and the connection on which the call goes on. */
export interface KeyedAnswer<T> {
  readonly connection: Connection;
  readonly answer: Result<T, RequestFailure>;
}

/**
 * Sends a request that carries a key, and when the connection goes before the answer, once more under the same key: the
 * server then gives the first result without acting again. Only to the same server process, because another one does not
 * know the key and would act a second time (tools.md 10.1, wire.md section 24). `redial` is null for a request that has
 * no key: that one is never repeated.
 */
export async function sendKeyed<T>(
  connection: Connection,
  redial: Redial | null,
  send: (connection: Connection) => Promise<Result<T, RequestFailure>>,
): Promise<KeyedAnswer<T>> {
  const answer = await send(connection);
  if (redial === null || answer.ok || !hasGone(answer.error)) return { connection, answer };
  const again = await redial();
  if (!again.ok || again.value.server.id !== connection.server.id) return { connection, answer };
  return { connection: again.value, answer: await send(again.value) };
}
