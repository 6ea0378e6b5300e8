import type { SessionSnapshot } from "../wire/frame.ts";
import { decodeLayout, encodeLayout, type LayoutDocument } from "../wire/layout-document.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import type { Connection } from "./connection.ts";
import { type Refusal, refuse } from "./errors.ts";

/** The group that layouts hang on: the only one of the reference server (client.md 8.1). */
const LAYOUT_SCOPE = { tag: "group", group: 1 } as const;

/** A larger document is not written: servers are advised to accept this much (client.md 8.4). */
const MAX_WRITTEN_BYTES = 256 * 1024;

/** The key of a session's own layout document. */
export function layoutKey(session: number): string {
  return `phux.tui.layout/v1/${session}`;
}

/** What stands under a layout key: nothing, something that this version of the document does not decode, or a layout. */
export type StoredLayout =
  | { readonly kind: "absent" }
  | { readonly kind: "unreadable"; readonly message: string }
  | { readonly kind: "layout"; readonly layout: LayoutDocument };

/**
 * Reads a layout document in the version of the server. A refused read counts as absent; only a failed connection is a
 * refusal of the call (client.md 3.3).
 */
export async function readLayout(connection: Connection, key: string): Promise<Result<StoredLayout, Refusal>> {
  const value = await connection.metadata(LAYOUT_SCOPE, key);
  if (!value.ok) return value.error.wireCode === null ? fail(value.error.refusal) : ok({ kind: "absent" });
  if (value.value === null) return ok({ kind: "absent" });
  const layout = decodeLayout(value.value, connection.layoutVersion);
  return ok(
    layout.ok ? { kind: "layout", layout: layout.value } : { kind: "unreadable", message: layout.error.message },
  );
}

/** Writes a layout and reads it back: other bytes than those written mean that it did not hold (client.md 8.4). */
export async function writeLayout(
  connection: Connection,
  key: string,
  layout: LayoutDocument,
): Promise<Refusal | null> {
  const bytes = encodeLayout(layout, connection.layoutVersion);
  if (bytes.length > MAX_WRITTEN_BYTES) {
    return refuse("layout_rejected", `the layout would have ${bytes.length} bytes; ${MAX_WRITTEN_BYTES} can be stored`);
  }
  const stored = await connection.writeMetadata(LAYOUT_SCOPE, key, bytes);
  if (!stored.ok) return stored.error.refusal;
  if (stored.value === null) return refuse("layout_missing", `the server did not keep ${key}`);
  if (Buffer.compare(stored.value, bytes) === 0) return null;
  return refuse(
    "layout_rejected",
    `${key} holds another layout than the one written: somebody else wrote it meanwhile`,
  );
}

/** How many tabs each session's layout has, by session id, for those that have one that decodes. */
export async function layoutTabs(
  connection: Connection,
  snapshot: SessionSnapshot,
): Promise<Result<ReadonlyMap<number, number>, Refusal>> {
  const tabs = new Map<number, number>();
  for (const { id } of snapshot.sessions) {
    const stored = await readLayout(connection, layoutKey(id));
    if (!stored.ok) return stored;
    if (stored.value.kind === "layout") tabs.set(id, stored.value.layout.windows.length);
  }
  return ok(tabs);
}
