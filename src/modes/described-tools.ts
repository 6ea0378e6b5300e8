import { budgetOverride } from "../tools/budget.ts";
import { toolsJson } from "../tools/published.ts";
import type { Selection } from "../tools/selection.ts";

/**
 * The JSON text of the tools array: of the selection, or of all tools for null. When a person set the size of results, each
 * descriptor tells Claude Code so, which cuts at a size of its own otherwise (design.md section 4).
 */
export function describedTools(selection: Selection | null, maxResultCharacters: string | undefined): string {
  const most = budgetOverride(maxResultCharacters);
  if (most === null && selection === null) return toolsJson;
  // Parse boundary: the text was made from the declarations when this program was built.
  const tools = JSON.parse(toolsJson) as { readonly name: string }[];
  const meta = most === null ? {} : { _meta: { "anthropic/maxResultSizeChars": most } };
  const offered = tools.filter(({ name }) => selection === null || selection.names.has(name));
  return JSON.stringify(offered.map((tool) => ({ ...tool, ...meta })));
}
