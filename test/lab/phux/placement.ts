import type { Connection } from "../../../src/phux/connection.ts";
import { refuse } from "../../../src/phux/errors.ts";
import { Inventory } from "../../../src/phux/inventory.ts";
import { type Divider, draws, isBeside, seedLayout, splitBeside } from "../../../src/phux/layout-edit.ts";
import { readLayout, writeLayout } from "../../../src/phux/layouts.ts";
import { type PlacedPane, placeOf, refuseHomeless } from "../../../src/phux/pane-roles.ts";
import { keyWithin } from "../../../src/phux/projection.ts";
import { refuseSeveral } from "../../../src/phux/selection-refusal.ts";
import { formatResource } from "../../../src/phux/selector.ts";
import { matchPanes, type Remarks, selectorOf } from "../../../src/phux/target.ts";
import type { ResourceId } from "../../../src/wire/frame.ts";
import type { LayoutDocument } from "../../../src/wire/layout-document.ts";
import { fail, ok, type Result } from "../../../src/wire/result.ts";
import type { CliRefusal } from "./refusal.ts";

/** Where a new pane is to be drawn, as it was asked for. */
export interface Wanted {
  readonly target: string;
  readonly split: Divider;
  /** The share that the owner keeps. */
  readonly ratio: number;
  readonly projection: string | null;
}

/** The pane beside which it is to be drawn, and the layout in which. */
export interface Owner {
  readonly place: PlacedPane;
  readonly key: string;
}

/** What is wrong with a placement before anything is looked at. */
export function refuseWanted({ target, ratio }: Wanted): CliRefusal | null {
  const share = Math.fround(ratio);
  if (!(share > 0 && share < 1)) {
    return refuse("invalid_ratio", `a share of ${ratio} leaves one of the two panes no room`);
  }
  const selector = selectorOf(target);
  return selector.ok ? null : selector.error;
}

/**
 * The owner of a placement: one local pane, drawn where the new one is to be drawn. Nothing has been started when it is
 * refused, with a code of the spatial tools (client.md 4.21).
 */
export async function findOwner(
  connection: Connection,
  wanted: Wanted,
  remarks: Remarks,
): Promise<Result<Owner, CliRefusal>> {
  const selector = selectorOf(wanted.target);
  if (!selector.ok) return selector;
  const state = await connection.state();
  if (!state.ok) return fail(state.error.refusal);
  const { snapshot, notices } = state.value;
  const inventory = new Inventory(snapshot);
  const found = await matchPanes(connection, selector.value, inventory);
  if (!found.ok) return found;
  for (const notice of notices) remarks.remark(`part of the fleet did not answer: ${notice}`);
  const [pane, ...more] = found.value;
  if (pane === undefined) return fail(refuse("selector_miss", `${JSON.stringify(wanted.target)} matches no pane`));
  if (more.length > 0) return fail(refuseSeveral(wanted.target, found.value));
  if (pane.tag === "satellite") return fail(refuse("satellite_target", `${formatResource(pane)} is on another host`));
  const place = placeOf(inventory, pane);
  if (place === null) return fail(refuseHomeless(pane));
  const key = keyWithin(wanted.projection === null ? [] : [wanted.projection], place.session);
  if (!key.ok) return key;
  const layout = await layoutFor(connection, { place, key: key.value });
  if (!layout.ok) return layout;
  if (draws(layout.value, pane)) return ok({ place, key: key.value });
  return fail(refuse("pane_not_in_layout", `no tab of its session draws ${formatResource(pane)}`));
}

/** Draws a pane beside its owner; what stands in the way, or null. */
export async function placeBeside(
  connection: Connection,
  owner: Owner,
  pane: ResourceId,
  { split, ratio }: Wanted,
): Promise<CliRefusal | null> {
  const state = await connection.state();
  if (!state.ok) return state.error.refusal;
  const inventory = new Inventory(state.value.snapshot);
  // A layout must never name a pane of another session, and an older server may not heed the owner.
  for (const member of [owner.place.pane, pane]) {
    const now = placeOf(inventory, member);
    if (now?.window !== owner.place.window) {
      return refuse("layout_rejected", `${formatResource(member)} is not in the window of its owner`);
    }
  }
  const before = await layoutFor(connection, owner);
  if (!before.ok) return before.error;
  const after = splitBeside(before.value, owner.place.pane, pane, split, ratio);
  if (!after.ok) return after.error;
  return writeLayout(connection, owner.key, after.value, (stored) =>
    isBeside(stored, owner.place.pane, pane, split, ratio),
  );
}

/** The layout in which an owner is drawn. A key that nobody has set shows the owner alone. */
async function layoutFor(connection: Connection, { place, key }: Owner): Promise<Result<LayoutDocument, CliRefusal>> {
  const stored = await readLayout(connection, key);
  if (!stored.ok) return stored;
  switch (stored.value.kind) {
    case "layout":
      return ok(stored.value.layout);
    case "absent":
      return ok(seedLayout(place.pane, connection.dialect.layout));
    case "unreadable":
      return fail(refuse("layout_rejected", `${key} does not decode: ${stored.value.message}`));
    case "refused":
      return fail(stored.value.refusal);
  }
}
