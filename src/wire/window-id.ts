import { createHash } from "node:crypto";
import type { ResourceId } from "./identity.ts";

const ZERO = "0".repeat(32);

/** 32 lower-case hex digits that are not all zero. */
export function isWindowId(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text) && text !== ZERO;
}

/**
 * The id of a new window from its first leaf, as every client derives it, stepped on while it is among `taken`
 * (client.md 8.3). Pure: SHA-256 of fixed text and the pane.
 */
export function deriveWindowId(pane: ResourceId, taken: ReadonlySet<string>): string {
  const number = new Uint8Array(4);
  new DataView(number.buffer).setUint32(0, pane.id);
  const owner = pane.tag === "local" ? ["\0", number] : ["\x01", pane.host, "\0", number];
  let id = first16("phux.layout.window-id/v1", "\0", ...owner);
  while (id === ZERO || taken.has(id)) {
    id = first16("phux.layout.window-id/collision/v1", "\0", Uint8Array.fromHex(id));
  }
  return id;
}

function first16(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex").slice(0, 32);
}
