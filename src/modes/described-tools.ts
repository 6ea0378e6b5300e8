import { budgetOverride } from "../tools/budget.ts";
import { toolsJson } from "../tools/published.ts";

/**
 * The JSON text of the tools array. When a person set the size of results, each descriptor tells Claude Code so, which
 * cuts at a size of its own otherwise (design.md section 4).
 */
export function describedTools(maxResultCharacters: string | undefined): string {
  const most = budgetOverride(maxResultCharacters);
  if (most === null) return toolsJson;
  const tools: unknown = JSON.parse(toolsJson);
  const told = Array.isArray(tools)
    ? tools.map((tool: object) => ({ ...tool, _meta: { "anthropic/maxResultSizeChars": most } }))
    : tools;
  return JSON.stringify(told);
}
