import { describe } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dir, "..", "..", "shared");

/** The path of a file of the contract beside the checkout, or null in a clone that has none. */
export function shared(path: string): string | null {
  const full = join(folder, path);
  return existsSync(full) ? full : null;
}

/** A JSON document of the contract. Its shape is the caller's to check. */
export function sharedJson(path: string): unknown {
  return JSON.parse(readFileSync(join(folder, path), "utf8"));
}

/** Tests over the contract's own data: they run where it is, and are reported as skipped where it is not. */
export function describeShared(name: string, tests: () => void): void {
  if (existsSync(folder)) describe(name, tests);
  else describe.skip(`${name} (../shared is not here)`, () => {});
}
