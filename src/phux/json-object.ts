/** The members of a parsed JSON object. */
export type JsonMembers = Readonly<Record<string, unknown>>;

/** The members of a value that is a JSON object; null for anything else. */
export function membersOf(value: unknown): JsonMembers | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
}

/** Reads a JSON text, or its UTF-8 bytes, as an object; null for what is no JSON, no UTF-8 or no object. */
export function parseJsonObject(text: string | Uint8Array): JsonMembers | null {
  try {
    return membersOf(
      JSON.parse(typeof text === "string" ? text : new TextDecoder("utf-8", { fatal: true }).decode(text)),
    );
  } catch {
    return null;
  }
}
