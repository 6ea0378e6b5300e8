import { DetachReason } from "../wire/enums.ts";
import { type Refusal, refuse } from "./errors.ts";
import type { StreamEnd } from "./socket.ts";
import { fromWireError } from "./wire-error.ts";

/**
 * How a connection ended: the server left without complaint, it was cut off, the server threw us out for a reason that
 * it named, or it sent what is no frame.
 */
export type Ending = "left" | "reset" | "expelled" | "unreadable";

/** A request that got no value: refused by the server, or lost. */
export interface RequestFailure {
  readonly refusal: Refusal;
  /** The wire error's number when the server refused; null when no answer came. */
  readonly wireCode: number | null;
  /** No answer came: the request may or may not have been carried out. */
  readonly lost: boolean;
  /** How the connection ended, when that is why no answer came. */
  readonly ending: Ending | null;
}

/** The connection went without a complaint: the server has left, restarts, or was cut off. Whether it acted is not known. */
export function hasGone({ ending }: RequestFailure): boolean {
  return ending === "left" || ending === "reset";
}

function failure(refusal: Refusal, parts: Partial<RequestFailure> = {}): RequestFailure {
  return { refusal, wireCode: null, lost: false, ending: null, ...parts };
}

export function refused(code: number, message: string, what: string): RequestFailure {
  return failure(fromWireError(code, message, what), { wireCode: code });
}

export function unanswered(what: string, ms: number): RequestFailure {
  return failure(refuse("transport", `no answer to ${what} within ${Math.round(ms / 100) / 10} s`), { lost: true });
}

/** An answer of another kind than the request has: the two sides speak different vocabularies (client.md 1.2). */
export function strangeAnswer(what: string, version: string): RequestFailure {
  const message = `the answer to ${what} means nothing in protocol ${version}, which this client speaks; the server's version may differ`;
  return failure(refuse("transport", message));
}

/** What the server said before the end: the reason of DETACHED, and the text of it or of the ERROR before it. */
export interface LastWords {
  readonly reason: number | null;
  readonly text: string | null;
  /** An ERROR that answers no request came right before: the mark of every fatal end. */
  readonly complaint: boolean;
}

/** Reasons that are nobody's fault: the server stops, or what we looked at is gone. An absent one says nothing. */
const blameless: ReadonlySet<number | null> = new Set([
  null,
  DetachReason.requested,
  DetachReason.server_shutdown,
  DetachReason.session_killed,
]);

export function endingOf(end: StreamEnd, { reason, complaint }: LastWords): Ending {
  if (end.kind === "unreadable") return "unreadable";
  if (complaint || !blameless.has(reason)) return "expelled";
  return end.kind === "broken" ? "reset" : "left";
}

/** What the end of the stream means for a request that is out (client.md 1.2 and 1.5). */
export function lostConnection(end: StreamEnd, what: string, words: LastWords): RequestFailure {
  return failure(refusalOf(end, what, words), { lost: true, ending: endingOf(end, words) });
}

function refusalOf(end: StreamEnd, what: string, { reason, text }: LastWords): Refusal {
  if (end.kind === "unreadable") {
    return refuse("transport", `the server sent a frame that this client cannot read: ${end.error.message}`);
  }
  const why = text ?? (end.kind === "broken" ? end.message : null);
  const because = why === null ? "" : `: ${why}`;
  return reason === DetachReason.protocol_error
    ? refuse("transport", `the server ended the connection during ${what}${because}`)
    : refuse("server_disconnected", `the server closed the connection during ${what}${because}`);
}
