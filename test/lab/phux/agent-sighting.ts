import { AGENT_KEY, agentStates, parseAgentRecord } from "../../../src/phux/agent-record.ts";
import type { Connection } from "../../../src/phux/connection.ts";
import type { Inventory } from "../../../src/phux/inventory.ts";
import { ScreenReader } from "../../../src/phux/screen-read.ts";
import { formatResource } from "../../../src/phux/selector.ts";
import type { ResourceId } from "../../../src/wire/frame.ts";
import { fail, ok, type Result } from "../../../src/wire/result.ts";
import { manifestOfPane, type Sighting, type StreamSighting } from "./agent-report.ts";
import type { Call } from "./call.ts";
import { paneProcess } from "./pane-process.ts";
import type { CliRefusal } from "./refusal.ts";

/** Reads everything about a pane that tells of an agent. Only a lost connection fails: refused reads leave gaps. */
export async function sightAgent(
  connection: Connection,
  inventory: Inventory,
  pane: ResourceId,
  call: Call,
): Promise<Result<Sighting, CliRefusal>> {
  const stored = await connection.metadata({ tag: "resource", id: pane }, AGENT_KEY);
  if (!stored.ok && stored.error.wireCode === null) return fail(stored.error.refusal);
  const bytes = stored.ok ? stored.value : null;
  const record = parseAgentRecord(bytes);
  const process = await paneProcess(connection, pane);
  if (!process.ok) return process;
  const foreground = process.value.occupant?.name ?? null;
  const rows = manifestOfPane({ record, foreground }) === null ? ok(null) : await screenRows(connection, pane, call);
  if (!rows.ok) return rows;
  const row = inventory.find(pane);
  const window = row && inventory.windowOf(row);
  const session = inventory.snapshot.sessions.find(({ id }) => id === window?.session_id);
  return ok({
    ...{ terminal: formatResource(pane), session: session?.name ?? null, window: window?.name ?? null },
    ...{ title: row?.title ?? null, cwd: row?.cwd ?? null, record, foreground, rows: rows.value },
    recordText: bytes === null ? "" : new TextDecoder().decode(bytes),
    stream: streamOf(inventory, pane),
  });
}

/** The rows of a pane's screen, null where the server does not give them. */
export async function screenRows(
  connection: Connection,
  pane: ResourceId,
  call: Call,
): Promise<Result<readonly string[] | null, CliRefusal>> {
  const reader = new ScreenReader(connection, () => call.dial(connection.server.socket));
  const screen = await reader.read({ pane });
  if (screen.ok) return ok(screen.value.lines ?? null);
  return screen.error.wireCode === null ? fail(screen.error.refusal) : ok(null);
}

function streamOf(inventory: Inventory, pane: ResourceId): StreamSighting | null {
  const [session] = inventory.agentSessionsOf(pane);
  const facet = session === undefined ? null : inventory.agentFacetOf(session);
  if (session === undefined || facet === null) return null;
  const state = agentStates.find((word) => word === facet.state) ?? "unknown";
  return { resource: formatResource(session), provider: facet.provider, native_id: facet.native_id, state };
}
