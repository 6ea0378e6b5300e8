import { insertPane, movePane, swapPane } from "../phux/arrange.ts";
import type { Refusal } from "../phux/errors.ts";
import { type Role, refuseRole } from "../phux/pane-roles.ts";
import { ok } from "../wire/result.ts";
import { oneOf, optional, ratio, socket, text, texts } from "./argument.ts";
import { inProcess } from "./tool.ts";

const EDITS_A_LAYOUT = ["GET_STATE", "GET_METADATA", "SET_METADATA"] as const;

const placing = {
  direction: optional(
    oneOf(["horizontal", "vertical"], "Divider: horizontal (default) puts it below, vertical right."),
  ),
  ratio: optional(ratio("Target's share; default 0.5.")),
};

const within = optional(texts("One layout key in full; default the session's.", 0, 2));
const between = optional(texts("Layout key in full, one a session; default their own.", 0, 2));

function refuseRoles(...roles: readonly Role[]): Refusal | null {
  return roles.map(refuseRole).find((refusal) => refusal !== null) ?? null;
}

export const insert = inProcess({
  name: "phux_insert_pane",
  verb: "phux insert-pane",
  sets: ["panes"],
  about: "Draw an unplaced pane in its session's layout, as a split of a drawn one. Only the picture changes.",
  touches: { methods: EDITS_A_LAYOUT },
  input: {
    target: text("Drawn local pane to split."),
    new_pane: text("Undrawn local pane."),
    ...placing,
    projection: within,
    socket,
  },
  exclude: (given) =>
    refuseRoles({ name: "target", selector: given.target }, { name: "new-pane", selector: given.new_pane }),
  async run(given, call) {
    const connection = await call.connect(given.socket);
    if (!connection.ok) return connection;
    const { direction = "horizontal", ratio: share = 0.5, projection = [] } = given;
    const placement = { divider: direction, ratio: share, projection };
    const inserted = await insertPane(connection.value, given.target, given.new_pane, placement, call);
    if (!inserted.ok) return inserted;
    const { session, panes } = inserted.value;
    return ok({
      schema_version: 1,
      operation: "insert-pane",
      session_id: session,
      target_terminal_id: panes[0],
      new_terminal_id: panes[1],
      direction,
      // As it is stored: a 32-bit float.
      ratio: Math.fround(share),
    });
  },
});

export const move = inProcess({
  name: "phux_move_pane",
  verb: "phux mv",
  sets: ["panes"],
  about:
    "Move a pane beside another, in its session or to another one; what runs in it goes on. When it fails between " +
    "sessions, the error says where the pane is.",
  touches: { methods: [...EDITS_A_LAYOUT, "MOVE_RESOURCE", "DELETE_METADATA"] },
  input: {
    source: text("Local pane to move."),
    target: text("Local pane to put it beside."),
    ...placing,
    projection: between,
    socket,
  },
  exclude: (given) =>
    refuseRoles({ name: "source", selector: given.source }, { name: "target", selector: given.target }),
  async run(given, call) {
    const connection = await call.connect(given.socket);
    if (!connection.ok) return connection;
    const { direction = "horizontal", ratio: share = 0.5, projection = [] } = given;
    const placement = { divider: direction, ratio: share, projection };
    const moved = await movePane(connection.value, given.source, given.target, placement, call);
    if (!moved.ok) return moved;
    const { session, panes, sourceSession } = moved.value;
    return ok({
      schema_version: 1,
      operation: "move-pane",
      session_id: session,
      ...(sourceSession !== null && { source_session_id: sourceSession }),
      source_terminal_id: panes[0],
      target_terminal_id: panes[1],
      direction,
      ratio: Math.fround(share),
      ...(sourceSession !== null && { cross_session: true }),
    });
  },
});

export const swap = inProcess({
  name: "phux_swap_pane",
  verb: "phux swap-pane",
  sets: ["panes"],
  about: "Exchange the places of two drawn panes of one session; the splits and their shares stay.",
  touches: { methods: EDITS_A_LAYOUT },
  input: { first: text("One local pane."), second: text("The other."), projection: within, socket },
  exclude: (given) => refuseRoles({ name: "first", selector: given.first }, { name: "second", selector: given.second }),
  async run(given, call) {
    const connection = await call.connect(given.socket);
    if (!connection.ok) return connection;
    const swapped = await swapPane(connection.value, given.first, given.second, given.projection ?? [], call);
    if (!swapped.ok) return swapped;
    const { session, panes } = swapped.value;
    return ok({
      schema_version: 1,
      operation: "swap-pane",
      session_id: session,
      first_terminal_id: panes[0],
      second_terminal_id: panes[1],
    });
  },
});
