import type { ResourceId } from "../wire/frame.ts";
import type { LayoutDocument } from "../wire/layout-document.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import type { Connection } from "./connection.ts";
import { carryAcross, type Placement } from "./cross-session-move.ts";
import { type Refusal, refuse } from "./errors.ts";
import { insertBeside, moveBeside, swapPanes } from "./layout-edit.ts";
import { editLayout } from "./layouts.ts";
import { findRoles, type PlacedPane, type Role } from "./pane-roles.ts";
import { keyWithin } from "./projection.ts";
import { formatResource } from "./selector.ts";
import type { Remarks } from "./target.ts";

/** Two panes of one session, by the numbers that documents show. */
export interface Arranged {
  readonly session: number;
  readonly panes: readonly [number, number];
}

/** A move; `sourceSession` is null for one within a session. */
export interface Moved extends Arranged {
  readonly sourceSession: number | null;
}

/** Draws an unplaced pane beside one that is drawn, in the same session (client.md 4.22). */
export async function insertPane(
  connection: Connection,
  target: string,
  pane: string,
  { divider, ratio, projection }: Placement,
  remarks: Remarks,
): Promise<Result<Arranged, Refusal>> {
  const roles = [
    { name: "target", selector: target },
    { name: "new-pane", selector: pane },
  ] as const;
  return withinSession(connection, roles, projection, remarks, (layout, of, fresh) =>
    insertBeside(layout, of, fresh, divider, ratio),
  );
}

/** Exchanges two panes of one session in its layout (client.md 4.24). */
export async function swapPane(
  connection: Connection,
  first: string,
  second: string,
  projection: readonly string[],
  remarks: Remarks,
): Promise<Result<Arranged, Refusal>> {
  const roles = [
    { name: "first", selector: first },
    { name: "second", selector: second },
  ] as const;
  return withinSession(connection, roles, projection, remarks, swapPanes);
}

/** Takes a pane from where it is drawn and puts it beside another, in its session or across sessions (client.md 4.23). */
export async function movePane(
  connection: Connection,
  source: string,
  target: string,
  placement: Placement,
  remarks: Remarks,
): Promise<Result<Moved, Refusal>> {
  const roles = [
    { name: "source", selector: source },
    { name: "target", selector: target },
  ] as const;
  const found = await findRoles(connection, roles, remarks);
  if (!found.ok) return found;
  const [from, to] = found.value;
  const panes = [from.pane.id, to.pane.id] as const;
  if (from.session !== to.session) {
    const failed = await carryAcross(connection, from, to, placement);
    return failed === null ? ok({ session: to.session, panes, sourceSession: from.session }) : fail(failed);
  }
  const { divider, ratio, projection } = placement;
  const edit: PairEdit = (layout, moved, beside) => moveBeside(layout, moved, beside, divider, ratio);
  const failed = await editPair(connection, from, to, projection, edit);
  return failed === null ? ok({ session: to.session, panes, sourceSession: null }) : fail(failed);
}

type PairEdit = (layout: LayoutDocument, first: ResourceId, second: ResourceId) => Result<LayoutDocument, Refusal>;

async function withinSession(
  connection: Connection,
  roles: readonly [Role, Role],
  projection: readonly string[],
  remarks: Remarks,
  edit: PairEdit,
): Promise<Result<Arranged, Refusal>> {
  const found = await findRoles(connection, roles, remarks);
  if (!found.ok) return found;
  const [first, second] = found.value;
  if (first.session !== second.session) {
    const [one, other] = [first, second].map(({ pane, session }) => `${formatResource(pane)} is in session ${session}`);
    return fail(refuse("cross_session", `${one}, ${other}`));
  }
  const failed = await editPair(connection, first, second, projection, edit);
  return failed === null ? ok({ session: first.session, panes: [first.pane.id, second.pane.id] }) : fail(failed);
}

async function editPair(
  connection: Connection,
  first: PlacedPane,
  second: PlacedPane,
  projection: readonly string[],
  edit: PairEdit,
): Promise<Refusal | null> {
  const key = keyWithin(projection, first.session);
  if (!key.ok) return key.error;
  return editLayout(connection, key.value, (layout) => edit(layout, first.pane, second.pane));
}
