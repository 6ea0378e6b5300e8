import { Action } from "../phux/action.ts";
import type { Connection } from "../phux/connection.ts";
import { type Refusal, refusalText } from "../phux/errors.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import type { Call } from "./call.ts";
import type { Document } from "./tool.ts";

/** How many milliseconds a call waits for a server that may be holding what it asked for (tools.md 10.4). */
const GRACE_MS = 2_000;

/** Something dangerous that a call does on a connection of its own. */
export function actionOf(call: Call, connection: Connection): Action {
  return new Action(connection, () => call.connect(connection.server.socket));
}

/**
 * The answer of `send`; or, when the server takes longer than two seconds, the document that says it is pending. The
 * action then goes on behind the call, on the connections that the call opened, and phux_operation_status tells its
 * outcome. Until then a cancel closes them, which withdraws a hold. `send` begins with the first request to the server.
 */
export async function answerOrPending(
  call: Call,
  connection: Connection,
  tool: string,
  send: (action: Action) => Promise<Result<Document, Refusal>>,
): Promise<Result<Document, Refusal>> {
  const action = actionOf(call, connection);
  const work = send(action);
  const inTime = await within(GRACE_MS, work);
  if (inTime !== null || call.signal.aborted) return inTime ?? work;
  const operation = call.operations.admit(tool, action);
  if (operation === null) return work;
  action.leave();
  const close = call.keep();
  const settled = work.then(
    (answer) => (answer.ok ? answer : fail(refusalText(answer.error))),
    (mistake: unknown) => fail(`${tool} failed by a mistake of phux-mcp: ${String(mistake)}`),
  );
  void settled.then((outcome) => call.operations.settle(operation.id, outcome)).finally(close);
  return ok({ schema_version: 1, status: "pending", operation_id: operation.id, tool });
}

/** What the work gives, or null when it takes longer than `ms` milliseconds. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
