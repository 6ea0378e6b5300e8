import { ResourceKind } from "../wire/enums.ts";
import { ErrorCode } from "../wire/error-code.ts";
import type { FrameValue, ResourceId, SpawnError } from "../wire/frame.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import type { Connection } from "./connection.ts";
import { Deadline } from "./deadline.ts";
import { type Refusal, refuse } from "./errors.ts";
import { Inventory } from "./inventory.ts";
import { type Redial, sendKeyed } from "./keyed.ts";
import { addTab, type Divider, seedLayout, splitBeside } from "./layout-edit.ts";
import { layoutKey, readLayout, writeLayout } from "./layouts.ts";
import { type PlacedPane, placeOf, refuseHomeless } from "./pane-roles.ts";
import { keyWithin } from "./projection.ts";
import type { RequestFailure } from "./request-failure.ts";
import { pickOne } from "./resolve.ts";
import { formatResource } from "./selector.ts";
import { findPanes, type Remarks, requireFeature } from "./target.ts";

/** What to start, and where (client.md 4.13). Null members are left to the server. */
export interface SpawnRequest {
  readonly target: string | null;
  readonly satellite: string | null;
  readonly split: Divider;
  readonly ratio: number;
  readonly projection: string | null;
  readonly cwd: string | null;
  readonly command: readonly string[];
  /** Added to the server's environment. */
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  /** Drawn in a tab of its own, behind the others, in place of a share of its owner's. */
  readonly asTab?: true;
  readonly retainSeconds: number | null;
  readonly key: Uint8Array | null;
}

export interface Spawned {
  readonly id: number;
  /** The key had already started this pane; it was not placed again. */
  readonly replayed: boolean;
}

/** The only group of the reference server. */
const GROUP = 1;

/** How a killed pane is looked for: soon, then at short steps, not for ever (client.md 4.0). */
const GONE_FIRST_MS = 10;
const GONE_STEP_MS = 20;
const GONE_LAST_MS = 1_000;

/**
 * Starts a program in a new pane, and draws it beside its owner when there is one. With a key, a spawn whose answer is
 * lost is sent again, on the connection that `redial` gives.
 */
export async function spawnPane(
  connection: Connection,
  request: SpawnRequest,
  remarks: Remarks,
  redial: Redial,
): Promise<Result<Spawned, Refusal>> {
  const lacking =
    (request.retainSeconds === null ? null : requireFeature(connection, "retain_on_exit")) ??
    (request.key === null ? null : requireFeature(connection, "spawn_idempotency"));
  if (lacking !== null) return fail(lacking);
  const owner =
    request.target === null ? ok(null) : await findOwner(connection, request.target, request.projection, remarks);
  if (!owner.ok) return owner;
  const frame = spawnFrame(request, owner.value);
  const keyed = request.key === null ? null : { key: request.key, redial };
  const sent = await sendKeyed(connection, keyed, (line) => line.spawn(frame));
  if (!sent.answer.ok) return fail(failedSpawn(sent.answer.error));
  const { result, replayed } = sent.answer.value;
  if (result.tag === "err") return fail(spawnRefusal(result.error));
  const spawned = { id: result.id.id, replayed: replayed === true };
  const resent = sent.connection !== connection;
  if (owner.value === null || (spawned.replayed && !resent)) return ok(spawned);
  const misplaced = await place(sent.connection, owner.value, result.id, request);
  if (misplaced === null) return ok(spawned);
  // The answer to the first try is lost: it may have been a replay itself, of a pane that an earlier call has placed.
  if (resent && spawned.replayed) return misplaced.code === "pane_already_in_layout" ? ok(spawned) : fail(misplaced);
  return fail(await takeBack(sent.connection, result.id, misplaced));
}

type SpawnFrame = Omit<FrameValue<"SPAWN_RESOURCE">, "request_id">;

async function findOwner(
  connection: Connection,
  target: string,
  projection: string | null,
  remarks: Remarks,
): Promise<Result<PlacedPane, Refusal>> {
  const state = await connection.state();
  if (!state.ok) return fail(state.error.refusal);
  const found = await findPanes(connection, target, state.value, remarks);
  if (!found.ok) return found;
  const pane = pickOne(found.value.panes, state.value.snapshot) ?? found.value.panes[0];
  if (pane.tag === "satellite") return fail(refuse("satellite_target", `${formatResource(pane)} is on another host`));
  const owner = placeOf(found.value.inventory, pane);
  if (owner === null) return fail(refuseHomeless(pane));
  const key = keyWithin(projection === null ? [] : [projection], owner.session);
  return key.ok ? ok(owner) : key;
}

