import type { Connection } from "../../../src/phux/connection.ts";
import { fail, ok, type Result } from "../../../src/wire/result.ts";
import { ARCHIVE_VERSION, type Archive } from "./archive-document.ts";
import { rebuildSession } from "./archive-session.ts";
import type { Integration } from "./integrations.ts";
import type { CliRefusal } from "./refusal.ts";

/** What became of an archive (tools.md 13, tool 25). */
export interface ImportSummary {
  readonly schema_version: typeof ARCHIVE_VERSION;
  readonly restored: readonly string[];
  readonly skipped_existing: readonly string[];
  readonly failed?: readonly { readonly name: string; readonly reason: string }[];
  readonly warnings?: readonly { readonly session: string; readonly message: string }[];
}

/** Makes the sessions of an archive whose names are free. Nothing that is there is touched, and nothing is ever ended. */
export async function importArchive(
  connection: Connection,
  { sessions }: Archive,
  integrations: readonly Integration[],
): Promise<Result<ImportSummary, CliRefusal>> {
  const state = await connection.state();
  if (!state.ok) return fail(state.error.refusal);
  const taken = new Set(state.value.snapshot.sessions.map(({ name }) => name));
  const restored: string[] = [];
  const skipped_existing: string[] = [];
  const failed: { name: string; reason: string }[] = [];
  const warnings: { session: string; message: string }[] = [];
  for (const session of sessions) {
    const { name } = session;
    const warn = (message: string) => void warnings.push({ session: name, message });
    const refusal = taken.has(name) ? null : await rebuildSession(connection, session, integrations, warn);
    // Somebody else may have taken the name since we looked.
    if (taken.has(name) || refusal?.code === "session_exists") skipped_existing.push(name);
    else if (refusal === null) restored.push(name);
    else failed.push({ name, reason: refusal.message });
  }
  return ok({
    ...{ schema_version: ARCHIVE_VERSION, restored, skipped_existing },
    ...(failed.length > 0 && { failed }),
    ...(warnings.length > 0 && { warnings }),
  });
}
