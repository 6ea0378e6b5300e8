/** The tools about terminals, in the order of guard.md's table. */
import type { GuardTool } from "../tool.ts";
import { createTerminal } from "./create-terminal.ts";
import { listTerminals } from "./list-terminals.ts";
import { readOutput } from "./read-output.ts";
import { runCommand } from "./run-command.ts";
import { focusTerminal, updateTerminal } from "./update-terminal.ts";

export const terminalTools: readonly GuardTool[] = [
  listTerminals,
  readOutput,
  createTerminal,
  runCommand,
  focusTerminal,
  updateTerminal,
];
