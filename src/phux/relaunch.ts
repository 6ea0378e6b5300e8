import { ErrorCode } from "../wire/error-code.ts";
import type { ResourceId } from "../wire/frame.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import type { Connection } from "./connection.ts";
import { type Refusal, refuse } from "./errors.ts";
import { Inventory } from "./inventory.ts";
import { parseJsonObject } from "./json-object.ts";
import { type Redial, sendKeyed } from "./keyed.ts";
import { layoutKey, readLayout } from "./layouts.ts";
import type { RequestFailure } from "./request-failure.ts";
import { leavesOf } from "./resolve.ts";
import { refuseMiss, refuseSeveral } from "./selection-refusal.ts";
import { formatResource } from "./selector.ts";
import { explicitId, findPanes, type Remarks, requireFeature, selectorOf } from "./target.ts";

/** Milliseconds that starting a program may take (client.md 1.4). */
const START_MS = 60_000;

/** A pane that was started again, in the words of the document of phux_relaunch. */
export interface Relaunched {
  readonly terminal: string;
  readonly session: string | null;
  /** The argv used; null for the default shell. */
  readonly command: readonly string[] | null;
  readonly cwd: string | null;
  readonly resumed: boolean;
  readonly replayed: boolean;
}

/**
 * Starts again, under its old id, what an exited or lost pane ran (client.md 4.9). Nothing is ever ended for it: a pane
 * that runs is `resource_running`. `key` are the 16 bytes of an idempotency key, or null.
 */
export async function relaunchPane(
  connection: Connection,
  target: string,
  key: Uint8Array | null,
  remarks: Remarks,
  redial: Redial,
): Promise<Result<Relaunched, Refusal>> {
  const lacking =
    requireFeature(connection, "relaunch") ?? (key === null ? null : requireFeature(connection, "spawn_idempotency"));
  if (lacking !== null) return fail(lacking);
  const pane = await findEnded(connection, target, key !== null, remarks);
  if (!pane.ok) return pane;
  const what = `relaunching ${formatResource(pane.value)}`;
  const command = {
    tag: "RELAUNCH_RESOURCE",
    terminal_id: pane.value,
    ...(key !== null && { operation_id: key }),
  } as const;
  const send = (line: Connection) => line.act(command, what, undefined, START_MS);
  const sent = await sendKeyed(connection, key === null ? null : { key, redial }, send);
  if (!sent.answer.ok) return fail(refusalOf(sent.answer.error, key !== null));
  const { value } = sent.answer;
  const said = value === null ? null : parseJsonObject(value);
  return confirm(sent.connection, pane.value, {
    command: textsOf(said?.["command"]),
    cwd: typeof said?.["cwd"] === "string" ? said["cwd"] : null,
    resumed: said?.["resumed"] === true,
    replayed: said?.["replayed"] === true,
  });
}

/** The one local pane that has ended. With a key a pane that runs is left to the server: the key may have started it. */
async function findEnded(
  connection: Connection,
  target: string,
  keyed: boolean,
  remarks: Remarks,
): Promise<Result<ResourceId, Refusal>> {
  const selector = selectorOf(target);
  if (!selector.ok) return selector;
  const state = await connection.state();
  if (!state.ok) return fail(state.error.refusal);
  const inventory = new Inventory(state.value.snapshot);
  const explicit = explicitId(selector.value);
  if (explicit?.tag === "local" && inventory.find(explicit) === null) {
    const lost = await isDrawn(connection, explicit, inventory);
    if (!lost.ok) return lost;
    return lost.value ? ok(explicit) : fail(refuseMiss(target, state.value.notices));
  }
  const found = await findPanes(connection, target, state.value, remarks);
  if (!found.ok) return found;
  const [pane, ...others] = found.value.panes;
  if (others.length > 0) return fail(refuseSeveral(target, found.value.panes));
  const wrong = refuseUnfit(pane, inventory, keyed);
  return wrong === null ? ok(pane) : fail(wrong);
}

function refuseUnfit(pane: ResourceId, inventory: Inventory, keyed: boolean): Refusal | null {
  const name = formatResource(pane);
  if (pane.tag === "satellite") return refuse("satellite_target", `${name} is on another host`);
  if (!inventory.isTerminal(pane)) {
    return refuse("wrong_resource_kind", `${name} is no pane but of kind ${inventory.kindOf(pane)}`);
  }
  const lifecycle = inventory.lifecycleOf(pane);
  return lifecycle === "exited" || keyed ? null : refuse("resource_running", `${name} is ${lifecycle}`);
}

/** Whether a session's layout still draws a pane that the server no longer lists: it was lost, as by a restart. */
async function isDrawn(
  connection: Connection,
  pane: ResourceId,
  { snapshot }: Inventory,
): Promise<Result<boolean, Refusal>> {
  const name = formatResource(pane);
  for (const { id } of snapshot.sessions) {
    const stored = await readLayout(connection, layoutKey(id));
    if (!stored.ok) return stored;
    if (stored.value.kind !== "layout") continue;
    const leaves = stored.value.layout.windows.flatMap(({ root }) => leavesOf(root));
    if (leaves.some((leaf) => formatResource(leaf) === name)) return ok(true);
  }
  return ok(false);
}

/** The errors of a designed command are ours to choose: those that its neighbours use for the same (wire.md 24). */
function refusalOf({ refusal, wireCode }: RequestFailure, keyed: boolean): Refusal {
  switch (wireCode) {
    case ErrorCode.PRECONDITION_FAILED:
      return refuse("resource_running", refusal.message);
    case ErrorCode.INVALID_COMMAND:
      return refuse(keyed ? "idempotency_conflict" : "spawn_failed", refusal.message);
    default:
      return wireCode === null || refusal.code !== null ? refusal : refuse("spawn_failed", refusal.message);
  }
}

/** The state must show the same id running. */
async function confirm(
  connection: Connection,
  pane: ResourceId,
  said: Omit<Relaunched, "terminal" | "session">,
): Promise<Result<Relaunched, Refusal>> {
  const terminal = formatResource(pane);
  const state = await connection.state();
  if (!state.ok) return fail(state.error.refusal);
  const inventory = new Inventory(state.value.snapshot);
  const row = inventory.find(pane);
  if (row === null || inventory.lifecycleOf(pane) === "exited") {
    return fail(refuse("spawn_failed", `${terminal} was started again and has ended already`));
  }
  const window = inventory.windowOf(row);
  const session = inventory.snapshot.sessions.find(({ id }) => id === window?.session_id)?.name ?? null;
  return ok({ terminal, session, ...said });
}

function textsOf(value: unknown): readonly string[] | null {
  return Array.isArray(value) && value.every((one) => typeof one === "string") ? value : null;
}