function spawnFrame(request: SpawnRequest, owner: PlacedPane | null): SpawnFrame {
  const newer = request.retainSeconds !== null || request.key !== null;
  return {
    group: GROUP,
    ...(request.command.length > 0 && { command: request.command }),
    ...(request.cwd !== null && { cwd: request.cwd }),
    ...(request.env !== undefined && { env: request.env }),
    ...(request.satellite !== null && { satellite: request.satellite }),
    ...(owner !== null && { owner_terminal: owner.pane }),
    ...(newer && { kind: ResourceKind.terminal }),
    ...(request.retainSeconds !== null && { retain_secs: request.retainSeconds }),
    ...(request.key !== null && { idempotency_key: request.key }),
  };
}

/** An ERROR that answers a spawn is a failed spawn, but for what this connection may not do at all. */
function failedSpawn({ refusal, wireCode }: RequestFailure): Refusal {
  const stands = wireCode === null || wireCode === ErrorCode.PERMISSION_DENIED;
  return stands ? refusal : refuse("spawn_failed", refusal.message);
}

function spawnRefusal(error: SpawnError): Refusal {
  switch (error.tag) {
    case "idempotency_conflict":
      return refuse("idempotency_conflict", "the key was used for another spawn; nothing was started");
    case "unsupported_satellite_route":
      return refuse("spawn_failed", "the server has no route to that host");
    case "satellite_unreachable":
      return refuse("spawn_failed", `the host could not be reached: ${error.message}`);
    case "spawn_failed":
      return refuse("spawn_failed", error.message);
    default:
      return refuse("spawn_failed", `the server refused the spawn: ${error.tag.replaceAll("_", " ")}`);
  }
}

/** Draws the new pane beside its owner; what stands in the way, or null. */
async function place(
  connection: Connection,
  owner: PlacedPane,
  pane: ResourceId,
  request: SpawnRequest,
): Promise<Refusal | null> {
  const state = await connection.state();
  if (!state.ok) return state.error.refusal;
  const inventory = new Inventory(state.value.snapshot);
  // An older server may ignore the owner: a layout must never name a pane of another session.
  for (const member of [owner.pane, pane]) {
    const now = placeOf(inventory, member);
    if (now?.window !== owner.window || now.session !== owner.session) {
      return refuse("spawn_failed", `${formatResource(member)} is not in the window of ${formatResource(owner.pane)}`);
    }
  }
  const key = request.projection ?? layoutKey(owner.session);
  const stored = await readLayout(connection, key);
  if (!stored.ok) return stored.error;
  // Only a key that is not set may be seeded: what cannot be read would be written over.
  if (stored.value.kind === "refused") return stored.value.refusal;
  if (stored.value.kind === "unreadable")
    return refuse("layout_rejected", `${key} does not decode: ${stored.value.message}`);
  const before =
    stored.value.kind === "layout" ? stored.value.layout : seedLayout(owner.pane, connection.dialect.layout);
  const after = request.asTab
    ? addTab(before, pane)
    : splitBeside(before, owner.pane, pane, request.split, request.ratio);
  return after.ok ? writeLayout(connection, key, after.value) : after.error;
}

/** Removes a pane that could not be placed, and says so; never silently leaves one behind. */
async function takeBack(connection: Connection, pane: ResourceId, why: Refusal): Promise<Refusal> {
  const name = formatResource(pane);
  await connection.act({ tag: "KILL_RESOURCE", terminal_id: pane }, `removing ${name}`);
  const gone = await isGone(connection, pane);
  if (gone) return refuse("spawn_failed", `${name} could not be placed and was removed again: ${why.message}`);
  return refuse(
    "spawn_failed",
    `${name} was started, its place was not confirmed, and neither was its removal: ${why.message}`,
    `look for ${name} with phux_ls and end it with phux_kill`,
  );
}

async function isGone(connection: Connection, pane: ResourceId): Promise<boolean> {
  const deadline = new Deadline(GONE_LAST_MS, connection.signal);
  for (let pause = GONE_FIRST_MS; !deadline.hasPassed(); pause = GONE_STEP_MS) {
    await deadline.pause(pause);
    const state = await connection.state(deadline.left());
    if (!state.ok) return false;
    if (new Inventory(state.value.snapshot).find(pane) === null) return true;
  }
  return false;
}
