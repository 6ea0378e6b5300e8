import { run, sendKeys } from "./input.ts";
import { kill } from "./pane.ts";
import { snapshot } from "./screen.ts";
import { server, status } from "./server.ts";
import { create, ls } from "./session.ts";
import type { Verb } from "./verb.ts";

/** Every verb there is: a new one is a declaration in the file of its noun, and a word here. */
export const verbs: readonly Verb[] = [create, kill, ls, run, sendKeys, server, snapshot, status];
