import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { refuse } from "../../../src/phux/errors.ts";
import type { CliRefusal } from "./refusal.ts";

const REMEDY = "name a file that is not there yet, in a folder that you may write to";

/** Whether a new file can be made at a path, as far as that can be known without making it. */
export function refuseNewFile(path: string): CliRefusal | null {
  if (existsSync(path)) return refuse("io", `${path} is there already`, REMEDY);
  return existsSync(dirname(path)) ? null : refuse("io", `the folder of ${path} does not exist`, REMEDY);
}

/** Writes a file that must not be there, for its owner alone. What cannot be written whole is not left behind. */
export function writeNewFile(path: string, text: string): CliRefusal | null {
  let made = false;
  try {
    writeFileSync(path, "", { flag: "wx", mode: 0o600 });
    made = true;
    writeFileSync(path, text);
    return null;
  } catch (error) {
    if (made) rmSync(path, { force: true });
    return refuse("io", `${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`, REMEDY);
  }
}

/** Makes a folder for its owner alone, unless it is there. */
export function makeFolder(path: string): CliRefusal | null {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return null;
  } catch (error) {
    return refuse("io", `${path} cannot be made: ${error instanceof Error ? error.message : String(error)}`, REMEDY);
  }
}
