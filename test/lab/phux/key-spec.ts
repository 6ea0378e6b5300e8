import { keysToEvents } from "../../../src/phux/keys.ts";
import type { InputEvent } from "../../../src/wire/frame.ts";
import { fail, ok, type Result } from "../../../src/wire/result.ts";
import { type CliRefusal, refuseCli } from "./refusal.ts";

/**
 * The input events of keys that are meant for an agent. A chord that is none would be typed as text by plain send-keys;
 * here it is refused, and nothing is typed (tools.md 13, tool 35).
 */
export function keyEvents(keys: readonly string[]): Result<readonly InputEvent[], CliRefusal> {
  const wrong = keys.find(isMalformed);
  if (wrong !== undefined) return fail(refuseCli("invalid_key_spec", `${JSON.stringify(wrong)} is no key`));
  const events = keysToEvents(keys);
  if (events.length > 0) return ok(events);
  return fail(refuseCli("invalid_key_spec", `${JSON.stringify(keys.join(" "))} is no key that a terminal has`));
}

/** `C-` wants one ASCII character, `M-` anything at all. Everything else is a name or a text. */
function isMalformed(key: string): boolean {
  return /^m-$/i.test(key) || (/^c-/i.test(key) && !/^c-[\x20-\x7e]$/i.test(key));
}
