import type { Refusal } from "../phux/errors.ts";
import { selectorOf, type TargetRules } from "../phux/target.ts";

/** A selector that does not parse, before anything is opened (client.md 3.1). Absent is fine. */
export function refuseSelectorText(text: string | undefined, rules: TargetRules = {}): Refusal | null {
  if (text === undefined) return null;
  const selector = selectorOf(text, rules);
  return selector.ok ? null : selector.error;
}
