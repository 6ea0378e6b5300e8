import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fail, ok, type Result } from "../src/wire/result.ts";

/**
 * Variables by which Bun's runtime, before any code of ours, becomes another program on our stdout, loads a file, waits for
 * a debugger, or takes a descriptor for a channel. Editors and other programs built with Bun set some of them for all that
 * is started below them. No option of the compiler switches them off.
 */
const HEARD = [
  "BUN_OPTIONS",
  "BUN_BE_BUN",
  "BUN_INSPECT",
  "BUN_INSPECT_CONNECT_TO",
  "BUN_INSPECT_PRELOAD",
  "NODE_CHANNEL_FD",
] as const;

/**
 * A copy in `folder` of a runtime's executable that does not read those variables: the first `_` of each name is a `-`,
 * which no shell exports. Who wants Bun's own profiler can still say `env BUN-OPTIONS=--cpu-prof phux-mcp`. Gives its path.
 * Fails when a name does not stand in it exactly once as a whole string: another Bun needs another look.
 */
export function deafRuntime(runtime: string, folder: string): Result<string, string> {
  const bytes = readFileSync(runtime);
  for (const name of HEARD) {
    const whole = Buffer.from(`\0${name}\0`, "latin1");
    const at = bytes.indexOf(whole);
    if (at < 0 || bytes.indexOf(whole, at + 1) >= 0) {
      return fail(`${runtime}: ${name} does not stand in it exactly once, so it cannot be switched off`);
    }
    bytes.write("-", at + whole.indexOf("_"), "latin1");
  }
  const copy = join(folder, "runtime");
  writeFileSync(copy, bytes);
  chmodSync(copy, 0o755);
  return ok(copy);
}
