/** A catalog for tests of the session: each tool is what the test needs it to be. */
import type { Catalog, ToolAnswer, ToolCall } from "../../src/mcp/session.ts";

export type Tool = (args: Readonly<Record<string, unknown>>, call: ToolCall) => Promise<ToolAnswer> | ToolAnswer;

export const said = (text: string): ToolAnswer => ({ text, isError: false });

export function catalogOf(tools: Readonly<Record<string, Tool>>): Catalog {
  return {
    toolsJson: JSON.stringify(Object.keys(tools).map((name) => ({ name, inputSchema: { type: "object" } }))),
    run: async (name, args, call) => (await tools[name]?.(args, call)) ?? said("?"),
  };
}
