import { stringifyDocument } from "../phux/json-number.ts";
import type { Budget } from "./budget.ts";
import { type Excess, shortenList, shortenText } from "./shorten.ts";

/** A part of a document that may lose its oldest content: a list or a text, by the names that lead to it. */
export interface Cut {
  readonly at: readonly string[];
  /** Lists of positions in that list, which move when entries in front of them go. */
  readonly renumber?: readonly (readonly string[])[];
  /** Characters that only make sense in groups of so many, as base64 does in fours. */
  readonly group?: number;
  /** How to ask for what was cut: one sentence for the model. */
  readonly hint: string;
}

type Members = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What the three members that say so cost, without the hint's own length. */
const MARK: Excess = { characters: 120, lines: 3 };
const GENERAL_HINT = "the oldest part was left out: ask for less at a time";
/** A text shorter than this is not worth cutting, and a list keeps its newest entry. */
const SHORTEST_TEXT = 64;
/** Each round shortens the largest part that is left; a document has few large parts. */
const MOST_ROUNDS = 64;

/**
 * A document as the text that its host can show whole: as it is when it fits, else with its own lists and texts cut from
 * the oldest on, newest kept, never inside a character, and with `truncated`, `truncated_reason` and `truncated_hint`
 * (tools.md 4.1). `cuts` are taken in order, each only as far as needed; when all of them are not enough, whatever is
 * largest goes on losing its beginning, so that a result is never an error because it is long.
 */
export function fitDocument(document: Members, cuts: readonly Cut[], budget: Budget): string {
  const whole = stringifyDocument(document);
  if (excessOf(whole, budget) === null) return whole;
  const longestHint = Math.max(GENERAL_HINT.length, ...cuts.map((cut) => cut.hint.length));
  const room: Budget = {
    characters: budget.characters - MARK.characters - longestHint,
    lines: budget.lines - MARK.lines,
  };
  let [left, text, hint] = [document, whole, null as string | null];
  for (const cut of cuts) {
    const excess = excessOf(text, room);
    if (excess === null) break;
    const shorter = applyCut(left, cut, excess);
    if (shorter === null) continue;
    hint ??= cut.hint;
    left = shorter;
    text = stringifyDocument(left);
  }
  left = shortenLargest(left, text, room);
  const mark = { truncated: true, truncated_reason: "result_limit", truncated_hint: hint ?? GENERAL_HINT };
  return stringifyDocument({ ...left, ...mark });
}

function excessOf(text: string, budget: Budget): Excess | null {
  const characters = Math.max(0, text.length - budget.characters);
  const lines = budget.lines === Number.POSITIVE_INFINITY ? 0 : Math.max(0, linesOf(text) - budget.lines);
  return characters === 0 && lines === 0 ? null : { characters, lines };
}

function linesOf(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

function applyCut(document: Members, cut: Cut, excess: Excess): Members | null {
  const value = valueAt(document, cut.at);
  if (typeof value === "string") {
    const kept = shortenText(value, excess.characters, cut.group ?? 1);
    return kept === value ? null : withValue(document, cut.at, kept);
  }
  if (!Array.isArray(value) || value.length === 0) return null;
  const dropped = shortenList(value, cut.at.length, excess);
  if (dropped === 0) return null;
  const shorter = withList(document, cut.at, value.slice(dropped));
  return (cut.renumber ?? []).reduce((left, at) => renumbered(left, at, dropped), shorter);
}

function renumbered(document: Members, at: Path, dropped: number): Members {
  const positions = valueAt(document, at);
  if (!Array.isArray(positions)) return document;
  const moved = positions.map((position) => Number(position) - dropped).filter((position) => position >= 0);
  return withValue(document, at, moved);
}

function shortenLargest(document: Members, text: string, room: Budget): Members {
  let left = document;
  let now = text;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const excess = excessOf(now, room);
    const largest = excess === null ? null : largestIn(left);
    if (excess === null || largest === null) return left;
    const value = valueAt(left, largest);
    if (typeof value === "string") left = withValue(left, largest, shortenText(value, excess.characters, 1));
    else if (Array.isArray(value)) {
      const dropped = Math.min(value.length - 1, shortenList(value, largest.length, excess));
      left = withList(left, largest, value.slice(dropped));
    }
    now = stringifyDocument(left);
  }
  return left;
}

/** The list of several entries, or the text, that takes the most room; null when nothing is left to shorten. */
function largestIn(document: Members): Path | null {
  let most = 0;
  let path: Path | null = null;
  const visit = (value: unknown, at: Path): void => {
    if (typeof value === "string") {
      if (value.length > most && value.length >= SHORTEST_TEXT) [most, path] = [value.length, at];
    } else if (Array.isArray(value)) {
      const size = value.length > 1 ? stringifyDocument(value).length : 0;
      if (size > most) [most, path] = [size, at];
      value.forEach((entry, index) => visit(entry, [...at, index]));
    } else if (isMembers(value)) {
      for (const [name, member] of Object.entries(value)) visit(member, [...at, name]);
    }
  };
  visit(document, []);
  return path;
}

function valueAt(value: unknown, at: Path): unknown {
  let found = value;
  for (const step of at) {
    if (Array.isArray(found) && typeof step === "number") found = found[step];
    else if (isMembers(found)) found = found[step];
    else return undefined;
  }
  return found;
}

/** The document with another value at a place; everything beside the way there is shared, not copied. */
function withValue(document: Members, at: Path, value: unknown): Members {
  const replace = (from: unknown, [step, ...rest]: Path): unknown => {
    if (step === undefined) return value;
    if (Array.isArray(from) && typeof step === "number") return from.with(step, replace(from[step], rest));
    return isMembers(from) ? { ...from, [step]: replace(from[step], rest) } : from;
  };
  const replaced = replace(document, at);
  return isMembers(replaced) ? replaced : document;
}

/** The same for a list; a `count` beside it goes on saying how many entries are returned. */
function withList(document: Members, at: Path, list: readonly unknown[]): Members {
  const counted: Path = [...at.slice(0, -1), "count"];
  const replaced = withValue(document, at, list);
  return typeof valueAt(document, counted) === "number" ? withValue(replaced, counted, list.length) : replaced;
}
