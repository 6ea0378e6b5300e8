/** The third argument of a reviver; the language's library types do not know it yet. */
interface Source {
  readonly source?: string;
}

/**
 * Parses JSON so that no whole number loses digits: one beyond 2^53 becomes a bigint, which our serialiser writes as it
 * was. Null when the text is no JSON.
 */
export function parseExactly(text: string): unknown {
  try {
    return JSON.parse(text, exactInteger);
  } catch {
    return null;
  }
}

function exactInteger(this: unknown, _key: string, value: unknown, context?: Source): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  return context?.source !== undefined && /^-?[0-9]+$/.test(context.source) ? BigInt(context.source) : value;
}
