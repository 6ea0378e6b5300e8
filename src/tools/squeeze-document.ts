import { type Extent, fits, isWithin, jsonOf, minus, scaled } from "./shown.ts";
import { isMembers, type Members, memberExtent, SHORTEST_TEXT, squeeze } from "./squeeze.ts";

/** A list of several entries is given more than there is at first, because each of them gets a share of it. */
const LARGEST_SHARE = 4;
/** The search for the largest parts that fit ends when it is this close. */
const CLOSE_ENOUGH = 1.1;

/**
 * A document that fits into `room`: its texts and lists as large as they can be, each losing its beginning. When that is
 * not enough, the objects in it lose members, and at last it keeps only those of its own members that fit.
 */
export function squeezeDocument(document: Members, room: Extent): Members {
  return largestWithin(document, room, false) ?? largestWithin(document, room, true) ?? bareDocument(document, room);
}

/** The document squeezed no more than needed; null when it does not fit even at the least. */
function largestWithin(document: Members, room: Extent, sheds: boolean): Members | null {
  const at = (share: number): Members | null => {
    const squeezed = squeeze(document, scaled(room, share), { depth: 0, sheds });
    return isMembers(squeezed) && fits(jsonOf(squeezed), room) ? squeezed : null;
  };
  let least = SHORTEST_TEXT / room.characters;
  let most = LARGEST_SHARE;
  let best = at(least);
  if (best === null) return null;
  while (most / least > CLOSE_ENOUGH) {
    const middle = Math.sqrt(least * most);
    const found = at(middle);
    if (found === null) most = middle;
    else [best, least] = [found, middle];
  }
  return best;
}

/** The document's own members, the smallest first, as many as fit, in their places. */
export function bareDocument(document: Members, room: Extent): Members {
  const sized = Object.entries(document).map(([name, member]) => ({ name, extent: memberExtent(name, member, 1) }));
  const kept = new Set<string>();
  let left = minus(room, { characters: 4, bytes: 4, lines: 2 });
  for (const { name, extent } of sized.toSorted((a, b) => a.extent.characters - b.extent.characters)) {
    if (!isWithin(extent, left)) break;
    left = minus(left, extent);
    kept.add(name);
  }
  return Object.fromEntries(Object.entries(document).filter(([name]) => kept.has(name)));
}

/** Deeper than any document of phux is nested, and far from what JSON can be written at. */
const DEEPEST = 200;

/** A value without what is nested deeper than anything that is shown. */
export function shallow(value: Members): Members;
export function shallow(value: unknown, levels?: number): unknown;
export function shallow(value: unknown, levels = DEEPEST): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return null;
  if (Array.isArray(value)) return value.map((entry) => shallow(entry, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shallow(member, levels - 1)]));
}
