import { randomBytes } from "node:crypto";
import type { Connection } from "../../../src/phux/connection.ts";
import type { Deadline } from "../../../src/phux/deadline.ts";
import { refuse } from "../../../src/phux/errors.ts";
import { sendKeyed } from "../../../src/phux/keyed.ts";
import type { RequestFailure } from "../../../src/phux/request-failure.ts";
import { formatResource } from "../../../src/phux/selector.ts";
import { inputBatchBytes } from "../../../src/wire/command.ts";
import { ErrorCode } from "../../../src/wire/error-code.ts";
import type { InputEvent, ResourceId } from "../../../src/wire/frame.ts";
import { limits } from "../../../src/wire/limits.ts";
import { fail, ok, type Result } from "../../../src/wire/result.ts";
import type { Call } from "./call.ts";
import { type CliRefusal, refuseCli } from "./refusal.ts";

/** A batch that the terminal took. */
export interface Delivered {
  readonly operation_id: string;
  readonly attempts: number;
  readonly ms: number;
  /** The connection that is left: another than before, when that one broke. */
  readonly connection: Connection;
}

/** A batch that did not arrive: whether the server would not have it, could not write it, or nobody knows. */
export interface Undelivered {
  readonly fate: "refused" | "not_written" | "unknown";
  readonly refusal: CliRefusal;
}

/** A saturated terminal is tried so often, with such pauses: the same id does nothing twice (wire.md 14.2). */
const MOST_ATTEMPTS = 3;
const PAUSE_MS = 100;

/** Types a batch as one acknowledged operation: all of it or nothing, and never twice. */
export async function typeBatch(
  connection: Connection,
  pane: ResourceId,
  events: readonly InputEvent[],
  call: Call,
  deadline: Deadline,
): Promise<Result<Delivered, Undelivered>> {
  const large = refuseLarge(pane, events);
  if (large !== null) return fail({ fate: "refused", refusal: large });
  const operation_id = randomBytes(16);
  const what = `typing into ${formatResource(pane)}`;
  const began = deadline.now();
  let attempts = 0;
  const send = (to: Connection) => {
    attempts++;
    return to.command({ tag: "APPLY_INPUT", operation_id, terminal_id: pane, events }, what);
  };
  const keyed = { key: operation_id, redial: () => call.dial(connection.server.socket, deadline) };
  for (let current = connection; ; ) {
    const { connection: left, answer } = await sendKeyed(current, keyed, send);
    current = left;
    const ms = Math.round(deadline.now() - began);
    if (answer.ok) return ok({ operation_id: operation_id.toString("hex"), attempts, ms, connection: left });
    const failure = undelivered(answer.error);
    if (failure.fate !== "not_written" || attempts >= MOST_ATTEMPTS || deadline.hasPassed()) return fail(failure);
    await deadline.pause(PAUSE_MS);
  }
}

function refuseLarge(pane: ResourceId, events: readonly InputEvent[]): CliRefusal | null {
  const name = formatResource(pane);
  if (events.length > limits.apply_input_events) {
    const most = `${limits.apply_input_events} fit into one batch`;
    return refuse("input_too_large", `${events.length} key strokes for ${name}, and ${most}`);
  }
  const bytes = inputBatchBytes(pane, events);
  if (bytes <= limits.apply_input_body) return null;
  return refuse("input_too_large", `${bytes} bytes for ${name}, and ${limits.apply_input_body} fit into one batch`);
}

function undelivered({ refusal, wireCode, lost }: RequestFailure): Undelivered {
  if (lost) {
    const message = `the connection ended before the answer, so the input may have been typed: ${refusal.message}`;
    return { fate: "unknown", refusal: refuse("delivery_unknown", message) };
  }
  switch (wireCode) {
    case ErrorCode.INPUT_DELIVERY_UNKNOWN:
      return { fate: "unknown", refusal };
    case ErrorCode.RESOURCE_EXHAUSTED:
      return { fate: "not_written", refusal: refuse("input_busy", refusal.message) };
    case ErrorCode.INPUT_NOT_WRITTEN:
    case ErrorCode.TERMINAL_NOT_FOUND:
      return { fate: "not_written", refusal };
    case ErrorCode.INVALID_COMMAND:
      return { fate: "refused", refusal: refuseCli("invalid_input_batch", refusal.message) };
    default:
      return { fate: "refused", refusal };
  }
}
