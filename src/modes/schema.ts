import { catalogPage } from "../tools/catalog-json.ts" with { type: "macro" };
import type { Selection } from "../tools/selection.ts";
import { describedTools } from "./described-tools.ts";
import { print } from "./print.ts";

/** Prints the array that tools/list returns, pretty. `selection`: the tools that are offered, null for all. */
export function printSchema(selection: Selection | null): Promise<void> {
  const most = process.env["PHUX_MCP_MAX_RESULT_CHARS"];
  // The ordinary page was made when the program was built.
  if (selection === null && most === undefined) return print(`${catalogPage()}\n`);
  const tools: unknown = JSON.parse(describedTools(selection, most));
  return print(`${JSON.stringify(tools, null, 2)}\n`);
}
