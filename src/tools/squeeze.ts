import { shortenList, shortenText } from "./shorten.ts";
import { type Extent, excessOf, jsonOf } from "./shown.ts";

export type Members = Readonly<Record<string, unknown>>;

export const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * A value in which no text and no list takes more than `most`: each loses its beginning, a list keeps its newest entry.
 * `depth` is how deep it stands in its document.
 */
export function squeeze(value: unknown, most: Extent, depth = 0): unknown {
  if (typeof value === "string") {
    const excess = excessOf(jsonOf(value), { ...most, lines: Number.POSITIVE_INFINITY });
    return excess === null ? value : shortenText(value, excess.characters);
  }
  if (Array.isArray(value)) return squeezeList(value, most, depth);
  if (!isMembers(value)) return value;
  const squeezed = Object.entries(value).map(([name, member]) => [name, squeeze(member, most, depth + 1)] as const);
  return recounted(value, Object.fromEntries(squeezed));
}

function squeezeList(list: readonly unknown[], most: Extent, depth: number): readonly unknown[] {
  const entries = list.map((entry) => squeeze(entry, most, depth + 1));
  const excess = excessOf(jsonOf(entries), most);
  if (excess === null) return entries;
  return entries.slice(Math.min(entries.length - 1, shortenList(entries, depth, excess)));
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
