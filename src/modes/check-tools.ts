import type { ToolFacts } from "./check-facts.ts";
import { describedTools } from "./described-tools.ts";
import { selectionFor } from "./wish.ts";

/** What tools/list gives a host that starts us with this environment and without arguments. */
export function toolFacts(environment: Readonly<Record<string, string | undefined>>): ToolFacts {
  const chosen = selectionFor({ readOnly: false, tools: null }, environment);
  if (!chosen.ok) return { kind: "refused", why: chosen.error };
  const most = environment["PHUX_MCP_MAX_RESULT_CHARS"];
  const listed = describedTools(chosen.value, most);
  const all = countOf(describedTools(null, most));
  const fewerBy = ["PHUX_MCP_READ_ONLY", "PHUX_MCP_TOOLS"].filter(
    (name) => !["", "0"].includes(environment[name] ?? ""),
  );
  const count = countOf(listed);
  return { kind: "offered", count, of: all, fewerBy: count < all ? fewerBy : [], bytes: Buffer.byteLength(listed) };
}

// Parse boundary: the text is our own array.
const countOf = (json: string) => (JSON.parse(json) as readonly unknown[]).length;
