import type { ResourceId } from "../wire/frame.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import type { Connection } from "./connection.ts";
import { type Refusal, refuse } from "./errors.ts";
import { pickOne } from "./resolve.ts";
import { refuseSeveral } from "./selection-refusal.ts";
import { formatResource } from "./selector.ts";
import { type FoundPanes, findPanes, type Remarks } from "./target.ts";

/**
 * The one pane of this host that a selector names, for what a hub does not pass on. Of several the focused one, else the
 * first (client.md 3.4). Refused: another host's pane, and a resource that is no pane.
 */
export async function findLocalPane(
  connection: Connection,
  text: string,
  remarks: Remarks,
): Promise<Result<ResourceId, Refusal>> {
  const found = await find(connection, text, remarks);
  if (!found.ok) return found;
  const { panes, inventory } = found.value;
  return asLocalPane(pickOne(panes, inventory.snapshot) ?? panes[0], found.value);
}

/** The same, where a choice would be a guess: several are a refusal (client.md 3.4, the tools that demand exactly one). */
export async function findOnlyLocalPane(
  connection: Connection,
  text: string,
  remarks: Remarks,
): Promise<Result<ResourceId, Refusal>> {
  const found = await find(connection, text, remarks);
  if (!found.ok) return found;
  const [pane, ...others] = found.value.panes;
  return others.length === 0 ? asLocalPane(pane, found.value) : fail(refuseSeveral(text, found.value.panes));
}

async function find(connection: Connection, text: string, remarks: Remarks): Promise<Result<FoundPanes, Refusal>> {
  const state = await connection.state();
  return state.ok ? findPanes(connection, text, state.value, remarks) : fail(state.error.refusal);
}

function asLocalPane(pane: ResourceId, { inventory }: FoundPanes): Result<ResourceId, Refusal> {
  const name = formatResource(pane);
  if (pane.tag === "satellite") return fail(refuse("satellite_target", `${name} is on another host`));
  if (inventory.isTerminal(pane)) return ok(pane);
  return fail(refuse("wrong_resource_kind", `${name} is no pane but of kind ${inventory.kindOf(pane)}`));
}
