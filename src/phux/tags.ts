import { compareUtf8 } from "./byte-order.ts";

/** Metadata key of a resource's tags (spec/client.md 3.5). */
export const TAGS_KEY = "phux.tags/v1";

/**
 * The tags in a stored value, in stored order. Whatever is not a JSON array of strings, and an absent value, is no
 * tags at all.
 */
export function parseTags(value: Uint8Array | null): readonly string[] {
  if (value === null) return [];
  try {
    const tags: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(value));
    return Array.isArray(tags) && tags.every((tag) => typeof tag === "string") ? tags : [];
  } catch {
    return [];
  }
}

/** The value to store. */
export function encodeTags(tags: readonly string[]): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(tags));
}

/** Tags as a caller wrote them: one `#` in front is dropped, then blanks around, then what is empty or a repeat. */
export function normalizeTags(written: readonly string[]): readonly string[] {
  const tags = written.map((tag) => tag.replace(/^#/, "").trim());
  return [...new Set(tags)].filter((tag) => tag !== "");
}

/** The stored tags with `added` among them: sorted by bytes, none twice (spec/client.md 4.15). */
export function withTags(stored: readonly string[], added: readonly string[]): readonly string[] {
  return [...new Set([...stored, ...added])].sort(compareUtf8);
}

/** The stored tags without `removed`, otherwise as `withTags` leaves them. */
export function withoutTags(stored: readonly string[], removed: readonly string[]): readonly string[] {
  const gone = new Set(removed);
  return withTags(stored, []).filter((tag) => !gone.has(tag));
}
