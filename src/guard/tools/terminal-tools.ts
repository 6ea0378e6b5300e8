/** The tools about terminals, in the order of guard.md's table. */
import type { GuardTool } from "../tool.ts";
import { listTerminals } from "./list-terminals.ts";
import { readOutput } from "./read-output.ts";
import { runCommand } from "./run-command.ts";

export const terminalTools: readonly GuardTool[] = [listTerminals, readOutput, runCommand];
