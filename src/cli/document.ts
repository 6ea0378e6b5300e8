import { beginningOf } from "../text/character.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import { type CommandOutcome, STDERR_CAP, STDOUT_CAP } from "./run.ts";

/** What a tool knows about the command it ran (spec tools.md 9). */
export interface Expectation {
  /** The command in the user's words, such as `phux agent wait`. */
  readonly verb: string;
  /** Exits besides 0 whose document on stdout is an answer. `any` is every exit. */
  readonly answerExits: ReadonlySet<number> | "any";
  readonly deadlineMs: number;
  /** What to do when it prints more than is taken, as the second half of a sentence. */
  readonly instead: string;
}

/** One JSON document, an object or a list, as the command printed it. */
export interface CommandDocument {
  /** Its own text without surrounding white space: a number beyond 2^53 is still whole here. */
  readonly text: string;
  /** The same parsed, where such a number is rounded. */
  readonly value: unknown;
  readonly exitCode: number;
}

/** The error document of a failed command (spec tools.md 11), as far as it carries the members. */
export interface ErrorDocument {
  readonly code: string;
  readonly message: string | null;
  readonly remedy: string | null;
  readonly exitCode: number | null;
}

/**
 * Why there is no answer. `document`: the command says so itself, and `text` is its whole stderr, which ends in the
 * error document. `sentence`: the command's own prose, or ours where it left none.
 */
export type CommandFailure =
  | { readonly kind: "document"; readonly text: string; readonly document: ErrorDocument }
  | { readonly kind: "sentence"; readonly message: string };

// Room for a glance at what a command printed, in a sentence that a model reads whole.
const QUOTED_CHARACTERS = 2_000;

/** The document of a command that answers in JSON, or why there is none. Any bytes give one of the two. */
export function readDocument(outcome: CommandOutcome, expected: Expectation): Result<CommandDocument, CommandFailure> {
  const cut = cutShort(outcome, expected);
  if (cut !== null) return fail(cut);

  const { exitCode } = outcome;
  const text = decode(outcome.stdout);
  const answers = exitCode === 0 || (exitCode !== null && text !== "" && isAnswer(exitCode, expected));
  if (!answers || exitCode === null) return fail(failureOf(outcome, expected));

  const parsed = parseDocument(text);
  if (parsed.ok) return ok({ text, value: parsed.value, exitCode });

  // A command that failed with an error document says more than the remains on its stdout.
  const failure = exitCode === 0 ? null : failureOf(outcome, expected);
  if (failure?.kind === "document") return fail(failure);
  return fail(malformed(outcome, expected, parsed.error));
}

/** The text on stdout of a command that answers in a format of its own, trimmed, or why there is none. Exit 0 alone. */
export function readText(
  outcome: CommandOutcome,
  expected: Pick<Expectation, "verb" | "deadlineMs" | "instead">,
): Result<string, CommandFailure> {
  const cut = cutShort(outcome, expected);
  if (cut !== null) return fail(cut);
  return outcome.exitCode === 0 ? ok(decode(outcome.stdout)) : fail(failureOf(outcome, expected));
}

/** A failure for an accepted exit whose stdout is not what was expected; `fault` says what is wrong with it. */
export function malformed(outcome: CommandOutcome, { verb }: Pick<Expectation, "verb">, fault: string): CommandFailure {
  const stdout = decode(outcome.stdout);
  const stderr = decode(outcome.stderr);
  const printed = stdout === "" ? "" : ` stdout: ${quote(stdout)}.`;
  const said = stderr === "" ? "" : ` stderr: ${quote(stderr)}.`;
  return sentence(`\`${verb}\` ${endOf(outcome)}, but ${fault}.${printed}${said}`);
}

/** A command that we ended: its exit status says nothing. Null when it ended by itself. */
function cutShort(
  outcome: CommandOutcome,
  { verb, deadlineMs, instead }: Pick<Expectation, "verb" | "deadlineMs" | "instead">,
): CommandFailure | null {
  switch (outcome.ended) {
    case "exited":
      return null;
    case "aborted":
      return sentence(`\`${verb}\` was cancelled and ended.`);
    case "stdout_cap":
      return sentence(passedCap(verb, "stdout", STDOUT_CAP, instead));
    case "stderr_cap":
      return sentence(passedCap(verb, "stderr", STDERR_CAP, instead));
    case "deadline":
      return sentence(
        `\`${verb}\` gave no answer within ${deadlineMs / 1000} s and was ended. What it had already done stays done: look before asking again.`,
      );
  }
}

