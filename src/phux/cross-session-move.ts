import { hasFeature } from "../wire/capability.ts";
import { ErrorCode } from "../wire/error-code.ts";
import type { MoveResult, ResourceId } from "../wire/frame.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import type { Connection } from "./connection.ts";
import { type Refusal, refuse } from "./errors.ts";
import { Inventory } from "./inventory.ts";
import { closePane, type Divider, draws, insertBeside, isBeside } from "./layout-edit.ts";
import { deleteLayout, editLayout } from "./layouts.ts";
import { type PlacedPane, placeOf } from "./pane-roles.ts";
import { keysBetween } from "./projection.ts";
import type { RequestFailure } from "./request-failure.ts";
import { formatResource } from "./selector.ts";

/** How a pane is put beside another: the divider between them, and the share that the other one keeps. */
export interface Placement {
  readonly divider: Divider;
  readonly ratio: number;
  /** Layout keys in place of the sessions' own: none, one, or one for each of two sessions. */
  readonly projection: readonly string[];
}

/**
 * Moves a pane into the session of another one: first on the server, then in the layout of the destination, then out of
 * the layout of the source, so that no layout names a pane that its session does not own (client.md 4.23). What fails
 * before the destination draws the pane is taken back, once, and the refusal says whether that worked. Null: it moved.
 */
export async function carryAcross(
  connection: Connection,
  source: PlacedPane,
  target: PlacedPane,
  { divider, ratio, projection }: Placement,
): Promise<Refusal | null> {
  const keys = keysBetween(projection, source.session, target.session);
  if (!keys.ok) return keys.error;
  if (!hasFeature(connection.server.capabilities, "move_resource")) {
    const message = `the server at ${connection.server.socket} lacks the feature move_resource`;
    return refuse("server_too_old", message, undefined, 1);
  }
  const behind = await lookAgain(connection, source, target);
  if (!behind.ok) return behind.error;
  const answer = await connection.move(source.pane, target.pane);
  const refused = refusedMove(answer, source.pane);
  if (refused !== null) return refused;

  const takeBack = (code: FailedMove, why: string) => rollBack(connection, source, behind.value, code, why);
  const after = await connection.state();
  if (!after.ok) return takeBack("post_move_state_failed", after.error.refusal.message);
  const inventory = new Inventory(after.value.snapshot);
  const stray = [source, target].find(({ pane }) => !isIn(inventory, pane, target));
  if (stray !== undefined) {
    return takeBack("destination_changed", `${formatResource(stray.pane)} is not in the destination's window`);
  }
  const misplaced = await editLayout(
    connection,
    keys.value.destination,
    (layout) => insertBeside(layout, target.pane, source.pane, divider, ratio),
    (layout) => isBeside(layout, target.pane, source.pane, divider, ratio),
  );
  if (misplaced !== null) return takeBack("destination_layout_failed", misplaced.message);
  const stays = inventory.snapshot.sessions.some(({ id }) => id === source.session);
  return cleanSource(connection, source.pane, keys.value.source, stays);
}

/** The state right before the move: both panes are where they were found. The panes that stay behind in the window. */
async function lookAgain(
  connection: Connection,
  source: PlacedPane,
  target: PlacedPane,
): Promise<Result<readonly ResourceId[], Refusal>> {
  const state = await connection.state();
  if (!state.ok) return fail(state.error.refusal);
  const inventory = new Inventory(state.value.snapshot);
  const stray = [source, target].find((placed) => !isIn(inventory, placed.pane, placed));
  if (stray !== undefined) {
    const message = `${formatResource(stray.pane)} left its window meanwhile; nothing was moved`;
    return fail(refuse("destination_changed", message));
  }
  const inWindow = inventory.terminals.map(({ id }) => id).filter((id) => isIn(inventory, id, source));
  return ok(inWindow.filter(({ id }) => id !== source.pane.id));
}

function isIn(inventory: Inventory, pane: ResourceId, { window, session }: PlacedPane): boolean {
  const place = placeOf(inventory, pane);
  return place?.window === window && place.session === session;
}

