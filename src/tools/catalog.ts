import { status } from "./diagnostic.ts";
import { paste, run, sendKeys } from "./input.ts";
import { kill, signal, spawn } from "./pane.ts";
import { snapshot, wait, watch } from "./screen.ts";
import { create, ls } from "./session.ts";
import type { Tool } from "./tool.ts";

/** Every tool, in the order of tools/list. The one place where a tool is listed. */
export const catalog: readonly Tool[] = [
  ls,
  snapshot,
  sendKeys,
  paste,
  run,
  wait,
  create,
  kill,
  watch,
  spawn,
  signal,
  status,
];
