import type { Connection } from "../../phux/connection.ts";
import { carryAcross } from "../../phux/cross-session-move.ts";
import { type Refusal, refuse } from "../../phux/errors.ts";
import type { Inventory } from "../../phux/inventory.ts";
import { seedLayout } from "../../phux/layout-edit.ts";
import { layoutKey, readLayout, writeLayout } from "../../phux/layouts.ts";
import { type PlacedPane, placeOf, refuseHomeless } from "../../phux/pane-roles.ts";
import { leavesOf } from "../../phux/resolve.ts";
import { requireFeature } from "../../phux/target.ts";
import type { ResourceId, SessionRow } from "../../wire/frame.ts";
import type { LayoutDocument } from "../../wire/layout-document.ts";
import { fail, ok, type Result } from "../../wire/result.ts";
import { type FoundTerminal, findTerminal } from "../terminal/found-terminal.ts";
import { markMoved, unmarkMoved, wasMoved } from "../terminal/moved-mark.ts";

const BESIDE = { divider: "horizontal", ratio: 0.5, projection: [] } as const;

/** Moves a terminal into another group, and marks it before that: no grant for that group reaches it. Null: it moved. */
export async function moveIn(
  connection: Connection,
  terminal: FoundTerminal,
  group: SessionRow,
): Promise<Refusal | null> {
  const source = placeOf(terminal.inventory, terminal.id);
  if (source === null) return refuseHomeless(terminal.id);
  const lacking = requireFeature(connection, "move_resource");
  if (lacking !== null) return lacking;
  const target = await drawnPane(connection, terminal.inventory, group);
  if (!target.ok) return target.error;
  const before = await wasMoved(connection, terminal.id);
  if (!before.ok) return before.error;
  const unmarked = before.value ? null : await markMoved(connection, terminal.id);
  if (unmarked !== null) return unmarked;
  const failed = await carryAcross(connection, source, target.value, BESIDE);
  if (failed === null || before.value) return failed;
  // The mark goes only from a terminal that certainly stayed where it was.
  const now = await findTerminal(connection, terminal.name);
  if (now.ok && now.value.session?.id === source.session) await unmarkMoved(connection, terminal.id);
  return failed;
}

/** A pane of the group that its layout draws, so that another can be drawn beside it. */
async function drawnPane(
  connection: Connection,
  inventory: Inventory,
  group: SessionRow,
): Promise<Result<PlacedPane, Refusal>> {
  const layout = await layoutOf(connection, inventory, group);
  if (!layout.ok) return layout;
  const { windows, focused_window_index: active } = layout.value;
  const tabs = [...windows.slice(active), ...windows.slice(0, active)];
  const drawn = tabs.flatMap(({ root, focused_terminal }) => [focused_terminal, ...leavesOf(root)]);
  const places = drawn.map((pane) => placeOf(inventory, pane));
  const found = places.find((place) => place?.session === group.id && place.pane.tag === "local");
  if (found !== undefined && found !== null) return ok(found);
  return fail(refuse("destination_layout_failed", `the layout of group ${group.id} draws none of its terminals`));
}

/** The layout of a group, made for one that nobody has looked at yet. */
async function layoutOf(
  connection: Connection,
  inventory: Inventory,
  group: SessionRow,
): Promise<Result<LayoutDocument, Refusal>> {
  const key = layoutKey(group.id);
  const stored = await readLayout(connection, key);
  if (!stored.ok) return stored;
  switch (stored.value.kind) {
    case "layout":
      return ok(stored.value.layout);
    case "refused":
      return fail(stored.value.refusal);
    case "unreadable":
      return fail(refuse("layout_rejected", `${key} does not decode: ${stored.value.message}`));
    case "absent": {
      const owner: ResourceId | null = inventory.activeTerminalOf(group);
      if (owner === null) {
        return fail(refuse("destination_layout_failed", `group ${group.id} has no terminal`));
      }
      const seed = seedLayout(owner, connection.dialect.layout);
      const failed = await writeLayout(connection, key, seed);
      return failed === null ? ok(seed) : fail(failed);
    }
  }
}
