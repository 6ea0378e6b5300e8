import { type Refusal, refuse } from "./errors.ts";
import type { StreamEnd } from "./socket.ts";
import { fromWireError } from "./wire-error.ts";

/** A request that got no value: refused by the server, or lost with the connection. */
export interface RequestFailure {
  readonly refusal: Refusal;
  /** The wire error's number when the server refused; null when no answer came. */
  readonly wireCode: number | null;
  /** No answer came: the request may or may not have been carried out. */
  readonly lost: boolean;
  /** It was the end of the connection, not a time limit. */
  readonly closed: boolean;
}

export function refused(code: number, message: string, what: string): RequestFailure {
  return { refusal: fromWireError(code, message, what), wireCode: code, lost: false, closed: false };
}

export function unanswered(what: string, ms: number): RequestFailure {
  const refusal = refuse("transport", `no answer to ${what} within ${ms / 1000} s`);
  return { refusal, wireCode: null, lost: true, closed: false };
}

/** An answer of another kind than the request has: the two sides speak different vocabularies (client.md 1.2). */
export function strangeAnswer(what: string, version: string): RequestFailure {
  const message = `the server answered ${what} in a way that protocol ${version} does not know; its version may differ from ours`;
  return { refusal: refuse("transport", message), wireCode: null, lost: false, closed: false };
}

const PROTOCOL_ERROR = 4;

/**
 * What the end of the stream means for a request that is out (client.md 1.2 and 1.5). `reason` and `text` are those of
 * DETACHED and of the ERROR before it, when they came.
 */
export function lostConnection(
  end: StreamEnd,
  what: string,
  reason: number | null,
  text: string | null,
): RequestFailure {
  const refusal = ((): Refusal => {
    if (end.kind === "unreadable") {
      return refuse("transport", `the server sent a frame that this client cannot read: ${end.error.message}`);
    }
    if (reason === PROTOCOL_ERROR)
      return refuse("transport", `the server ended the connection during ${what}: ${text ?? ""}`);
    const why = text ?? (end.kind === "broken" ? end.message : null);
    return refuse(
      "server_disconnected",
      `the server closed the connection during ${what}${why === null ? "" : `: ${why}`}`,
    );
  })();
  return { refusal, wireCode: null, lost: true, closed: true };
}
