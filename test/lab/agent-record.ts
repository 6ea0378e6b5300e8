/** The records of an agent session: one JSON object a line (wire.md 18.3). */

export type AgentRecord = { readonly type: string; readonly data: Readonly<Record<string, unknown>> };

export const recordTypes: ReadonlySet<string> = new Set([
  ...["session_start", "prompt", "tool_start", "tool_end", "notification", "ask", "stop", "session_end", "state"],
  "provider_raw",
]);

const recordBytes = 16_384;

/** The records of one append, or null when one of them breaks the grammar: then none of them counts. */
export function parseRecords(bytes: Uint8Array): AgentRecord[] | null {
  const text = new TextDecoder().decode(bytes);
  if (!text.endsWith("\n")) return null;
  const records = text.slice(0, -1).split("\n").map(parseRecord);
  return records.every((record) => record !== null) ? records : null;
}

function parseRecord(line: string): AgentRecord | null {
  if (Buffer.byteLength(line) + 1 > recordBytes) return null;
  try {
    const value: unknown = JSON.parse(line);
    if (!isObject(value)) return null;
    const { type, data = {} } = value;
    return typeof type === "string" && recordTypes.has(type) && isObject(data) ? { type, data } : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is { readonly [name: string]: unknown; type?: unknown; data?: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What a record says about its agent's state; null: nothing; "withdrawn": that there is no agent any more. */
export function stateAfter({ type, data }: AgentRecord): string | null {
  switch (type) {
    case "prompt":
    case "tool_start":
      return "working";
    case "notification":
      return data["kind"] === "permission" || data["kind"] === "elicitation" ? "blocked" : null;
    case "ask":
      return "blocked";
    case "stop":
      return "done";
    case "state":
      return typeof data["state"] === "string" ? data["state"] : null;
    case "session_end":
      return "withdrawn";
    default:
      return null;
  }
}
