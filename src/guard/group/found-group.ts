/** The group that a call names: a session, by its id or its name. Pure. */
import { type Refusal, refuse } from "../../phux/errors.ts";
import type { Inventory } from "../../phux/inventory.ts";
import type { SessionRow } from "../../wire/frame.ts";
import { fail, ok, type Result } from "../../wire/result.ts";

/** How many groups a message lists before it only counts the rest. */
const LISTED = 8;

/** The one session with this id or this name. A text that is one's id and another's name is refused, as is no match. */
export function findGroup(inventory: Inventory, text: string): Result<SessionRow, Refusal> {
  const { sessions } = inventory.snapshot;
  const found = sessions.filter(({ id, name }) => String(id) === text || name === text);
  const [only, ...others] = found;
  const quoted = JSON.stringify(text);
  if (only === undefined) {
    const remedy = sessions.length === 0 ? "make one with create_group" : `there are ${listOf(sessions)}`;
    return fail(refuse("no_such_target", `there is no group ${quoted}`, remedy));
  }
  if (others.length === 0) return ok(only);
  const message = `${quoted} is the id or the name of ${found.length} groups: ${listOf(found)}`;
  return fail(
    refuse("selector_not_single", message, "rename one of them with update_group, by its name or its other id"),
  );
}

function listOf(sessions: readonly SessionRow[]): string {
  const rest = sessions.length - LISTED;
  const names = sessions.slice(0, LISTED).map(({ id, name }) => `${id} (${JSON.stringify(name)})`);
  return names.join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
