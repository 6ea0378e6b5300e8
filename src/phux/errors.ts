import { type ErrorDocumentCode, errorCodes } from "./error-codes.ts";

/**
 * Why a call could not be answered. With a code it becomes the error document of spec/client.md 0.3; without one
 * it is a sentence, and `remedy` is then empty. `exitCode` is the status the `phux` command line would have used.
 */
export interface Refusal {
  readonly code: ErrorDocumentCode | null;
  readonly message: string;
  readonly remedy: string;
  readonly exitCode: number;
}

/** The failure document, its keys in the order they are written. `schema_version` is 1. */
export interface ErrorDocument {
  readonly schema_version: 1;
  readonly error: { readonly code: ErrorDocumentCode; readonly message: string };
  readonly remedy: string;
  readonly exit_code: number;
}

/**
 * A refusal with a code. `remedy` and `exitCode` default to the code's own (spec/client.md 9.1); a verb that
 * differs passes its own. An empty remedy counts as none, because the document must always name a next step.
 */
export function refuse(code: ErrorDocumentCode, message: string, remedy?: string, exitCode?: number): Refusal {
  const { remedy: usual, exit } = errorCodes[code];
  return { code, message, remedy: remedy || usual, exitCode: exitCode ?? exit };
}

/** A failure that no code covers: the message is the whole answer. */
export function sentence(message: string, exitCode = 1): Refusal {
  return { code: null, message, remedy: "", exitCode };
}

/**
 * The failure of something that was to happen to several panes: the refusals of those that it did not happen to, one line
 * each, and then the others by name. A single refusal keeps its code.
 */
export function refuseInPart(
  refusals: readonly [Refusal, ...Refusal[]],
  done: string,
  panes: readonly string[],
): Refusal {
  const [first, ...others] = refusals;
  const lines = refusals.map(({ message }) => message);
  const rest = panes.length === 0 ? [] : [`${done}: ${panes.join(", ")}`];
  const message = [...lines, ...rest].join("\n");
  return others.length === 0 ? { ...first, message } : sentence(message);
}

/** The document of a refusal that has a code, or null for a sentence. */
export function errorDocument({ code, message, remedy, exitCode }: Refusal): ErrorDocument | null {
  if (code === null) return null;
  return { schema_version: 1, error: { code, message }, remedy, exit_code: exitCode };
}

/** What a caller reads: the document on one line, or the bare sentence. */
export function refusalText(refusal: Refusal): string {
  const document = errorDocument(refusal);
  return document === null ? refusal.message : JSON.stringify(document);
}
