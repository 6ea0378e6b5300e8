import { DetachReason } from "../wire/enums.ts";
import { errorCodes } from "./error-codes.ts";
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
  /** The whole request was handed to the system: only then the server can have read it. */
  readonly sent: boolean;
  /** What may have come of this and of the requests before it on its connection, when no answer says so. */
  readonly effect: Effect;
}

/** What a call may have changed when its answer is missing: nothing, or what it asked for. */
export type Effect = "none" | "possible";

/** The connection went without a complaint: the server has left, restarts, or was cut off. Whether it acted is not known. */
export function hasGone({ ending }: RequestFailure): boolean {
  return ending === "left" || ending === "reset";
}

/**
 * Whether the server ended in good order behind a request that it had whole. A reset is another thing: a Unix socket is
 * reset when its peer goes and leaves unread what was sent.
 */
export function leftBehind({ ending, sent }: RequestFailure): boolean {
  return ending === "left" && sent;
}

function failure(refusal: Refusal, parts: Partial<RequestFailure> = {}): RequestFailure {
  return { refusal, wireCode: null, lost: false, ending: null, sent: true, effect: "none", ...parts };
}

/** A failed connection as a refusal that says whether anything may have been changed. */
export function refuseLost(code: "transport" | "server_disconnected", message: string, effect: Effect): Refusal {
  const usual = code === "transport" ? errorCodes.transport.remedy : "run `phux doctor`";
  return refuse(code, message, `${outlook[effect]}; ${usual}`);
}

const outlook = {
  none: "nothing was changed: the call can be repeated",
  possible: "it may have been done all the same: look at its effect before repeating it",
} as const satisfies Record<Effect, string>;

/** A refusal of our own making: nothing was asked, or the answer was judged to be none. */
export function refusedHere(refusal: Refusal, effect: Effect = "none"): RequestFailure {
  return failure(refusal, { effect });
}

export function refused(code: number, message: string, what: string): RequestFailure {
  return failure(fromWireError(code, message, what), { wireCode: code });
}

export function unanswered(what: string, ms: number, effect: Effect, sent: boolean): RequestFailure {
  const message = `no answer to ${what} within ${Math.round(ms / 100) / 10} s`;
  return failure(refuseLost("transport", message, effect), { lost: true, sent, effect });
}

/** An answer of another kind than the request has: the two sides speak different vocabularies (client.md 1.2). */
export function strangeAnswer(what: string, version: string, effect: Effect): RequestFailure {
  const message = `the answer to ${what} means nothing in protocol ${version}, which this client speaks; the server's version may differ`;
  return failure(refuseLost("transport", message, effect), { effect });
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
export function lostConnection(
  end: StreamEnd,
  what: string,
  words: LastWords,
  effect: Effect,
  sent: boolean,
): RequestFailure {
  return failure(refusalOf(end, what, words, effect), { lost: true, ending: endingOf(end, words), sent, effect });
}

function refusalOf(end: StreamEnd, what: string, { reason, text }: LastWords, effect: Effect): Refusal {
  if (end.kind === "unreadable") {
    const message = `the server sent a frame that this client cannot read: ${end.error.message}`;
    return refuseLost("transport", message, effect);
  }
  const why = text ?? (end.kind === "broken" ? end.message : null);
  const because = why === null ? "" : `: ${why}`;
  return reason === DetachReason.protocol_error
    ? refuseLost("transport", `the server ended the connection during ${what}${because}`, effect)
    : refuseLost("server_disconnected", `the server closed the connection during ${what}${because}`, effect);
}
