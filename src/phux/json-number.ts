// Bun has JSON.rawJSON; the language's library types do not know it yet.
declare global {
  interface JSON {
    rawJSON(text: string): unknown;
  }
}

/**
 * A document as JSON text, with `indent` spaces a level (two by default, 0 for one line). A bigint becomes a JSON
 * number with all its digits (spec/client.md 0.2 rule 5); everything else comes out as JSON.stringify writes it.
 */
export function stringifyDocument(value: object, indent = 2): string {
  // A replacer costs several times the plain call, and few documents hold a bigint.
  return holdsBigint(value) ? JSON.stringify(value, exactDigits, indent) : JSON.stringify(value, null, indent);
}

function exactDigits(_key: string, member: unknown): unknown {
  return typeof member === "bigint" ? JSON.rawJSON(member.toString()) : member;
}

function holdsBigint(value: unknown): boolean {
  if (typeof value === "bigint") return true;
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(holdsBigint);
  return Object.values(value).some(holdsBigint);
}
