import type { Budget } from "./budget.ts";
import { newestWithin } from "./newest.ts";
import { endWithin } from "./shorten.ts";
import { type Extent, extentOf, fits, jsonOf, minus, scaled } from "./shown.ts";
import { isMembers, type Members, recounted, squeezeEntry } from "./squeeze.ts";
import { bareDocument, shallow, squeezeDocument } from "./squeeze-document.ts";

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
const MARK: Extent = { characters: 120, bytes: 120, lines: 3 };
/** What the parts that may be cut get at least, when the rest of the document alone would fill it. */
const SHARE_OF_REST = 3 / 4;
/** What an empty list and its count gain when there are entries again. */
const OPENED: Extent = { characters: 12, bytes: 12, lines: 1 };

/**
 * A document as the text that its host can show whole: as it is when it fits, else with its own lists and texts cut from
 * the oldest on, newest kept, never inside a character, and with `truncated`, `truncated_reason` and `truncated_hint`
 * (tools.md 4.1). `cuts` are taken in order, each only as far as needed; when all of them are not enough, every text and
 * list goes on losing its beginning, then objects members, so that a result is never an error because it is long, and
 * never larger than the budget. `general` is the hint where no cut has one.
 */
export function fitDocument(
  document: Members,
  cuts: readonly Cut[],
  budget: Budget,
  general = "the oldest part was left out",
): string {
  const whole = textOf(document);
  if (whole !== null && fits(whole, budget)) return whole;
  const hints = [general, ...cuts.map((cut) => cut.hint)].map((hint) => ({ ...extentOf(hint), lines: 0 }));
  const longest = hints.reduce((a, b) => (b.bytes > a.bytes ? b : a));
  const room = minus(minus(budget, MARK), longest);
  const { left, hint } = applyCuts(limitRest(whole === null ? shallow(document) : document, cuts, room), cuts, room);
  const marked = (rest: Members) =>
    jsonOf({ ...rest, truncated: true, truncated_reason: "result_limit", truncated_hint: hint ?? general });
  const text = marked(fits(jsonOf(left), room) ? left : squeezeDocument(left, room));
  return fits(text, budget) ? text : marked(bareDocument(left, room));
}

/** The text of a document; null when it is nested too deep to be written. */
function textOf(document: Members): string | null {
  try {
    return jsonOf(document);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Makes room for the parts that may be cut, when everything beside them takes nearly all of it: a title of megabytes. */
function limitRest(document: Members, cuts: readonly Cut[], room: Extent): Members {
  const parts = cuts.filter(({ at }) => hasContent(valueAt(document, at)));
  if (parts.length === 0) return document;
  const places = parts.flatMap(({ at, renumber = [] }) => [at, ...renumber]);
  const rest = places.reduce((left, at) => withValue(left, at, emptied(valueAt(left, at))), document);
  const most = scaled(room, SHARE_OF_REST);
  if (fits(jsonOf(rest), most)) return document;
  return places.reduce((left, at) => withValue(left, at, valueAt(document, at)), squeezeDocument(rest, most));
}

function applyCuts(document: Members, cuts: readonly Cut[], room: Extent): { left: Members; hint: string | null } {
  let left = document;
  let hint: string | null = null;
  for (const cut of cuts) {
    if (fits(jsonOf(left), room)) break;
    const shorter = applyCut(left, cut, room);
    if (shorter === null) continue;
    hint ??= cut.hint;
    left = shorter;
  }
  return { left, hint };
}

/** The document with as much of one part as fits beside everything else; null when there was nothing to take away. */
function applyCut(document: Members, cut: Cut, room: Extent): Members | null {
  const value = valueAt(document, cut.at);
  if (!hasContent(value)) return null;
  const without = [cut.at, ...(cut.renumber ?? [])].reduce(
    (left, at) => withValue(left, at, emptied(valueAt(left, at))),
    document,
  );
  const most = minus(room, extentOf(jsonOf(without)));
  if (typeof value === "string") {
    const group = cut.base64 === true && /^[A-Za-z0-9+/]*={0,2}$/.test(value) ? 4 : 1;
    const kept = endWithin(value, most, group);
    return kept === value ? null : withValue(document, cut.at, kept);
  }
  return Array.isArray(value) ? applyToList(document, cut, value, most) : null;
}

function applyToList(document: Members, cut: Cut, list: readonly unknown[], most: Extent): Members | null {
  const depth = cut.at.length;
  const ordered = (rows: readonly unknown[]) => (cut.newestFirst === true ? rows.toReversed() : rows);
  const given = ordered(list);
  const positions = new Set((cut.renumber ?? []).flatMap((at) => numbersAt(document, at)));
  const nested = Math.max(depth, ...(cut.renumber ?? []).map((at) => at.length));
  const opened = scaled(OPENED, 1 + (cut.renumber ?? []).length);
  const entries = newestWithin(given, minus(most, opened), {
    depth,
    squeeze: (entry, limit) => squeezeEntry(entry, limit, depth + 1),
    beside: (at) => (positions.has(at) ? positionExtent(given.length, nested) : NOTHING),
    mayGo: cut.mayGo === true,
    tries: true,
  });
  if (entries === given) return null;
  const shorter = withValue(document, cut.at, ordered(entries));
  const dropped = given.length - entries.length;
  return (cut.renumber ?? []).reduce(
    (left, at) =>
      withValue(
        left,
        at,
        numbersAt(left, at).flatMap((p) => (p < dropped ? [] : [p - dropped])),
      ),
    shorter,
  );
}

const NOTHING: Extent = { characters: 0, bytes: 0, lines: 0 };

/** What one position takes in its list, in front of so many entries. */
function positionExtent(entries: number, depth: number): Extent {
  const size = String(entries).length + 2 * (depth + 1) + 2;
  return { characters: size, bytes: size, lines: 1 };
}

const hasContent = (value: unknown) => (typeof value === "string" || Array.isArray(value)) && value.length > 0;
const emptied = (value: unknown) => (Array.isArray(value) ? [] : typeof value === "string" ? "" : value);

function numbersAt(document: Members, at: Path): readonly number[] {
  const positions = valueAt(document, at);
  return Array.isArray(positions) ? positions.map(Number) : [];
}

function valueAt(document: Members, at: Path): unknown {
  return at.reduce<unknown>((found, name) => (isMembers(found) ? found[name] : undefined), document);
}

/** The document with another value at a place that it has; everything beside the way there is shared, not copied. */
function withValue(document: Members, [name, ...rest]: Path, value: unknown): Members {
  const member = name === undefined ? undefined : document[name];
  if (name === undefined || member === undefined) return document;
  const replaced = rest.length === 0 ? value : isMembers(member) ? withValue(member, rest, value) : member;
  return recounted(document, { ...document, [name]: replaced });
}
