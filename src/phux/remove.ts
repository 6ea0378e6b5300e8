import { ErrorCode } from "../wire/error-code.ts";
import type { ResourceId } from "../wire/frame.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import type { Action } from "./action.ts";
import type { Connection, StateView } from "./connection.ts";
import { type Refusal, refuse, refuseInPart } from "./errors.ts";
import { Inventory } from "./inventory.ts";
import { leftBehind } from "./request-failure.ts";
import { refuseSeveral } from "./selection-refusal.ts";
import { formatResource } from "./selector.ts";
import { findPanes, type Remarks, requireFeature } from "./target.ts";

/** A state older than this may miss a pane that was started again, which a kill would then end (client.md 4.8). */
const FRESH_MS = 1_000;

/** Exited panes that are to go, in snapshot order, and when the state that shows them was read. */
export interface RemovalPlan {
  readonly panes: readonly ResourceId[];
  readonly readAt: number;
  readonly key: Uint8Array | null;
}

/**
 * Finds the exited panes that a selector names (client.md 4.8). One that runs refuses all of them, and nothing is sent.
 * With a key it must be exactly one, because a key covers one command.
 */
export async function planRemoval(
  connection: Connection,
  target: string,
  key: Uint8Array | null,
  remarks: Remarks,
): Promise<Result<RemovalPlan, Refusal>> {
  const lacking =
    requireFeature(connection, "retain_on_exit") ?? (key === null ? null : requireFeature(connection, "keyed_signal"));
  if (lacking !== null) return fail(lacking);
  const readAt = performance.now();
  const state = await connection.state();
  if (!state.ok) return fail(state.error.refusal);
  const found = await findPanes(connection, target, state.value, remarks);
  if (!found.ok) return found;
  const { panes, inventory } = found.value;
  if (key !== null && panes.length > 1) return fail(refuseSeveral(target, panes));
  const wrong = refuseLive(panes, inventory);
  return wrong === null ? ok({ panes, readAt, key }) : fail(wrong);
}

/** Removes them one after another, and gives those that are gone. What the server refuses fails the call in the end. */
export async function removePanes(
  plan: RemovalPlan,
  connection: Connection,
  action: Action,
): Promise<Result<readonly ResourceId[], Refusal>> {
  const refusals: Refusal[] = [];
  const removed: string[] = [];
  let { readAt } = plan;
  for (const [at, pane] of plan.panes.entries()) {
    if (performance.now() - readAt > FRESH_MS) {
      readAt = performance.now();
      const state = await connection.state();
      const wrong = state.ok ? refuseRevived(plan.panes.slice(at), state.value) : state.error.refusal;
      if (wrong !== null) {
        refusals.push(wrong);
        break;
      }
    }
    const operation = plan.key === null ? {} : { operation_id: plan.key };
    const command = { tag: "KILL_RESOURCE", terminal_id: pane, ...operation } as const;
    const answer = await action.request(command, `removing ${formatResource(pane)}`);
    // With its last pane a server may go, as after a kill.
    const went = !answer.ok && leftBehind(answer.error) && at === plan.panes.length - 1;
    if (answer.ok || answer.error.wireCode === ErrorCode.TERMINAL_NOT_FOUND || went) {
      removed.push(formatResource(pane));
      continue;
    }
    refusals.push(answer.error.refusal);
    if (answer.error.lost) break;
  }
  const [first, ...others] = refusals;
  return first === undefined ? ok(plan.panes) : fail(refuseInPart([first, ...others], "removed all the same", removed));
}

/** Why the panes that are left may not be removed any more: somebody started one again. */
function refuseRevived(panes: readonly ResourceId[], { snapshot }: StateView): Refusal | null {
  const inventory = new Inventory(snapshot);
  return refuseLive(
    panes.filter((id) => inventory.find(id) !== null),
    inventory,
  );
}

/** Why these may not be removed: something among them runs, or is no pane. */
function refuseLive(panes: readonly ResourceId[], inventory: Inventory): Refusal | null {
  const strange = panes.find((id) => !inventory.isTerminal(id));
  if (strange !== undefined) {
    const kind = inventory.kindOf(strange);
    return refuse("wrong_resource_kind", `${formatResource(strange)} is no pane but of kind ${kind}`);
  }
  const live = panes.filter((id) => inventory.lifecycleOf(id) !== "exited");
  if (live.length === 0) return null;
  const names = live.map((id) => `${formatResource(id)} (${inventory.lifecycleOf(id)})`).join(", ");
  return refuse("resource_running", `not exited, so none of these was removed: ${names}`);
}
