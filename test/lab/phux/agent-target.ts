import type { Connection } from "../../../src/phux/connection.ts";
import { refuse } from "../../../src/phux/errors.ts";
import type { Inventory } from "../../../src/phux/inventory.ts";
import { pickOne } from "../../../src/phux/resolve.ts";
import { formatResource } from "../../../src/phux/selector.ts";
import { findPanes, type Remarks, selectorOf, type TargetRules } from "../../../src/phux/target.ts";
import type { ResourceId } from "../../../src/wire/frame.ts";
import { fail, ok, type Result } from "../../../src/wire/result.ts";
import type { CliRefusal } from "./refusal.ts";

/** The focused session: whose agent is meant when nobody says. */
export const CURRENT = ".";

/** What the verbs that type to an agent change about finding it (tools.md section 11). */
export const TYPES: TargetRules = { forInput: true, partialViewExit: 1 };

export interface FoundPane {
  readonly pane: ResourceId;
  readonly name: string;
  readonly inventory: Inventory;
}

/** The one pane that a selector names, on any host: of several the focused one, else the first (client.md 3.4). */
export async function findPane(
  connection: Connection,
  target: string,
  remarks: Remarks,
  rules: TargetRules = {},
): Promise<Result<FoundPane, CliRefusal>> {
  const state = await connection.state();
  if (!state.ok) return fail(state.error.refusal);
  const found = await findPanes(connection, target, state.value, remarks, rules);
  if (!found.ok) return found;
  const { panes, inventory } = found.value;
  const pane = pickOne(panes, inventory.snapshot) ?? panes[0];
  const name = formatResource(pane);
  if (inventory.isTerminal(pane)) return ok({ pane, name, inventory });
  return fail(refuse("wrong_resource_kind", `${name} is no pane but of kind ${inventory.kindOf(pane)}`));
}

/** The same, where only a pane of this host will do: records of others do not cross a hub. */
export async function findOwnPane(
  connection: Connection,
  target: string,
  remarks: Remarks,
  rules: TargetRules = {},
): Promise<Result<FoundPane, CliRefusal>> {
  const found = await findPane(connection, target, remarks, rules);
  if (!found.ok || found.value.pane.tag === "local") return found;
  return fail(refuse("satellite_target", `${found.value.name} is on another host`));
}

/** A text that cannot be a selector is refused before anything is opened. */
export function refuseTarget(target: string, rules: TargetRules = {}): CliRefusal | null {
  const selector = selectorOf(target, rules);
  return selector.ok ? null : selector.error;
}
