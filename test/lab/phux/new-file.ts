import { accessSync, constants, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { refuse } from "../../../src/phux/errors.ts";
import { fail, ok, type Result } from "../../../src/wire/result.ts";
import type { CliRefusal } from "./refusal.ts";

const refused = (message: string) =>
  refuse("io", message, "name a file that is not there yet, in a folder that you may write to");

/** Whether a new file can be made at a path, as far as that can be known without making it. */
export function refuseNewFile(path: string): CliRefusal | null {
  if (existsSync(path)) return refused(`${path} is there already`);
  try {
    accessSync(dirname(path), constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    return refused(`nothing can be written to the folder of ${path}: ${reasonOf(error)}`);
  }
}

/**
 * Writes a file that must not be there, for its owner alone, under the first of these paths that is free, and gives
 * that path. What cannot be written whole is not left behind.
 */
export function writeNewFile(paths: Iterable<string>, text: string): Result<string, CliRefusal> {
  let taken = "no path";
  for (const path of paths) {
    const made = create(path);
    if (!made.ok && made.error === "EEXIST") {
      taken = path;
      continue;
    }
    if (!made.ok) return fail(refused(`${path} cannot be written: ${made.error}`));
    try {
      writeFileSync(path, text);
      return ok(path);
    } catch (error) {
      rmSync(path, { force: true });
      return fail(refused(`${path} cannot be written: ${reasonOf(error)}`));
    }
  }
  return fail(refused(`${taken} is there already`));
}

/** Makes a folder for its owner alone, unless it is there. */
export function makeFolder(path: string): CliRefusal | null {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return null;
  } catch (error) {
    return refused(`${path} cannot be made: ${reasonOf(error)}`);
  }
}

function create(path: string): Result<null, string> {
  try {
    writeFileSync(path, "", { flag: "wx", mode: 0o600 });
    return ok(null);
  } catch (error) {
    return fail(reasonOf(error));
  }
}

/** The system's own word for it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error ? String(error.code) : error.message;
}
