import type { Connection } from "../../phux/connection.ts";
import { type Refusal, sentence } from "../../phux/errors.ts";
import { formatResource } from "../../phux/selector.ts";
import type { ResourceId } from "../../wire/frame.ts";
import { fail, ok, type Result } from "../../wire/result.ts";

/** Metadata key of a pane that an agent brought into another group. Whatever stands there is the mark. */
const MOVED_KEY = "phux-mcp.moved-by-agent/v1";

/** Whether an agent brought the pane into its group. A read that is refused counts as yes: it may only narrow. */
export async function wasMoved(connection: Connection, id: ResourceId): Promise<Result<boolean, Refusal>> {
  const stored = await connection.metadata({ tag: "resource", id }, MOVED_KEY);
  if (stored.ok) return ok(stored.value !== null);
  return stored.error.wireCode === null ? fail(stored.error.refusal) : ok(true);
}

/** Sets the mark. To be done before the move, so that there is no moment in which a grant for the group fits. */
export async function markMoved(connection: Connection, id: ResourceId): Promise<Refusal | null> {
  const value = new TextEncoder().encode(JSON.stringify({ version: 1 }));
  const written = await connection.writeMetadata({ tag: "resource", id }, MOVED_KEY, value);
  if (!written.ok) return written.error.refusal;
  return written.value === null
    ? sentence(`the server did not keep that ${formatResource(id)} is moved by an agent, so it was not moved`)
    : null;
}

/** Takes the mark away again, after a move that did not happen. */
export async function unmarkMoved(connection: Connection, id: ResourceId): Promise<void> {
  await connection.deleteMetadata({ tag: "resource", id }, MOVED_KEY);
}
