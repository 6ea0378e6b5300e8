import { describedTools } from "./described-tools.ts";
import { print } from "./print.ts";

/** Prints the array that tools/list returns, pretty. */
export function printSchema(): Promise<void> {
  const tools: unknown = JSON.parse(describedTools(process.env["PHUX_MCP_MAX_RESULT_CHARS"]));
  return print(`${JSON.stringify(tools, null, 2)}\n`);
}
