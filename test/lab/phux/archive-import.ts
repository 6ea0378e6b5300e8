import { statSync } from "node:fs";
import type { Connection } from "../../../src/phux/connection.ts";
import { layoutKey, writeLayout } from "../../../src/phux/layouts.ts";
import { refuseSessionName } from "../../../src/phux/session-name.ts";
import type { ResourceId } from "../../../src/wire/frame.ts";
import { fail, ok, type Result } from "../../../src/wire/result.ts";
import { ARCHIVE_VERSION, type Archive, type ArchivedSession } from "./archive-document.ts";
import { layoutOf, type MadePanes } from "./archive-layout.ts";
import { type Revival, revive } from "./archive-pane.ts";
import { createSession } from "./create-session.ts";
import type { Integration } from "./integrations.ts";
import { encodeOrigin } from "./launch-plan.ts";
import { confirmOrigin, startPane } from "./new-pane.ts";
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
    if (taken.has(name)) {
      skipped_existing.push(name);
      continue;
    }
    const rebuilding = new Rebuilding(connection, session, integrations);
    const refusal = await rebuilding.run();
    for (const message of rebuilding.warnings) warnings.push({ session: name, message });
    if (refusal === null) restored.push(name);
    else if (refusal.code === "session_exists") skipped_existing.push(name);
    else failed.push({ name, reason: refusal.message });
  }
  return ok({
    ...{ schema_version: ARCHIVE_VERSION, restored, skipped_existing },
    ...(failed.length > 0 && { failed }),
    ...(warnings.length > 0 && { warnings }),
  });
}

/** One session on its way back. */
class Rebuilding {
  readonly warnings: string[] = [];
  readonly #connection: Connection;
  readonly #session: ArchivedSession;
  readonly #integrations: readonly Integration[];

  constructor(connection: Connection, session: ArchivedSession, integrations: readonly Integration[]) {
    this.#connection = connection;
    this.#session = session;
    this.#integrations = integrations;
  }

  /** Why there is no such session now, or null. What is missing in it is a warning. */
  async run(): Promise<CliRefusal | null> {
    const { name, windows } = this.#session;
    const unnameable = refuseSessionName(name);
    if (unnameable !== null) return unnameable;
    const revivals = this.#revivals();
    const first = revivals.flat()[0] ?? this.#revive({ active: true, cols: 0, rows: 0 }, "the pane", true);
    const seed = await this.#create(first);
    if (!seed.ok) return seed.error;
    const made: (ResourceId | null)[][] = [];
    for (const row of revivals) {
      const panes: (ResourceId | null)[] = [];
      for (const revival of row) panes.push(revival === first ? seed.value : await this.#add(revival, seed.value));
      made.push(panes);
    }
    this.#resize(made);
    const lost = await this.#draw(made);
    if (lost === null && windows.length > 1 && windows.some(({ layout }) => layout === undefined)) {
      this.warnings.push("the archive does not draw all of its windows: their panes are there, in no tab");
    }
    return lost;
  }

  #revivals(): readonly (readonly Revival[])[] {
    return this.#session.windows.map(({ panes }, window) =>
      panes.map((pane, at) => this.#revive(pane, `pane ${at} of window ${window}`, false)),
    );
  }
}
