import type { CommandResult } from "../../src/wire/command.ts";
import { InputMode } from "../../src/wire/enums.ts";
import { okay, refuse } from "./answer.ts";
import type { Connection } from "./connection.ts";
import { control, type Pane } from "./pane.ts";
import type { LabServer } from "./server.ts";

const [acquired, seized, released, expired] = [0, 1, 2, 9];

/** ACQUIRE_INPUT (wire.md 14.3). 0.8 keeps no deadline: its ttl is advice. */
export function acquire(server: LabServer, pane: Pane, by: Connection, mode: number, ttlMs: number): CommandResult {
  const held = pane.lease;
  if (held && held.holder !== by && mode === InputMode.cooperative) {
    return refuse("INPUT_LEASE_HELD", `input lease held by client ${held.holder.id}`);
  }
  if (held?.expiry) clearTimeout(held.expiry);
  const timed = ttlMs > 0 && !server.release.eight;
  const expiry = timed ? setTimeout(() => endLease(server, pane, null), ttlMs) : null;
  pane.lease = { holder: by, expiry };
  const action = held && held.holder !== by ? seized : acquired;
  tell(server, pane, action, by);
  return okay;
}

export function releaseInput(server: LabServer, pane: Pane, by: Connection): CommandResult {
  if (pane.lease?.holder === by) endLease(server, pane, by);
  return okay;
}

/** `by` null: its time ran out. Those who do not follow the journal hear of a release by nobody. */
export function endLease(server: LabServer, pane: Pane, by: Connection | null): void {
  if (pane.lease?.expiry) clearTimeout(pane.lease.expiry);
  pane.lease = null;
  tell(server, pane, released, by);
  if (!by) tell(server, pane, expired, null);
}

function tell(server: LabServer, pane: Pane, action: number, by: Connection | null): void {
  server.hub.publish({ terminal: pane.resource, event: control(pane, action, by), actor: by?.actor });
}

/** The refusal that a lease or a role means for somebody's input, or null when it may pass. */
export function inputRefusal(pane: Pane, by: Connection): CommandResult | null {
  if (pane.lease && pane.lease.holder !== by) {
    return refuse("INPUT_LEASE_HELD", "input lease held by another client");
  }
  if (by.viewerOf.has(pane.id)) return refuse("PERMISSION_DENIED", "this connection is a viewer of the terminal");
  return null;
}
