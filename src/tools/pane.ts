import type { Action } from "../phux/action.ts";
import { type Refusal, sentence } from "../phux/errors.ts";
import { KILL_RULES, killPanes, planKill } from "../phux/kill.ts";
import { formatResource } from "../phux/selector.ts";
import { spawnPane } from "../phux/spawn.ts";
import { explicitId, requireFeature, resolveOne, selectorOf } from "../phux/target.ts";
import { TerminalSignal } from "../wire/enums.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import {
  consent,
  flag,
  idempotencyKey,
  integer,
  keyBytes,
  oneOf,
  optional,
  ratio,
  socket,
  text,
  texts,
} from "./argument.ts";
import { actionOf, answerOrPending } from "./held.ts";
import { refuseSelectorText } from "./refusal.ts";
import { type Document, inProcess } from "./tool.ts";

const CONFIRM = "must be called with confirm: true, after the human has seen the exact target and said yes";

export const kill = inProcess({
  name: "phux_kill",
  verb: "phux kill",
  sets: ["core", "panes", "resources"],
  about:
    "End every pane a selector names, and all that runs there. First show the human the resolved target and get a " +
    "yes; try phux_signal interrupt before. `killed` means accepted; a pane may stay listed for a moment: never " +
    "kill twice to be sure.",
  touches: { methods: ["GET_STATE", "GET_METADATA", "SET_METADATA", "KILL_RESOURCE", "KILL_RESOURCES"] },
  input: {
    target: text("Any selector; a session name ends the whole session."),
    confirm: consent("true: the human said yes to this."),
    idempotency_key: idempotencyKey,
    socket,
  },
  confirm: (raw) => (raw["confirm"] === true ? null : `phux_kill is destructive: it ${CONFIRM}`),
  exclude: (given) => refuseSelectorText(given.target, KILL_RULES),
  async run(given, call) {
    const connection = await call.connect(given.socket);
    if (!connection.ok) return connection;
    const plan = await planKill(connection.value, given.target, keyBytes(given.idempotency_key), call);
    if (!plan.ok) return plan;
    return answerOrPending(call, connection.value, "phux_kill", async (action) => {
      const killed = await killPanes(plan.value, connection.value, action);
      return killed.ok ? ok({ schema_version: 1, killed: true, target: given.target }) : killed;
    });
  },
});

const signals = ["interrupt", "freeze", "resume", "terminate", "kill"] as const;
const isReversible = (signal: unknown) => signal === "freeze" || signal === "resume";

export const signal = inProcess({
  name: "phux_signal",
  verb: "phux signal",
  sets: ["panes"],
  about:
    "Signal a pane's process group; the pane stays. freeze and resume are reversible; interrupt, terminate and " +
    "kill need confirm: true after the human's yes.",
  touches: { methods: ["GET_STATE", "GET_METADATA", "SIGNAL_TERMINAL"] },
  input: {
    target: text("Pane selector."),
    signal: oneOf(signals, "terminate asks to end, kill forces."),
    confirm: optional(flag("true: the human said yes to this.")),
    idempotency_key: idempotencyKey,
    socket,
  },
  confirm(raw) {
    const name = raw["signal"];
    if (isReversible(name) || raw["confirm"] === true) return null;
    const which = signals.find((known) => known === name) ?? "this signal";
    return `phux_signal with ${which} is destructive: it ${CONFIRM}`;
  },
  exclude: (given) => refuseSelectorText(given.target),
  async run(given, call) {
    const connection = await call.connect(given.socket);
    if (!connection.ok) return connection;
    const key = keyBytes(given.idempotency_key);
    const lacking = key === null ? null : requireFeature(connection.value, "keyed_signal");
    if (lacking !== null) return fail(lacking);
    const selector = selectorOf(given.target);
    const direct = key !== null && selector.ok ? explicitId(selector.value) : null;
    const pane =
      direct === null ? await resolveOne(connection.value, given.target, call, { forInput: true }) : ok(direct);
    if (!pane.ok) return pane;
    const command = {
      tag: "SIGNAL_TERMINAL",
      terminal_id: pane.value,
      signal: TerminalSignal[given.signal],
      ...(key !== null && { operation_id: key }),
    } as const;
    const send = async (action: Action): Promise<Result<Document, Refusal>> => {
      const answer = await action.request(command, `signalling ${formatResource(command.terminal_id)}`);
      if (!answer.ok) return fail(answer.error.refusal);
      return ok({ schema_version: 1, signaled: true, target: given.target, signal: given.signal });
    };
    // Only the signals that a human must agree to are held, so the others are waited out.
    if (isReversible(given.signal)) return send(actionOf(call, connection.value));
    return answerOrPending(call, connection.value, "phux_signal", send);
  },
});

export const spawn = inProcess({
  name: "phux_spawn",
  verb: "phux spawn",
  sets: ["core", "panes"],
  about:
    "Start a program in a new pane: beside `target`, on a `satellite`, or unplaced. Address `terminal_id` as `@N` " +
    "or `satellite/@N`. Pass retain_secs to read its exit later. A missing cwd is silently replaced. target " +
    "excludes satellite; split, ratio, projection need target.",
  touches: {
    methods: ["GET_STATE", "GET_METADATA", "SPAWN_RESOURCE", "SET_METADATA", "KILL_RESOURCE"],
  },
  input: {
    target: optional(text("Pane to split.")),
    satellite: optional(text("Host to start it on.")),
    split: optional(
      oneOf(["horizontal", "vertical"], "Divider: horizontal (default) stacks, vertical is side by side."),
    ),
    ratio: optional(ratio("Target's share; default 0.5.")),
    projection: optional(text("Layout key in full; default the session's.")),
    cwd: optional(text("Working directory.")),
    command: optional(texts("Argv; default a shell.")),
    retain_secs: optional(integer("Seconds it stays readable after exit; 0: server default.", 0, 86_400)),
    idempotency_key: idempotencyKey,
    socket,
  },
  exclude(given) {
    if (given.target !== undefined && given.satellite !== undefined) {
      return sentence("phux_spawn: target and satellite exclude each other", 2);
    }
    const placing = (["split", "ratio", "projection"] as const).find((name) => given[name] !== undefined);
    if (given.target === undefined && placing !== undefined) {
      return sentence(`phux_spawn: "${placing}" says where to place the pane, and that needs target`, 2);
    }
    return refuseSelectorText(given.target);
  },
  async run(given, call) {
    const connection = await call.connect(given.socket);
    if (!connection.ok) return connection;
    const spawned = await spawnPane(
      connection.value,
      {
        target: given.target ?? null,
        satellite: given.satellite ?? null,
        split: given.split ?? "horizontal",
        ratio: given.ratio ?? 0.5,
        projection: given.projection ?? null,
        cwd: given.cwd ?? null,
        command: given.command ?? [],
        retainSeconds: given.retain_secs ?? null,
        key: keyBytes(given.idempotency_key),
      },
      call,
      () => call.connect(given.socket),
    );
    if (!spawned.ok) return spawned;
    const { id, replayed } = spawned.value;
    return ok({ schema_version: 1, terminal_id: id, satellite: given.satellite ?? null, replayed });
  },
});
