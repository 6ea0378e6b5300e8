import { fail, ok, type Result } from "../wire/result.ts";
import { type Refusal, refuse } from "./errors.ts";

/** A place in one server's event journal. `serverId` is lowercase hex, `seq` a u64 (spec/client.md 4.18). */
export interface Cursor {
  readonly serverId: string;
  readonly seq: bigint;
}

const maxSeq = 2n ** 64n - 1n;

/** Reads `<server id in hex>:<seq>`, split at the last colon. Refused with `invalid_cursor`. */
export function parseCursor(text: string): Result<Cursor, Refusal> {
  const colon = text.lastIndexOf(":");
  const serverId = text.slice(0, Math.max(colon, 0));
  if (serverId.length === 0 || serverId.length % 2 !== 0 || !/^[0-9a-fA-F]+$/.test(serverId)) {
    return refused(text, "its first part is no server id");
  }
  const digits = /^0*([0-9]{1,20})$/.exec(text.slice(colon + 1))?.[1];
  const seq = digits === undefined ? null : BigInt(digits);
  if (seq === null || seq > maxSeq) return refused(text, "the part after the colon is no sequence number");
  return ok({ serverId: serverId.toLowerCase(), seq });
}

/** The text of a cursor. `serverId` are the bytes of HELLO_OK. */
export function formatCursor(serverId: Uint8Array, seq: bigint): string {
  return `${serverId.toHex()}:${seq}`;
}

/** Whether the cursor was given by the server that answers now: a sequence number of another means nothing here. */
export function isCursorOf(cursor: Cursor, serverId: Uint8Array): boolean {
  return cursor.serverId === serverId.toHex();
}

function refused(text: string, why: string) {
  return fail(refuse("invalid_cursor", `${JSON.stringify(text)} is no cursor: ${why}`));
}
