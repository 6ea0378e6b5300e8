/** Levels that a JSON value may be nested: the readers of phux stop at 128, and ours must not run out of stack. */
const MOST_LEVELS = 100;

/**
 * What keeps a parsed JSON value from being passed on as it was written, as the second half of a sentence: a number that
 * the parser had to round, half of a character, or more levels than readers take. Null when nothing does. Pure.
 */
export function flawIn(value: unknown): string | null {
  // A list of its own, because a value of 16 MiB can be deeper than the stack.
  const waiting: { readonly value: unknown; readonly level: number }[] = [{ value, level: 1 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value: one, level } = next;
    const flaw = typeof one === "object" && one !== null ? null : flawOfScalar(one);
    if (flaw !== null) return flaw;
    if (typeof one !== "object" || one === null) continue;
    if (level > MOST_LEVELS) return `must not be nested deeper than ${MOST_LEVELS} levels`;
    if (!Array.isArray(one) && !Object.keys(one).every((name) => name.isWellFormed())) return HALF_CHARACTER;
    for (const member of Object.values(one)) waiting.push({ value: member, level: level + 1 });
  }
  return null;
}

export const HALF_CHARACTER = "must not contain half of a surrogate pair, which is no character";

function flawOfScalar(value: unknown): string | null {
  if (typeof value === "string") return value.isWellFormed() ? null : HALF_CHARACTER;
  if (typeof value !== "number") return null;
  const exact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  return exact ? null : "must not contain a number beyond 2^53 - 1, which would be rounded: write it as a string";
}
