import { newestWithin } from "./newest.ts";
import { endWithin } from "./shorten.ts";
import { type Extent, entryExtent, extentOf, fits, isWithin, jsonOf, minus, scaled } from "./shown.ts";

export type Members = Readonly<Record<string, unknown>>;

export const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Below this a text says nothing any more. */
export const SHORTEST_TEXT = 16;
const QUOTES: Extent = { characters: 2, bytes: 2, lines: 0 };

/** How a value is made smaller. `sheds`: objects too lose members, from the first on; without it only texts and lists do. */
export interface Squeezing {
  readonly depth: number;
  readonly sheds: boolean;
}

/**
 * A value in which no text and no list takes more than `most`: each loses its beginning, a list keeps its newest entry.
 * `depth` is how deep it stands in its document. The same value when nothing is larger.
 */
export function squeeze(value: unknown, most: Extent, rules: Squeezing): unknown {
  if (typeof value === "string") {
    const mayFit = value.length < most.characters;
    return mayFit && fits(jsonOf(value), { ...most, lines: Number.POSITIVE_INFINITY })
      ? value
      : endWithin(value, minus(most, QUOTES));
  }
  const inside = { ...rules, depth: rules.depth + 1 };
  if (Array.isArray(value)) {
    return newestWithin(value, most, { depth: rules.depth, squeeze: (entry, limit) => squeeze(entry, limit, inside) });
  }
  if (!isMembers(value)) return value;
  if (rules.sheds && rules.depth > 0) return newestMembers(value, most, inside);
  let changed = false;
  const squeezed = Object.entries(value).map(([name, member]): [string, unknown] => {
    const smaller = squeeze(member, most, inside);
    changed ||= smaller !== member;
    return [name, smaller];
  });
  return changed ? recounted(value, Object.fromEntries(squeezed)) : value;
}

/** The last members of an object that fit into `most` together. */
function newestMembers(value: Members, most: Extent, rules: Squeezing): Members {
  const names = Object.keys(value);
  const kept: [string, unknown][] = [];
  let left = most;
  for (let at = names.length - 1; at >= 0; at -= 1) {
    const name = names[at] ?? "";
    const member = squeeze(value[name], most, rules);
    left = minus(left, memberExtent(name, member, rules.depth));
    if (!isWithin(NOTHING, left)) break;
    kept.push([name, member]);
  }
  return recounted(value, Object.fromEntries(kept.reverse()));
}

const NOTHING: Extent = { characters: 0, bytes: 0, lines: 0 };

/** What a member takes with its name. `depth` is that of the member. */
export function memberExtent(name: string, member: unknown, depth: number): Extent {
  const own = entryExtent(member, 2 * depth);
  const named = entryExtent(name, 0);
  return { characters: own.characters + named.characters, bytes: own.bytes + named.bytes, lines: own.lines };
}

/** How often an entry is tried smaller before it loses members. */
const TRIES = 6;

/** An entry of a list so small that all of it together takes no more than `most`, as far as that is possible. */
export function squeezeEntry(entry: unknown, most: Extent, depth: number): unknown {
  if (isWithin(extentOf(jsonOf(entry)), most)) return entry;
  for (let tries = 0, share = 1; tries < TRIES; tries += 1, share /= 2) {
    const smaller = squeeze(entry, scaled(most, share), { depth, sheds: false });
    if (isWithin(extentOf(jsonOf(smaller)), most)) return smaller;
  }
  return squeeze(entry, scaled(most, 1 / 2), { depth, sheds: true });
}

/** A `count` that said how many entries a list beside it has goes on saying so. */
export function recounted(before: Members, after: Members): Members {
  const counted = Object.keys(before).find((name) => {
    const list = before[name];
    return Array.isArray(list) && list.length === before["count"] && after[name] !== list;
  });
  const list = counted === undefined ? undefined : after[counted];
  return Array.isArray(list) ? { ...after, count: list.length } : after;
}