function passedCap(verb: string, pipe: string, cap: number, instead: string): string {
  return `\`${verb}\` printed more than ${cap} bytes on ${pipe}, which is the most this tool takes. It was ended, and nothing of its output is kept: ${instead}.`;
}

function isAnswer(exitCode: number, { answerExits }: Expectation): boolean {
  return answerExits === "any" || answerExits.has(exitCode);
}

/** What a command that ended by itself, without an answer, says about it: its stderr, whatever its form. */
function failureOf(outcome: CommandOutcome, { verb }: Pick<Expectation, "verb">): CommandFailure {
  const stderr = decode(outcome.stderr);
  const document = errorDocument(stderr);
  if (document !== null) return { kind: "document", text: stderr, document };
  // Older releases print prose: no code is read into it.
  if (stderr !== "") return sentence(stderr);
  const stdout = decode(outcome.stdout);
  const printed = stdout === "" ? "" : ` stdout: ${quote(stdout)}.`;
  return sentence(`\`${verb}\` ${endOf(outcome)} and said nothing on stderr.${printed}`);
}

function endOf({ exitCode, signal }: CommandOutcome): string {
  if (exitCode !== null) return `ended with exit status ${exitCode}`;
  return signal === null ? "ended" : `was ended by signal ${signal}`;
}

/** The error document that the last line is, if it is one: plain warnings may stand before it. */
function errorDocument(stderr: string): ErrorDocument | null {
  const parsed = parseDocument(stderr.slice(stderr.lastIndexOf("\n") + 1));
  if (!parsed.ok || !isRecord(parsed.value)) return null;
  const { error, remedy, exit_code: exitCode } = parsed.value;
  if (!isRecord(error)) return null;
  const { code, message } = error;
  if (typeof code !== "string") return null;
  return {
    code,
    message: stringOrNull(message),
    remedy: stringOrNull(remedy),
    exitCode: typeof exitCode === "number" ? exitCode : null,
  };
}

/** Parses text as one object or list. The error says what is wrong with it, as the second half of a sentence. */
function parseDocument(text: string): Result<unknown, string> {
  if (text === "") return fail("there is no JSON document on stdout");
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return ok(value);
    return fail("stdout is a single JSON value, not a document");
  } catch (error) {
    const rest = afterDocument(text);
    if (rest !== null) return fail(`its JSON document is followed by other text: ${quote(rest)}`);
    return fail(`stdout is not a JSON document (${error instanceof Error ? error.message : String(error)})`);
  }
}

/** What stands after a complete document at the beginning of `text`; null when there is no such document. */
function afterDocument(text: string): string | null {
  const end = endOfBrackets(text);
  if (end === null) return null;
  try {
    JSON.parse(text.slice(0, end));
    return text.slice(end).trim();
  } catch {
    return null;
  }
}

/** The place behind the bracket that closes the one `text` begins with; strings are stepped over. */
function endOfBrackets(text: string): number | null {
  if (text[0] !== "{" && text[0] !== "[") return null;
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === '"') inString = !inString;
    else if (inString) index += character === "\\" ? 1 : 0;
    else if (character === "{" || character === "[") depth++;
    else if (character === "}" || character === "]") depth--;
    if (depth === 0) return index + 1;
  }
  return null;
}

/** A glance at a text: JSON-quoted, so that no control character of it gets loose. */
function quote(text: string): string {
  if (text.length <= QUOTED_CHARACTERS) return JSON.stringify(text);
  return `${JSON.stringify(beginningOf(text, QUOTED_CHARACTERS).toWellFormed())} and ${text.length - QUOTED_CHARACTERS} characters more`;
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).trim();
}

function sentence(message: string): CommandFailure {
  return { kind: "sentence", message };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function stringOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
