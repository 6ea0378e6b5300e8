import type { ResourceId } from "../wire/frame.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import type { Connection } from "./connection.ts";
import { type Refusal, refuse } from "./errors.ts";
import { Inventory } from "./inventory.ts";
import { refuseSeveral } from "./selection-refusal.ts";
import { formatResource, parseSelector, type Selector } from "./selector.ts";
import { matchPanes, type ReadLayouts, type Remarks } from "./target.ts";

/** What a pane is to an edit of the layout, and the selector that names it. */
export interface Role {
  readonly name: "target" | "new-pane" | "source" | "first" | "second";
  readonly selector: string;
}

/** A local pane and the window and session that the server counts it to. */
export interface PlacedPane {
  readonly pane: ResourceId;
  readonly window: number;
  readonly session: number;
}

/** A role's selector that does not parse, before anything is opened; the message names the role (client.md 4.21). */
export function refuseRole(role: Role): Refusal | null {
  const selector = selectorOf(role);
  return selector.ok ? null : selector.error;
}

/**
 * The two panes of a spatial tool: each role names exactly one, a local one; they differ, and the server knows the
 * session of both (client.md 4.21, steps 3 to 5).
 */
export async function findRoles(
  connection: Connection,
  roles: readonly [Role, Role],
  remarks: Remarks,
): Promise<Result<readonly [PlacedPane, PlacedPane], Refusal>> {
  const state = await connection.state();
  if (!state.ok) return fail(state.error.refusal);
  const { snapshot, notices } = state.value;
  const inventory = new Inventory(snapshot);
  const layouts: ReadLayouts = new Map();
  const one = await findRole(connection, roles[0], inventory, layouts, notices);
  if (!one.ok) return one;
  const other = await findRole(connection, roles[1], inventory, layouts, notices);
  if (!other.ok) return other;
  for (const notice of notices) remarks.remark(`part of the fleet did not answer: ${notice}`);
  if (one.value.id === other.value.id) {
    return fail(refuse("same_pane", `${roles[0].name} and ${roles[1].name} are both ${formatResource(one.value)}`));
  }
  const first = placeOf(inventory, one.value);
  if (first === null) return fail(refuseHomeless(one.value));
  const second = placeOf(inventory, other.value);
  return second === null ? fail(refuseHomeless(other.value)) : ok([first, second]);
}

/** The window and the session that the server counts a pane to, or null when it is in none of this server's. */
export function placeOf(inventory: Inventory, pane: ResourceId): PlacedPane | null {
  const row = inventory.find(pane);
  const window = row === null ? null : inventory.windowOf(row);
  return window === null ? null : { pane, window: window.id, session: window.session_id };
}

/** A pane of which `placeOf` knows no place. */
export function refuseHomeless(pane: ResourceId): Refusal {
  return refuse("unknown_terminal_session", `no session of this server owns ${formatResource(pane)}`);
}

/** The one local pane of a role. An agent's name is an identity, not a place: it never matches here (client.md 4.21). */
async function findRole(
  connection: Connection,
  role: Role,
  inventory: Inventory,
  layouts: ReadLayouts,
  notices: readonly string[],
): Promise<Result<ResourceId, Refusal>> {
  const selector = selectorOf(role);
  if (!selector.ok) return selector;
  const isAgent = selector.value.form === "agent";
  const found = isAgent ? ok([]) : await matchPanes(connection, selector.value, inventory, {}, layouts);
  if (!found.ok) return found;
  const [pane, ...more] = found.value;
  if (pane === undefined) return fail(missOf(role, isAgent, notices));
  if (more.length > 0) {
    const several = refuseSeveral(role.selector, found.value);
    return fail({ ...several, message: `${role.name}: ${several.message}` });
  }
  if (pane.tag === "local") return ok(pane);
  return fail(refuse("satellite_target", `${role.name}: ${formatResource(pane)} is on another host`));
}

function missOf(role: Role, isAgent: boolean, notices: readonly string[]): Refusal {
  const shown = JSON.stringify(role.selector);
  if (isAgent) return refuse("selector_miss", `${role.name}: ${shown} names an agent, and a pane is needed here`);
  const unsure =
    notices.length === 0 ? "" : `, in a view that part of the fleet did not answer (${notices.join("; ")})`;
  return refuse("selector_miss", `${role.name}: ${shown} matches no pane${unsure}`);
}

function selectorOf({ name, selector: text }: Role): Result<Selector, Refusal> {
  const selector = parseSelector(text);
  return selector.ok ? selector : fail(refuse("invalid_selector", `${name}: ${selector.error.message}`));
}
