/** The third argument of a reviver; the language's library types do not know it yet. */
interface Source {
  readonly source?: string;
}

/** Reading a number takes time that grows with the square of its digits, and no number of phux has more than 20. */
const MOST_DIGITS = 400;

/**
 * Parses JSON so that no whole number loses digits: one beyond 2^53 becomes a bigint, which our serialiser writes as it
 * was. A number of more than 400 digits is their text, and in what is nested thousands deep numbers are rounded. Null when
 * the text is no JSON.
 */
export function parseExactly(text: string): unknown {
  try {
    return JSON.parse(text, exactInteger);
  } catch (error) {
    return error instanceof RangeError ? parsePlainly(text) : null;
  }
}

/** A reviver goes down by recursion, the parser does not. */
function parsePlainly(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function exactInteger(this: unknown, _key: string, value: unknown, context?: Source): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  const digits = context?.source ?? "";
  if (!/^-?[0-9]+$/.test(digits)) return value;
  return digits.length <= MOST_DIGITS ? BigInt(digits) : digits;
}
