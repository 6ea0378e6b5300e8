import { parseCursor } from "../phux/cursor.ts";
import { Deadline } from "../phux/deadline.ts";
import { relaunchPane } from "../phux/relaunch.ts";
import { planRemoval, removePanes } from "../phux/remove.ts";
import { methodRows } from "../phux/resource-methods.ts";
import { describeResource } from "../phux/resource-show.ts";
import { findResource } from "../phux/resource-target.ts";
import { FIRST_LOOK_MS, startOfWait, waitForEnd } from "../phux/resource-wait.ts";
import { formatResource } from "../phux/selector.ts";
import { ok } from "../wire/result.ts";
import { consent, idempotencyKey, integer, keyBytes, optional, socket, text } from "./argument.ts";
import { answerOrPending } from "./held.ts";
import { refuseSelectorText } from "./refusal.ts";
import { inProcess } from "./tool.ts";

export const remove = inProcess({
  name: "phux_rm",
  verb: "phux rm",
  sets: ["panes", "resources"],
  about:
    "Remove exited panes that the server still retains. Refused with nothing removed when any of them runs: that is for " +
    "phux_kill. May answer `pending`: then ask phux_operation_status.",
  touches: { methods: ["GET_STATE", "GET_METADATA", "KILL_RESOURCE"] },
  input: {
    target: text("Selector of exited panes only; of one with idempotency_key."),
    confirm: consent("true: the human said yes to this."),
    idempotency_key: idempotencyKey,
    socket,
  },
  confirm: ({ confirm }) =>
    confirm === true
      ? null
      : "phux_rm is destructive: it must be called with confirm: true, after the human has seen the exact target and said yes",
  exclude: (given) => refuseSelectorText(given.target),
  async run(given, call) {
    const connection = await call.connect(given.socket);
    if (!connection.ok) return connection;
    const plan = await planRemoval(connection.value, given.target, keyBytes(given.idempotency_key), call);
    if (!plan.ok) return plan;
    return answerOrPending(call, connection.value, "phux_rm", async (action) => {
      const removed = await removePanes(plan.value, connection.value, action);
      if (!removed.ok) return removed;
      return ok({ schema_version: 1, removed: removed.value.map(formatResource), target: given.target });
    });
  },
});

export const relaunch = inProcess({
  name: "phux_relaunch",
  verb: "phux relaunch",
  sets: ["panes", "resources"],
  about:
    "Start an exited pane again in place: same id, argv, directory and environment; an agent resumes its session where it " +
    "can (`resumed`). Also an `@N` that a layout still shows after a restart of the server. Never ends anything.",
  touches: { methods: ["GET_STATE", "GET_METADATA", "RELAUNCH_RESOURCE"] },
  input: { target: text("Selector of exactly one exited or lost pane."), idempotency_key: idempotencyKey, socket },
  exclude: (given) => refuseSelectorText(given.target),
  async run(given, call) {
    const connection = await call.connect(given.socket);
    if (!connection.ok) return connection;
    const key = keyBytes(given.idempotency_key);
    const started = await relaunchPane(connection.value, given.target, key, call, () => call.connect(given.socket));
    return started.ok ? ok({ schema_version: 1, relaunched: true, ...started.value }) : started;
  },
});

export const show = inProcess({
  name: "phux_resource_show",
  verb: "phux resource show",
  sets: ["resources"],
  about:
    "Describe one resource: kind, parent, session, lifecycle and exit, who holds its input or watches, its process, tags " +
    "and agent record. null is unknown, never none. `cwd` is where it was started; process.cwd is where it is now.",
  touches: { methods: ["GET_STATE", "GET_TERMINAL_STATE", "GET_METADATA"] },
  input: { target: text("Selector; an id of any kind is taken as given."), socket },
  exclude: (given) => refuseSelectorText(given.target),
  async run(given, call) {
    const connection = await call.connect(given.socket);
    if (!connection.ok) return connection;
    const found = await findResource(connection.value, given.target, call);
    return found.ok ? describeResource(connection.value, found.value) : found;
  },
});

export const waitForResource = inProcess({
  name: "phux_resource_wait",
  verb: "phux resource wait",
  sets: ["resources"],
  about:
    "Wait until a pane's process has ended. `outcome`: exited (with `exit`), gone (how it ended is unknown: no success) or " +
    "timed_out; all are answers. Pass the answer's `cursor` as `after` to go on without missing an end. evidence_lost: " +
    "events are missing. For an exit code, start the pane with retain_secs.",
  touches: { methods: ["GET_STATE", "GET_METADATA", "SUBSCRIBE_EVENTS"] },
  input: {
    target: text("Selector of one resource."),
    timeout_secs: integer("Seconds to wait.", 1, 3600),
    after: optional(text("Cursor of an earlier answer.")),
    socket,
  },
  exclude(given) {
    const cursor = given.after === undefined ? null : parseCursor(given.after);
    return refuseSelectorText(given.target) ?? (cursor === null || cursor.ok ? null : cursor.error);
  },
  async run(given, call) {
    const began = performance.now();
    const deadline = new Deadline(given.timeout_secs * 1_000, call.signal);
    const after = given.after === undefined ? null : parseCursor(given.after);
    if (after !== null && !after.ok) return after;
    call.progress(`waiting for the end of ${given.target}`);
    const connection = await call.connect(given.socket, deadline.notWithin(FIRST_LOOK_MS));
    if (!connection.ok) return connection;
    const start = await startOfWait(connection.value, given.target, after?.value ?? null, call);
    if (!start.ok) return start;
    const again = (ms: number) => call.connect(given.socket, new Deadline(ms, call.signal));
    const waited = await waitForEnd(connection.value, start.value, deadline, again);
    if (!waited.ok) return waited;
    const { outcome, exit, retained, cursor, evidence_lost } = waited.value;
    const waited_ms = Math.round(performance.now() - began);
    return ok({
      schema_version: 1,
      resource: formatResource(start.value.id),
      outcome,
      exit,
      retained,
      waited_ms,
      cursor,
      evidence_lost,
    });
  },
});

export const listMethods = inProcess({
  name: "phux_resource_methods",
  verb: "phux resource methods",
  sets: ["resources"],
  about:
    "List every method of the protocol for one resource: the permission it needs, whether it changes anything, and why it " +
    "cannot be used here (`reason`). Listing grants nothing.",
  touches: { methods: ["GET_STATE", "GET_METADATA"] },
  input: { target: text("Selector of one resource."), socket },
  exclude: (given) => refuseSelectorText(given.target),
  async run(given, call) {
    const connection = await call.connect(given.socket);
    if (!connection.ok) return connection;
    const found = await findResource(connection.value, given.target, call);
    if (!found.ok) return found;
    const { id, inventory } = found.value;
    const kind = inventory.kindOf(id);
    const rows = methodRows(kind, connection.value.server.capabilities);
    return ok({ schema_version: 1, resource: formatResource(id), kind, methods: rows });
  },
});
