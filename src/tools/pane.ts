import { sentence } from "../phux/errors.ts";
import { KILL_RULES, killPanes } from "../phux/kill.ts";
import { formatResource } from "../phux/selector.ts";
import { spawnPane } from "../phux/spawn.ts";
import { explicitId, requireFeature, resolveOne, selectorOf } from "../phux/target.ts";
import { TerminalSignal } from "../wire/enums.ts";
import { fail, ok } from "../wire/result.ts";
import { consent, flag, idempotencyKey, integer, oneOf, optional, ratio, socket, text, texts } from "./argument.ts";
import { keyBytes, refuseSelectorText, refuseZeroKey } from "./refusal.ts";
import { inProcess } from "./tool.ts";

const CONFIRM = "must be called with confirm: true, after the human has seen the exact target and said yes";

export const kill = inProcess({
  name: "phux_kill",
  verb: "phux kill",
  about:
    "End every pane that a selector names, and what runs in them. Show the human the resolved target and get a yes first; " +
    "confirm: true records that, it does not replace it. Try phux_signal interrupt before. killed means accepted: a " +
    "listing may still show the pane for a moment, so never kill twice to be sure.",
  touches: { methods: ["GET_STATE", "GET_METADATA", "SET_METADATA", "KILL_RESOURCE", "KILL_RESOURCES"] },
  input: {
    target: text("Selector of any form; every pane that it names is ended. A session name ends the whole session."),
    confirm: consent("The human's yes to exactly this: only JSON true counts."),
    idempotency_key: idempotencyKey,
    socket,
  },
  confirm: (raw) => (raw["confirm"] === true ? null : `phux_kill is destructive: it ${CONFIRM}`),
  exclude: (given) => refuseZeroKey(given) ?? refuseSelectorText(given.target, KILL_RULES),
  async run(given, call) {
    const connection = await call.connect(given.socket);
    if (!connection.ok) return connection;
    const key = given.idempotency_key === undefined ? null : keyBytes(given.idempotency_key);
    const killed = await killPanes(connection.value, given.target, key, call);
    return killed.ok ? ok({ schema_version: 1, killed: true, target: given.target }) : killed;
  },
});

const signals = ["interrupt", "freeze", "resume", "terminate", "kill"] as const;

export const signal = inProcess({
  name: "phux_signal",
  verb: "phux signal",
  about:
    "Send a signal to a pane's process group and leave the pane. freeze and resume are reversible and need no consent; " +
    "interrupt, terminate and kill need confirm: true after the human's yes. kill ends the process, phux_kill the pane.",
  touches: { methods: ["GET_STATE", "GET_METADATA", "SIGNAL_TERMINAL"] },
  input: {
    target: text("Pane to signal, as a selector."),
    signal: oneOf(
      signals,
      "interrupt is Ctrl-C, freeze stops, resume continues, terminate asks to end, kill forces it.",
    ),
    confirm: optional(flag("The human's yes, for interrupt, terminate and kill: only JSON true counts.")),
    idempotency_key: idempotencyKey,
    socket,
  },
  confirm(raw) {
    const name = raw["signal"];
    if (name === "freeze" || name === "resume" || raw["confirm"] === true) return null;
    const which = signals.find((known) => known === name) ?? "this signal";
    return `phux_signal with ${which} is destructive: it ${CONFIRM}`;
  },
  exclude: (given) => refuseZeroKey(given) ?? refuseSelectorText(given.target),
  async run(given, call) {
    const connection = await call.connect(given.socket);
    if (!connection.ok) return connection;
    const keyed = given.idempotency_key !== undefined;
    const lacking = keyed ? requireFeature(connection.value, "keyed_signal") : null;
    if (lacking !== null) return fail(lacking);
    const selector = selectorOf(given.target);
    const direct = keyed && selector.ok ? explicitId(selector.value) : null;
    const pane =
      direct === null ? await resolveOne(connection.value, given.target, call, { forInput: true }) : ok(direct);
    if (!pane.ok) return pane;
    const answer = await connection.value.command(
      {
        tag: "SIGNAL_TERMINAL",
        terminal_id: pane.value,
        signal: TerminalSignal[given.signal],
        ...(given.idempotency_key !== undefined && { operation_id: keyBytes(given.idempotency_key) }),
      },
      `signalling ${formatResource(pane.value)}`,
    );
    if (!answer.ok) return fail(answer.error.refusal);
    return ok({ schema_version: 1, signaled: true, target: given.target, signal: given.signal });
  },
});

export const spawn = inProcess({
  name: "phux_spawn",
  verb: "phux spawn",
  about:
    "Start a program in a new pane: beside `target` in its tab, on a `satellite` host, or unplaced without either. Gives " +
    "`terminal_id` as a bare number: address the pane as `@N`, or `satellite/@N`. A working directory that does not exist " +
    "is replaced by the server without a word. Pass retain_secs when the exit code must still be readable afterwards. " +
    "target excludes satellite; split, ratio and projection need target.",
  touches: {
    methods: ["GET_STATE", "GET_METADATA", "SPAWN_RESOURCE", "SET_METADATA", "KILL_RESOURCE"],
  },
  input: {
    target: optional(text("Pane to place the new one beside; it becomes a split of that pane.")),
    satellite: optional(text("Host to start it on, through the hub.")),
    split: optional(
      oneOf(
        ["horizontal", "vertical"],
        "The divider: horizontal (default) stacks the panes, vertical puts them side by side.",
      ),
    ),
    ratio: optional(ratio("Share that the target pane keeps. Default 0.5.")),
    projection: optional(text("Layout key to place into, in full, instead of the session's own.")),
    cwd: optional(text("Working directory.")),
    command: optional(texts("Program and its arguments; empty or absent for the default shell.")),
    retain_secs: optional(
      integer(
        "Keep the pane readable this many seconds after its process ends; 0 for the server's default.",
        0,
        86_400,
      ),
    ),
    idempotency_key: idempotencyKey,
    socket,
  },
  exclude(given) {
    const wrong = refuseZeroKey(given) ?? refuseSelectorText(given.target);
    if (wrong !== null) return wrong;
    if (given.target !== undefined && given.satellite !== undefined) {
      return sentence("phux_spawn: target and satellite exclude each other");
    }
    const placing = (["split", "ratio", "projection"] as const).find((name) => given[name] !== undefined);
    return given.target === undefined && placing !== undefined
      ? sentence(`phux_spawn: "${placing}" says where to place the pane, and that needs target`)
      : null;
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
        key: given.idempotency_key === undefined ? null : keyBytes(given.idempotency_key),
      },
      call,
    );
    if (!spawned.ok) return spawned;
    const { id, replayed } = spawned.value;
    return ok({ schema_version: 1, terminal_id: id, satellite: given.satellite ?? null, replayed });
  },
});
