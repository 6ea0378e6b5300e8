import type { ResourceId } from "../wire/frame.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import type { Connection, StateView } from "./connection.ts";
import type { Refusal } from "./errors.ts";
import { Inventory } from "./inventory.ts";
import { pickOne } from "./resolve.ts";
import { refuseMiss } from "./selection-refusal.ts";
import { formatResource } from "./selector.ts";
import { explicitId, findPanes, type Remarks, selectorOf } from "./target.ts";

/** A resource of any kind, in the state that it was found in. */
export interface FoundResource {
  readonly id: ResourceId;
  readonly inventory: Inventory;
  readonly state: StateView;
}

/**
 * The one resource that a selector names: an explicit id as it is written, whatever its kind; for any other form the
 * pane that a single-pane tool would take (client.md 4.17).
 */
export async function findResource(
  connection: Connection,
  text: string,
  remarks: Remarks,
): Promise<Result<FoundResource, Refusal>> {
  const selector = selectorOf(text);
  if (!selector.ok) return selector;
  const state = await connection.state();
  if (!state.ok) return fail(state.error.refusal);
  const { snapshot, notices } = state.value;
  const id = explicitId(selector.value);
  if (id !== null) {
    const inventory = new Inventory(snapshot);
    const found = { id, inventory, state: state.value };
    return inventory.find(id) === null ? fail(refuseMiss(formatResource(id), notices)) : ok(found);
  }
  const found = await findPanes(connection, text, state.value, remarks);
  if (!found.ok) return found;
  const { panes, inventory } = found.value;
  return ok({ id: pickOne(panes, snapshot) ?? panes[0], inventory, state: state.value });
}
