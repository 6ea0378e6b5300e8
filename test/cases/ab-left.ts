/** What a program leaves: processes that carry a mark in their environment, and files. */
import { readdirSync, readFileSync } from "node:fs";
import { alive } from "../cli/children.ts";

/** A pair for the environment of a program; everything that it starts inherits it, but for the watcher. */
export function mark(): { readonly name: string; readonly env: Readonly<Record<string, string>> } {
  const name = `mark-${crypto.randomUUID()}`;
  return { name, env: { PHUX_TEST_MARK: name } };
}

/** Processes that carry a mark, without those of `except`. */
export function marked(name: string, ...except: readonly number[]): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && !except.includes(pid) && alive(pid) && environmentOf(pid).includes(name));
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    return "";
  }
}

/** Every file and folder below a folder, however deep. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true }).map(String).sort();
}
