import { type ErrorName, errorName } from "../wire/error-code.ts";
import type { ErrorDocumentCode } from "./error-codes.ts";
import { type Refusal, refuse, sentence } from "./errors.ts";

/** What a server's error is for the caller (spec/client.md 9.2). One that is not here is a sentence. */
const answers: Readonly<Partial<Record<ErrorName, ErrorDocumentCode>>> = {
  VERSION_INCOMPATIBLE: "transport",
  UNKNOWN_MESSAGE_TYPE: "transport",
  MALFORMED_MESSAGE: "transport",
  FRAME_TOO_LARGE: "transport",
  CODEC_UNAVAILABLE: "transport",
  SESSION_NOT_FOUND: "no_such_target",
  WINDOW_NOT_FOUND: "no_such_target",
  TERMINAL_NOT_FOUND: "no_such_target",
  CLIENT_NOT_FOUND: "no_such_target",
  UNSUPPORTED_SATELLITE_ROUTE: "satellite_target",
  SATELLITE_UNREACHABLE: "partial_view",
  PERMISSION_DENIED: "permission_denied",
  UNSAFE_PASTE: "unsafe_paste",
  INPUT_LEASE_HELD: "input_lease_held",
  INPUT_DELIVERY_UNKNOWN: "delivery_unknown",
  CANONICAL_LIMIT_EXCEEDED: "canonical_limit_exceeded",
  INPUT_NOT_WRITTEN: "input_not_written",
  WRONG_RESOURCE_KIND: "wrong_resource_kind",
  NOT_PRODUCER: "not_producer",
  RECORD_INVALID: "record_invalid",
  OVERFLOW: "overflow",
};

/**
 * A server's refusal as ours: the error in words, a colon, and what the server said, after `verb` (the verb and
 * the pane it was for, such as "kill @7"). `message` is passed on unread, because its text differs between
 * releases. Only for an ERROR that answers a request: one without a request id marks the view partial instead.
 */
export function fromWireError(code: number, message: string, verb: string): Refusal {
  const name = errorName(code);
  const words = name === null ? `error ${code}` : name.toLowerCase().replaceAll("_", " ");
  const text = `${verb}: ${words}${message === "" ? "" : `: ${message}`}`;
  const answer = name === null ? undefined : answers[name];
  return answer === undefined ? sentence(text) : refuse(answer, text);
}
