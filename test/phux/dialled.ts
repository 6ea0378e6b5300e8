// What the tests of the effectful client share: a server for one test, and a connection to it.
import type { Connection } from "../../src/phux/connection.ts";
import type { Deadline } from "../../src/phux/deadline.ts";
import { Dialer } from "../../src/phux/dial.ts";
import type { Refusal } from "../../src/phux/errors.ts";
import type { Result } from "../../src/wire/result.ts";
import { type FakeOptions, FakeServer, type Script } from "./fake-server.ts";

export const never = () => new AbortController().signal;

/** Runs a test against a server of its own, which is gone afterwards. */
export async function withServer(
  options: FakeOptions,
  body: (server: FakeServer) => Promise<void> | void,
): Promise<void> {
  const server = new FakeServer(options);
  try {
    await body(server);
  } finally {
    server.close();
  }
}

export function dial(
  server: FakeServer,
  signal: AbortSignal = never(),
  deadline?: Deadline,
): Promise<Result<Connection, Refusal>> {
  return new Dialer("phux-mcp/test").dial(server.socket, signal, deadline);
}

/** A connection that must come about. */
export async function connected(server: FakeServer, signal?: AbortSignal, deadline?: Deadline): Promise<Connection> {
  const connection = await dial(server, signal, deadline);
  if (!connection.ok) throw new Error(connection.error.message);
  return connection.value;
}

/** A server with this script and a connection to it, both gone afterwards. */
export async function withConnection(
  options: FakeOptions & { readonly script: Script },
  body: (connection: Connection, server: FakeServer) => Promise<void>,
): Promise<void> {
  await withServer(options, async (server) => {
    const connection = await connected(server);
    await body(connection, server);
    connection.close();
  });
}

/** The value of a result that must be one. */
export function valueIn<T>(result: Result<T, unknown>): T {
  if (!result.ok) throw new Error(`a failure: ${JSON.stringify(result.error)}`);
  return result.value;
}

/** The error of a result that must be one. */
export function errorIn<E>(result: Result<unknown, E>): E {
  if (result.ok) throw new Error(`no failure: ${JSON.stringify(result.value)}`);
  return result.error;
}
