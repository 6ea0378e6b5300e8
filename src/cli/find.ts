import { accessSync, constants, lstatSync, realpathSync, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { fail, ok, type Result } from "../wire/result.ts";
import type { Environment } from "./environment.ts";

/** The phux program of this machine. */
export interface PhuxExecutable {
  /** Absolute, as found: not resolved further. */
  readonly path: string;
}

/** There is no phux program. */
export interface NoPhux {
  /** Where was looked, and what to do. */
  readonly message: string;
  /** The first half of that, without a space at its end. */
  readonly searched: string;
}

// A PATH can hold hundreds of folders; a sentence cannot.
const FOLDERS_NAMED = 20;

/**
 * The `phux` beside our own executable, else the first one on PATH (spec tools.md 9). Nothing is remembered, so a phux
 * installed later is found by the next call.
 *
 * `self` is the path of our own executable; links in it are followed. Fails with what says where was looked.
 */
export function findPhux(environment: Environment, self: string): Result<PhuxExecutable, NoPhux> {
  const folder = dirname(realPath(self));
  const beside = join(folder, "phux");
  // Beside us the file itself decides: a phux that lost its execute bit is an error to see, not one to pass over.
  if (isFile(beside)) return ok({ path: beside });

  // A relative entry means the folder an agent happens to work in, whose files must never be run as phux.
  const entries = (environment.PATH ?? "").split(delimiter).filter((entry) => entry !== "");
  const folders = entries.filter((entry) => isAbsolute(entry));
  for (const entry of folders) {
    const candidate = join(entry, "phux");
    if (isFile(candidate) && isExecutable(candidate)) return ok({ path: candidate });
  }
  const searched = named(folders) + (folders.length < entries.length ? "; relative entries are never searched" : "");
  const unfit = [beside, ...folders.map((entry) => join(entry, "phux"))].map(unfitness).find((why) => why !== null);
  const looked = `The phux program was not found: looked in ${folder}, where phux-mcp is, and on PATH (${searched}). ${unfit ?? ""}`;
  return fail({
    message: `${looked}Install phux, or put its folder on the PATH of the program that starts phux-mcp.`,
    searched: looked.trimEnd(),
  });
}

function named(folders: readonly string[]): string {
  if (folders.length === 0) return "which names no folder";
  const shown = folders.slice(0, FOLDERS_NAMED).join(delimiter);
  return folders.length > FOLDERS_NAMED ? `${shown} and ${folders.length - FOLDERS_NAMED} more` : shown;
}

/** Why what stands at a path was passed over, as a sentence with a space behind it; null when nothing stands there. */
function unfitness(path: string): string | null {
  if (isFile(path)) return `${path} is not executable for this user. `;
  try {
    lstatSync(path);
  } catch {
    return null;
  }
  return `${path} is no file that can be run. `;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // The binary was replaced while it runs: its folder still is where it was.
    return path;
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
