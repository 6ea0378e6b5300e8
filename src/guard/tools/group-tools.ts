/** The tools about groups, which are phux's sessions, in the order of guard.md's table. */

import type { Connection } from "../../phux/connection.ts";
import { createSession } from "../../phux/create-session.ts";
import { type Refusal, sentence } from "../../phux/errors.ts";
import { Inventory } from "../../phux/inventory.ts";
import { renameSession } from "../../phux/rename.ts";
import { formatResource } from "../../phux/selector.ts";
import { refuseSessionName } from "../../phux/session-name.ts";
import type { Document } from "../../tools/tool.ts";
import type { SessionRow } from "../../wire/frame.ts";
import { fail, ok, type Result } from "../../wire/result.ts";
import { findGroup } from "../group/found-group.ts";
import { changeGroupLook, readGroupLook } from "../group/group-look.ts";
import { moveIn } from "../group/move-in.ts";
import { colors, MOST_NAME_BYTES, shownLook } from "../look.ts";
import { findTerminal } from "../terminal/found-terminal.ts";
import { type GuardedCall, type GuardTool, guardTool } from "../tool.ts";
import { colorOrNone, group, iconOrNone, line, optional, terminal } from "./argument.ts";

const looks = { color: optional(colorOrNone), icon: optional(iconOrNone) };
const groupName = (about: string) => line(`${about} No @, # or % in front, no ":" or "/@".`, MOST_NAME_BYTES, 1);

const listGroups = guardTool({
  name: "list_groups",
  about: "Every group of terminals, a phux session: id, name, icon, colour, its terminals, and who is attached to it.",
  readOnly: true,
  input: {},
  cuts: [{ at: ["groups"], hint: "groups keeps the newest ids" }],
  async run(_, call) {
    const found = await inventoryOf(call);
    if (!found.ok) return found;
    const [connection, inventory] = found.value;
    const groups: object[] = [];
    for (const session of inventory.snapshot.sessions) {
      const shown = await describe(connection, session, inventory);
      if (!shown.ok) return shown;
      groups.push(shown.value);
    }
    return ok({ schema_version: 1, groups });
  },
});

const createGroup = guardTool({
  name: "create_group",
  about: "Make a group, with one shell in it. The name must be free.",
  readOnly: false,
  input: { name: groupName("Name of the group."), ...looks },
  async run({ name, color, icon }, call) {
    const wrong = refuseSessionName(name);
    if (wrong !== null) return fail(wrong);
    const connection = await call.connect();
    if (!connection.ok) return connection;
    const env = { PHUX_MCP_SOCKET: call.guardSocket };
    const made = await createSession(connection.value, { name, cwd: null, env });
    if (!made.ok) return made;
    return changed(connection.value, made.value.session, { color, icon });
  },
});

const updateGroup = guardTool({
  name: "update_group",
  about: 'Rename a group, or give it another icon or colour; "" clears those two. Its id stays.',
  readOnly: false,
  input: { group: group("The group."), name: optional(groupName("New name.")), ...looks },
  async run({ group: text, name, color, icon }, call) {
    const wrong = name === undefined ? null : refuseSessionName(name);
    if (wrong !== null) return fail(wrong);
    if (name === undefined && color === undefined && icon === undefined) {
      return fail(sentence("update_group: give name, color or icon", 2));
    }
    const found = await inventoryOf(call);
    if (!found.ok) return found;
    const [connection, inventory] = found.value;
    const session = findGroup(inventory, text);
    if (!session.ok) return session;
    const renamed = name === undefined ? ok(null) : await renameSession(connection, session.value.name, name);
    return renamed.ok ? changed(connection, session.value.id, { color, icon }) : renamed;
  },
});

const moveToGroup = guardTool({
  name: "move_to_group",
  about:
    "Move a terminal into another group, beside what is shown there. It keeps running. It takes no right along, and what " +
    "was granted for the whole of that group does not reach it. A group that loses its last terminal goes.",
  readOnly: false,
  input: { terminal, group: group("Where it goes.") },
  async run({ terminal: name, group: text }, call) {
    const connection = await call.connect();
    if (!connection.ok) return connection;
    const found = await findTerminal(connection.value, name);
    if (!found.ok) return found;
    const session = findGroup(found.value.inventory, text);
    if (!session.ok) return session;
    const [from, to] = [found.value.session, session.value];
    const moves = from?.id !== to.id;
    const failed = moves ? await moveIn(connection.value, found.value, to) : null;
    if (failed !== null) return fail(failed);
    const group = { id: String(to.id), name: to.name };
    return ok({ schema_version: 1, terminal: found.value.name, moved: moves, group });
  },
});

const listThemeColors = guardTool({
  name: "list_theme_colors",
  about: "The colours that a terminal or a group can have: the sixteen of every terminal's palette, by name and index.",
  readOnly: true,
  input: {},
  run: async () => ok({ schema_version: 1, colors: colors.map((name, index) => ({ name, index })) }),
});

export const groupTools: readonly GuardTool[] = [listGroups, createGroup, updateGroup, moveToGroup, listThemeColors];

async function inventoryOf(call: GuardedCall): Promise<Result<readonly [Connection, Inventory], Refusal>> {
  const connection = await call.connect();
  if (!connection.ok) return connection;
  const state = await connection.value.state();
  return state.ok ? ok([connection.value, new Inventory(state.value.snapshot)]) : fail(state.error.refusal);
}

/** The group after its look was changed, as the server shows it then. */
async function changed(
  connection: Connection,
  id: number,
  change: { readonly color: string | undefined; readonly icon: string | undefined },
): Promise<Result<Document, Refusal>> {
  const state = await connection.state();
  if (!state.ok) return fail(state.error.refusal);
  const inventory = new Inventory(state.value.snapshot);
  const session = inventory.snapshot.sessions.find((one) => one.id === id);
  if (session === undefined) return fail(sentence(`group ${id} ended meanwhile`));
  const look = await changeGroupLook(connection, session, change);
  if (!look.ok) return look;
  const shown = await describe(connection, session, inventory);
  return shown.ok ? ok({ schema_version: 1, group: shown.value }) : shown;
}

async function describe(
  connection: Connection,
  session: SessionRow,
  inventory: Inventory,
): Promise<Result<Document, Refusal>> {
  const look = await readGroupLook(connection, session);
  if (!look.ok) return look;
  const { icon, color } = shownLook(look.value);
  const terminals = inventory.terminalsOf(session).map(({ id }) => formatResource(id));
  return ok({
    id: String(session.id),
    name: session.name,
    icon,
    color,
    terminals,
    attached: session.attached_client_count,
  });
}
