import { type Refusal, refuse } from "../phux/errors.ts";
import { selectorOf, type TargetRules } from "../phux/target.ts";

/** A key of nothing but zeros identifies nothing: servers refuse it, so we do first (tools.md 5.3). */
export function refuseZeroKey(given: { readonly idempotency_key?: string | undefined }): Refusal | null {
  if (given.idempotency_key === undefined || !/^0+$/.test(given.idempotency_key)) return null;
  return refuse("invalid_idempotency_key", "idempotency_key is all zeros, which identifies no request");
}

/** The 16 bytes of a key that passed the schema. */
export function keyBytes(key: string): Uint8Array {
  return Uint8Array.fromHex(key);
}

/** A selector that does not parse, before anything is opened (client.md 3.1). Absent is fine. */
export function refuseSelectorText(text: string | undefined, rules: TargetRules = {}): Refusal | null {
  if (text === undefined) return null;
  const selector = selectorOf(text, rules);
  return selector.ok ? null : selector.error;
}
