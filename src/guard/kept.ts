import type { Connection } from "../phux/connection.ts";
import { type Refusal, sentence } from "../phux/errors.ts";
import type { Scope } from "../wire/frame.ts";

/** Writes a metadata value and makes sure that it stands there; null when it does. */
export async function keepValue(
  connection: Connection,
  scope: Scope,
  key: string,
  value: Uint8Array,
): Promise<Refusal | null> {
  const stored = await connection.writeMetadata(scope, key, value);
  if (!stored.ok) return stored.error.refusal;
  if (stored.value !== null && Buffer.compare(stored.value, value) === 0) return null;
  return sentence(`the server holds something else under ${key} than was written: somebody else wrote it meanwhile`);
}
