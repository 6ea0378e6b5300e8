import { stringifyDocument } from "../phux/json-number.ts";
import type { Budget } from "./budget.ts";
import { shortenList, shortenText } from "./shorten.ts";
import { type Extent, excessOf } from "./shown.ts";
import { isMembers, type Members, recounted, squeeze } from "./squeeze.ts";

/** A part of a document that may lose its oldest content: a list or a text, by the names that lead to it. */
export interface Cut {
  readonly at: readonly string[];
  /** A list whose oldest entry is its last one. */
  readonly newestFirst?: true;
  /** What stands elsewhere is newer than all of it, so that a list may become empty; others keep their newest entry. */
  readonly mayGo?: true;
  /** Lists of positions in that list, which move when entries in front of them go. */
  readonly renumber?: readonly (readonly string[])[];
  /** A text that may be base64, which only makes sense in groups of four. */
  readonly base64?: true;
  /** How to ask for what was cut: one sentence for the model. */
  readonly hint: string;
}

type Path = readonly string[];

/** What the three members that say so cost, without the hint's own length. */
const MARK: Extent = { characters: 120, lines: 3 };
const GENERAL_HINT = "the oldest part was left out: ask for less at a time";
/** A single entry of a list takes at most this share of the whole, so that it does not drive out all the others. */
const ENTRY_SHARE = 4;
/** Below this a text says nothing any more. */
const SHORTEST_TEXT = 16;

/**
 * A document as the text that its host can show whole: as it is when it fits, else with its own lists and texts cut from
 * the oldest on, newest kept, never inside a character, and with `truncated`, `truncated_reason` and `truncated_hint`
 * (tools.md 4.1). `cuts` are taken in order, each only as far as needed; when all of them are not enough, every text and
 * list goes on losing its beginning, so that a result is never an error because it is long.
 */
export function fitDocument(document: Members, cuts: readonly Cut[], budget: Budget): string {
  const whole = stringifyDocument(document);
  if (excessOf(whole, budget) === null) return whole;
  const longestHint = Math.max(GENERAL_HINT.length, ...cuts.map((cut) => cut.hint.length));
  const room: Budget = {
    characters: budget.characters - MARK.characters - longestHint,
    lines: budget.lines - MARK.lines,
  };
  let left = document;
  let text = whole;
  let hint: string | null = null;
  for (const cut of cuts) {
    const excess = excessOf(text, room);
    if (excess === null) break;
    const shorter = applyCut(left, cut, excess, room);
    if (shorter === null) continue;
    hint ??= cut.hint;
    left = shorter;
    text = stringifyDocument(left);
  }
  left = squeezed(left, room);
  const mark = { truncated: true, truncated_reason: "result_limit", truncated_hint: hint ?? GENERAL_HINT };
  return stringifyDocument({ ...left, ...mark });
}

/** Everything in a document made smaller and smaller until it fits, or until nothing gets smaller any more. */
function squeezed(document: Members, room: Budget): Members {
  let left = document;
  for (let most: Extent = room; excessOf(stringifyDocument(left), room) !== null; ) {
    most = { characters: most.characters / 2, lines: most.lines / 2 };
    if (most.characters < SHORTEST_TEXT) break;
    const smaller = squeeze(left, most);
    if (isMembers(smaller)) left = smaller;
  }
  return left;
}

function applyCut(document: Members, cut: Cut, excess: Extent, room: Budget): Members | null {
  const value = valueAt(document, cut.at);
  if (typeof value === "string") {
    const group = cut.base64 === true && /^[A-Za-z0-9+/]*={0,2}$/.test(value) ? 4 : 1;
    const kept = shortenText(value, excess.characters, group);
    return kept === value ? null : withValue(document, cut.at, kept);
  }
  if (!Array.isArray(value) || value.length === 0) return null;
  return applyToList(document, cut, value, excess, room);
}

function applyToList(document: Members, cut: Cut, list: readonly unknown[], excess: Extent, room: Budget) {
  const share: Extent = { characters: room.characters / ENTRY_SHARE, lines: room.lines };
  const ordered = (rows: readonly unknown[]) => (cut.newestFirst === true ? rows.toReversed() : rows);
  const given = ordered(list);
  const entries = given.map((entry) => squeeze(entry, share, cut.at.length + 1));
  const limited = withValue(document, cut.at, ordered(entries));
  const still = entries.every((entry, at) => entry === given[at]) ? excess : excessOf(stringifyDocument(limited), room);
  if (still === null) return limited;
  const most = cut.mayGo === true ? entries.length : entries.length - 1;
  const dropped = Math.min(most, shortenList(entries, cut.at.length, still));
  const shorter = withValue(document, cut.at, ordered(entries.slice(dropped)));
  return (cut.renumber ?? []).reduce((left, at) => renumbered(left, at, dropped), shorter);
}

function renumbered(document: Members, at: Path, dropped: number): Members {
  const positions = valueAt(document, at);
  if (!Array.isArray(positions)) return document;
  const moved = positions.map((position) => Number(position) - dropped).filter((position) => position >= 0);
  return withValue(document, at, moved);
}

function valueAt(document: Members, at: Path): unknown {
  return at.reduce<unknown>((found, name) => (isMembers(found) ? found[name] : undefined), document);
}

/** The document with another value at a place; everything beside the way there is shared, not copied. */
function withValue(document: Members, [name, ...rest]: Path, value: unknown): Members {
  if (name === undefined) return document;
  const member = document[name];
  const replaced = rest.length === 0 ? value : isMembers(member) ? withValue(member, rest, value) : member;
  return recounted(document, { ...document, [name]: replaced });
}
