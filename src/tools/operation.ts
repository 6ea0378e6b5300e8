import { type Approval, holdsOf, readApprovals } from "../phux/approvals.ts";
import { Deadline } from "../phux/deadline.ts";
import { refuse } from "../phux/errors.ts";
import type { Operation } from "../phux/operations.ts";
import { fail, ok } from "../wire/result.ts";
import { hexId, optional } from "./argument.ts";
import type { Call } from "./call.ts";
import { type Document, inProcess } from "./tool.ts";

/** A look at the approvals is worth this many milliseconds, and no failure of the call. */
const SCAN_MS = 2_000;

export const operationStatus = inProcess({
  name: "phux_operation_status",
  verb: null,
  sets: ["core", "panes", "agents", "mail", "resources"],
  about:
    "What became of a call that answered status `pending`, because the server may hold it for a human's approval: `state` " +
    "is running, held, succeeded (with `result`) or failed (with `error`). Never waits. Without an id: every operation " +
    "that this adapter remembers, newest first. Ids do not survive a restart of the adapter, and its end withdraws a hold.",
  touches: { methods: ["LIST_METADATA", "GET_METADATA"] },
  input: { operation_id: optional(hexId("The id that a pending answer gave.")) },
  cuts: [
    {
      at: ["operations"],
      newestFirst: true,
      hint: "the oldest operations were left out: ask for one by its operation_id",
    },
  ],
  async run(given, call) {
    const one = given.operation_id === undefined ? null : call.operations.find(given.operation_id);
    if (given.operation_id !== undefined && one === null) {
      const message = `this adapter knows no operation ${given.operation_id}: ids do not survive its restart`;
      return fail(refuse("no_such_operation", message));
    }
    const rows = one === null ? call.operations.list() : [one];
    const holds = await holdsByOperation(rows, call);
    // A scan takes time, in which an operation can finish: what it came to by now is the answer.
    const documents = rows.map((row) => documentOf(call.operations.find(row.id) ?? row, holds.get(row.id) ?? null));
    return ok(one === null ? { schema_version: 1, operations: documents } : { schema_version: 1, ...documents[0] });
  },
});

function documentOf({ id, tool, startedAtMs, outcome }: Operation, hold: Approval | null): Document {
  const waiting = hold === null ? "running" : "held";
  const finished = outcome?.error === null ? "succeeded" : "failed";
  const held = outcome === null ? hold : null;
  return {
    operation_id: id,
    tool,
    state: outcome === null ? waiting : finished,
    approval: held && { id: held.id, expires_at_ms: held.expires_at_ms },
    started_at_ms: startedAtMs,
    finished_at_ms: outcome?.finishedAtMs ?? null,
    result: outcome?.result ?? null,
    error: outcome?.error ?? null,
  };
}

/** The record that holds each operation that runs, as far as its server says. Nothing is asked when none runs. */
async function holdsByOperation(rows: readonly Operation[], call: Call): Promise<ReadonlyMap<string, Approval>> {
  // Oldest first, so that the oldest of several equal requests gets the oldest record.
  const running = rows.filter(({ outcome, action }) => outcome === null && action.isHoldable && action.asked !== null);
  const oldestFirst = running.toSorted((a, b) => a.startedAtMs - b.startedAtMs);
  const holds = new Map<string, Approval>();
  const deadline = new Deadline(SCAN_MS, call.signal);
  for (const [socket, operations] of Map.groupBy(oldestFirst, ({ action }) => action.socket)) {
    const approvals = await approvalsAt(socket, deadline, call);
    const asked = operations.map(({ action }) => action.asked);
    for (const [at, hold] of holdsOf(asked, approvals).entries()) {
      const operation = operations[at];
      if (hold !== null && operation !== undefined) holds.set(operation.id, hold);
    }
  }
  return holds;
}

/** What a server holds now; nothing when it does not say so in time. */
async function approvalsAt(socket: string, deadline: Deadline, call: Call): Promise<readonly Approval[]> {
  if (deadline.hasPassed()) return [];
  const connection = await call.connect(socket, deadline);
  if (!connection.ok) return [];
  const approvals = await readApprovals(connection.value);
  return approvals.ok ? approvals.value : [];
}
