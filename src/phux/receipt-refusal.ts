import { type ErrorName, errorName } from "../wire/error-code.ts";
import type { ErrorDocumentCode } from "./error-codes.ts";
import { type Refusal, refuse } from "./errors.ts";
import type { RequestFailure } from "./request-failure.ts";

/** What a verb's refusals mean, by the error that carries them. */
export type Meanings = Readonly<Partial<Record<ErrorName, ErrorDocumentCode>>>;

/**
 * No source says which errors carry the refusals of mail and claims. Ours are those that the neighbours use: 202 for
 * what does not fit, 212 for a condition that does not hold, 200 for a key that belongs to another request (wire.md
 * section 24). Each means one thing a verb.
 */
export const meanings = {
  send: { RESOURCE_EXHAUSTED: "mailbox_full", PRECONDITION_FAILED: "no_such_message" },
  sendKeyed: {
    RESOURCE_EXHAUSTED: "mailbox_full",
    PRECONDITION_FAILED: "no_such_message",
    INVALID_COMMAND: "idempotency_conflict",
  },
  mailbox: {},
  take: { PRECONDITION_FAILED: "claim_held" },
  hold: { PRECONDITION_FAILED: "claim_lost" },
} as const satisfies Readonly<Record<string, Meanings>>;

/** A failed request as the answer of its tool: the code that the error has for this verb, else the one it has for all. */
export function receiptRefusal(failure: RequestFailure, verb: Meanings): Refusal {
  const name = failure.wireCode === null ? null : errorName(failure.wireCode);
  const code = name === null ? undefined : verb[name];
  return code === undefined ? failure.refusal : refuse(code, failure.refusal.message);
}
