import { statSync } from "node:fs";
import type { Connection } from "../../../src/phux/connection.ts";
import { sentence } from "../../../src/phux/errors.ts";
import { layoutKey, writeLayout } from "../../../src/phux/layouts.ts";
import { refuseSessionName } from "../../../src/phux/session-name.ts";
import type { ResourceId } from "../../../src/wire/frame.ts";
import { ok, type Result } from "../../../src/wire/result.ts";
import type { ArchivedPane, ArchivedSession } from "./archive-document.ts";
import { layoutOf, type MadePanes } from "./archive-layout.ts";
import { revive } from "./archive-pane.ts";
import { createSession } from "./create-session.ts";
import type { Integration } from "./integrations.ts";
import { encodeOrigin, type LaunchPlan } from "./launch-plan.ts";
import { confirmOrigin, startPane } from "./new-pane.ts";
import type { CliRefusal } from "./refusal.ts";

/** A session that was saved without panes comes back with one. */
const anyPane: ArchivedPane = { active: true, cols: 0, rows: 0 };

/**
 * Makes an archived session again: its first pane with the session, the others beside it, each with its size, and then
 * the tabs in which they were drawn. The refusal says why there is no such session now; what only part of it lacks is a
 * warning.
 */
export async function rebuildSession(
  connection: Connection,
  session: ArchivedSession,
  integrations: readonly Integration[],
  warn: (message: string) => void,
): Promise<CliRefusal | null> {
  const unnameable = refuseSessionName(session.name);
  if (unnameable !== null) return unnameable;
  const windows = session.windows.some(({ panes }) => panes.length > 0)
    ? session.windows
    : [{ name: "", active: true, panes: [anyPane] }];
  const made: (ResourceId | null)[][] = [];
  let seed: ResourceId | null = null;
  for (const [at, { panes }] of windows.entries()) {
    const row: (ResourceId | null)[] = [];
    for (const [index, pane] of panes.entries()) {
      const label = `pane ${index} of window ${at}`;
      const { plan, warnings } = revive({ session, pane, label, isFirst: seed === null }, { integrations, isFolder });
      for (const warning of warnings) warn(warning);
      const started: Result<ResourceId, CliRefusal> =
        seed === null
          ? await createSeed(connection, session.name, plan)
          : await startPane(connection, { ...plan, owner: seed });
      if (!started.ok && seed === null) return started.error;
      if (!started.ok) warn(`${label} could not be started: ${started.error.message}`);
      const id: ResourceId | null = started.ok ? started.value : null;
      if (id !== null) await finish(connection, id, pane, plan, (message) => warn(`${label}: ${message}`));
      seed ??= id;
      row.push(id);
    }
    made.push(row);
  }
  return draw(connection, { ...session, windows }, made, warn);
}

async function createSeed(
  connection: Connection,
  name: string,
  plan: LaunchPlan,
): Promise<Result<ResourceId, CliRefusal>> {
  const { argv: command, cwd, env, origin } = plan;
  const created = await createSession(connection, {
    ...{ name, command, cwd, key: null },
    env: Object.fromEntries(env.map(({ name, value }) => [name, value])),
    origin: origin === null ? null : encodeOrigin(origin),
  });
  return created.ok ? ok({ tag: "local", id: created.value }) : created;
}

async function finish(
  connection: Connection,
  pane: ResourceId,
  { cols, rows }: ArchivedPane,
  { origin }: LaunchPlan,
  warn: (message: string) => void,
): Promise<void> {
  // It has no answer. A pane that ended meanwhile, or that somebody watches, keeps the size that it has.
  if (cols > 0 && rows > 0) connection.post({ name: "RESIZE_TERMINAL", value: { terminal_id: pane, cols, rows } });
  const unconfirmed = origin === null ? null : await confirmOrigin(connection, pane, origin);
  if (unconfirmed !== null) warn(unconfirmed.message);
}

async function draw(
  connection: Connection,
  { name, windows }: ArchivedSession,
  made: MadePanes,
  warn: (message: string) => void,
): Promise<CliRefusal | null> {
  const state = await connection.state();
  if (!state.ok) return state.error.refusal;
  const session = state.value.snapshot.sessions.find((one) => one.name === name);
  if (session === undefined) return sentence("its first program ended at once, and the session with it");
  if (windows.length > 1 && windows.some(({ layout }) => layout === undefined)) {
    warn("the archive does not say how all of its windows are drawn: their panes are there, in no tab");
  }
  const layout = layoutOf(windows, made, connection.dialect.layout);
  if (layout === null) return null;
  const refusal = await writeLayout(connection, layoutKey(session.id), layout);
  if (refusal !== null) warn(`its layout could not be stored: ${refusal.message}`);
  return null;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
