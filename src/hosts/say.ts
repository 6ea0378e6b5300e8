/** How commands and entries are shown to a person. Pure. */

import { cleanText, oneLine } from "../text/clean.ts";
import type { FoundEntry } from "./entry.ts";

/** A command as it would be typed, on one line; a file may hold anything, so it is cleaned. */
export function spokenCommand(words: readonly string[]): string {
  return oneLine(words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word))).join(" "));
}

/** What an entry comes to. Its variables are left out: they may be secrets. */
export function spokenEntry({ command, disabled }: FoundEntry): string {
  const started = command.length === 0 ? "an entry that starts no program" : spokenCommand(command);
  return disabled ? `${started}, switched off` : started;
}

/** A path or a name as a line may carry it. */
export function spoken(text: string): string {
  return cleanText(text).replaceAll("\n", "\\n");
}