/** Why the server did not move the pane; null when it did. */
function refusedMove(answer: Result<MoveResult, RequestFailure>, pane: ResourceId): Refusal | null {
  if (!answer.ok) return unanswered(answer.error, pane);
  if (answer.value.tag === "ok") return null;
  const { error } = answer.value;
  return error.tag === "move_failed"
    ? refuse("move_refused", `the server did not move ${formatResource(pane)}: ${error.message}`)
    : satellite(`the server counts one of the two panes to another host, and moves only its own`);
}

/** A move that was answered by an ERROR, or not at all. */
function unanswered({ refusal, wireCode, lost }: RequestFailure, pane: ResourceId): Refusal {
  if (lost) {
    const message = `${refusal.message}; whether ${formatResource(pane)} has moved is not known`;
    return { ...refusal, message, remedy: "look with phux_ls which session owns the pane before anything else" };
  }
  if (wireCode === null || wireCode === ErrorCode.PERMISSION_DENIED) return refusal;
  return wireCode === ErrorCode.UNSUPPORTED_SATELLITE_ROUTE
    ? satellite(refusal.message)
    : refuse("move_refused", refusal.message);
}

// A refusal by the server counts as a failure of the move, not as a bad argument (client.md 9.1).
function satellite(message: string): Refusal {
  return refuse("satellite_target", message, undefined, 1);
}

/**
 * Takes the pane out of the layout that it left, or removes that layout when its session went with the pane. A layout
 * that is not there, or does not draw the pane, needs no cleaning.
 */
async function cleanSource(
  connection: Connection,
  pane: ResourceId,
  key: string,
  stays: boolean,
): Promise<Refusal | null> {
  const failed = stays
    ? await editLayout(
        connection,
        key,
        (layout) => closePane(layout, pane),
        (layout) => !draws(layout, pane),
      )
    : await deleteLayout(connection, key);
  if (failed === null || failed.code === "layout_missing" || failed.code === "pane_not_in_layout") return null;
  const message = `${formatResource(pane)} was moved and placed, but the layout that it left still has it: ${failed.message}`;
  return refuse("source_layout_failed", message);
}

type FailedMove = "post_move_state_failed" | "destination_changed" | "destination_layout_failed";

/** Moves the pane back beside one that stayed in its window, and says in the refusal whether it is there again. */
async function rollBack(
  connection: Connection,
  source: PlacedPane,
  behind: readonly ResourceId[],
  code: FailedMove,
  why: string,
): Promise<Refusal> {
  const name = formatResource(source.pane);
  const left = await movedBack(connection, source, behind);
  if (left === null) {
    const remedy = "the pane is in its old session again: look at both with phux_ls, then try once more";
    return refuse(code, `${name} could not be placed and was moved back: ${why}`, remedy);
  }
  return refuse(
    code,
    `${name} was moved and could not be placed (${why}), and it could not be moved back: ${left}`,
    `look with phux_ls (\`phux ls\`) which session owns ${name}, then place it by hand with phux_insert_pane or phux_move_pane`,
  );
}

/** What stood in the way of moving the pane back; null when the state shows it in its old window. */
async function movedBack(
  connection: Connection,
  source: PlacedPane,
  behind: readonly ResourceId[],
): Promise<string | null> {
  if (behind.length === 0) return "it was alone in its window, which went with it";
  const now = await connection.state();
  if (!now.ok) return now.error.refusal.message;
  const inventory = new Inventory(now.value.snapshot);
  const neighbour = behind.find((pane) => isIn(inventory, pane, source));
  if (neighbour === undefined) return "no pane of its old window is left";
  const refused = refusedMove(await connection.move(source.pane, neighbour), source.pane);
  if (refused !== null) return refused.message;
  const after = await connection.state();
  if (!after.ok) return after.error.refusal.message;
  const isBack = isIn(new Inventory(after.value.snapshot), source.pane, source);
  return isBack ? null : "the server took the move and the pane is elsewhere all the same";
}
