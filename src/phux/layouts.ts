import type { SessionSnapshot } from "../wire/frame.ts";
import { decodeLayout, encodeLayout, type LayoutDocument, type LayoutVersion } from "../wire/layout-document.ts";
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

/**
 * What stands under a layout key: nothing, a layout, something that this version of the document does not decode, or
 * what the server did not let us read.
 */
export type StoredLayout =
  | { readonly kind: "absent" }
  | { readonly kind: "unreadable"; readonly message: string }
  | { readonly kind: "refused"; readonly refusal: Refusal }
  | { readonly kind: "layout"; readonly layout: LayoutDocument };

/** Reads a layout document in the version of the server. Only a failed connection is a refusal (client.md 3.3). */
export async function readLayout(connection: Connection, key: string): Promise<Result<StoredLayout, Refusal>> {
  const value = await connection.metadata(LAYOUT_SCOPE, key);
  if (!value.ok) {
    const { wireCode, refusal } = value.error;
    return wireCode === null ? fail(refusal) : ok({ kind: "refused", refusal });
  }
  if (value.value === null) return ok({ kind: "absent" });
  const layout = decodeLayout(value.value, connection.dialect.layout);
  return ok(
    layout.ok ? { kind: "layout", layout: layout.value } : { kind: "unreadable", message: layout.error.message },
  );
}

/**
 * Milliseconds between a write and its read-back. Nothing locks a layout: of two writers at once the later one wins, and
 * the other can only learn of it when it looks after the later write. That comes within moments, because both read and
 * write back in one breath; without the pause, both would find what they wrote.
 */
const READ_BACK_AFTER_MS = 25;

/** What a layout must show for a write to count as held although somebody else wrote after it. */
export type Shows = (layout: LayoutDocument) => boolean;

/**
 * Writes a layout and reads it back: other bytes than those written mean that it did not hold (client.md 8.4), unless
 * what is there `shows` what the write was for.
 */
export async function writeLayout(
  connection: Connection,
  key: string,
  layout: LayoutDocument,
  shows: Shows = () => false,
): Promise<Refusal | null> {
  const bytes = storable(layout, connection.dialect.layout);
  if (!bytes.ok) return bytes.error;
  const stored = await connection.writeMetadata(LAYOUT_SCOPE, key, bytes.value, READ_BACK_AFTER_MS);
  if (!stored.ok) return stored.error.refusal;
  if (stored.value === null) return refuse("layout_missing", `the server did not keep ${key}`);
  if (Buffer.compare(stored.value, bytes.value) === 0) return null;
  const found = decodeLayout(stored.value, connection.dialect.layout);
  if (found.ok && shows(found.value)) return null;
  return refuse(
    "layout_rejected",
    `${key} holds another layout than the one written: somebody else wrote it meanwhile, or the server did not keep it`,
  );
}

/**
 * Reads a layout, edits it and writes it back (client.md 8.4). A refused edit writes nothing, and nothing is tried
 * twice: the last writer wins, and the caller decides. Refusals: `layout_missing`, `layout_rejected`, those of the edit.
 */
export async function editLayout(
  connection: Connection,
  key: string,
  edit: (layout: LayoutDocument) => Result<LayoutDocument, Refusal>,
  shows?: Shows,
): Promise<Refusal | null> {
  const stored = await readLayout(connection, key);
  if (!stored.ok) return stored.error;
  switch (stored.value.kind) {
    case "absent":
      return refuse("layout_missing", `nothing is stored under ${key}`);
    case "unreadable":
      return refuse("layout_rejected", `${key} does not decode: ${stored.value.message}`);
    case "refused":
      return stored.value.refusal;
    case "layout": {
      const edited = edit(stored.value.layout);
      return edited.ok ? writeLayout(connection, key, edited.value, shows) : edited.error;
    }
  }
}

/** Removes the layout of a session that is gone, and reads back that it went. */
export async function deleteLayout(connection: Connection, key: string): Promise<Refusal | null> {
  const left = await connection.deleteMetadata(LAYOUT_SCOPE, key);
  if (!left.ok) return left.error.refusal;
  return left.value === null ? null : refuse("layout_rejected", `${key} is still there after its deletion`);
}

function storable(layout: LayoutDocument, version: LayoutVersion): Result<Uint8Array, Refusal> {
  try {
    const bytes = encodeLayout(layout, version);
    if (bytes.length <= MAX_WRITTEN_BYTES) return ok(bytes);
    const message = `the layout would have ${bytes.length} bytes; ${MAX_WRITTEN_BYTES} can be stored`;
    return fail(refuse("layout_rejected", message));
  } catch (error) {
    // A tree may be nested as deep as a document can be, so that one more split has no encoding.
    if (error instanceof RangeError) return fail(refuse("layout_rejected", `it cannot be stored: ${error.message}`));
    throw error;
  }
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
