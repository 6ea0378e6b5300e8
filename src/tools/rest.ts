import { hintsOf, type Tool } from "./tool.ts";

/** Where all of a document is that is more than any call returns. */
export const inFile = (command: string) => `run \`${command} > FILE\` in a shell and read FILE in parts`;

/** How to get what a tool left out, when none of its own cuts says more: whoever only reads may read again. */
export function restOf(tool: Tool): string {
  if (tool.rest !== undefined) return tool.rest;
  if (!hintsOf(tool).readOnlyHint) return "what it did is done: look before calling it again";
  return tool.verb === null ? "ask for less at a time" : inFile(`${tool.verb} --json`);
}
