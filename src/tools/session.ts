import { layoutTabs } from "../phux/layouts.ts";
import { listing } from "../phux/listing.ts";
import { hasFeature } from "../wire/capability.ts";
import { fail, ok } from "../wire/result.ts";
import { idempotencyKey, optional, socket, text, texts } from "./argument.ts";
import { option } from "./argv.ts";
import { refuseZeroKey } from "./refusal.ts";
import { inProcess, overCli } from "./tool.ts";

export const ls = inProcess({
  name: "phux_ls",
  verb: "phux ls",
  about:
    "List what exists: sessions, every pane and other resource by id, and the hosts of the fleet. Start here and take " +
    "`@N` ids from the answer. `unreachable` not empty, or `hosts_complete` false, means that something may be missing " +
    "rather than gone. A pane killed a moment ago may still be listed. Never starts a server.",
  touches: { methods: ["GET_STATE", "GET_METADATA"] },
  input: { socket },
  cuts: [
    {
      at: ["resources"],
      hint: "resources and terminals keep the newest ids: read one pane by its @N with phux_snapshot",
    },
    {
      at: ["terminals"],
      hint: "terminals keeps the newest ids: name a session or a pane you know instead of listing all",
    },
  ],
  async run(given, call) {
    const connection = await call.connect(given.socket);
    if (!connection.ok) return connection;
    const state = await connection.value.state();
    if (!state.ok) return fail(state.error.refusal);
    const { snapshot, notices } = state.value;
    const tabs = await layoutTabs(connection.value, snapshot);
    if (!tabs.ok) return tabs;
    const hostsKnown = hasFeature(connection.value.server.capabilities, "host_sessions");
    return ok(listing(snapshot, { tabs: tabs.value, notices, hostsKnown }));
  },
});

export const create = overCli({
  name: "phux_new",
  verb: "phux new",
  about:
    "Create a named session with one pane, without attaching to it. Gives `terminal_id` as a bare number: address the " +
    "pane as `@N`. A name in use is refused. The pane runs a shell, or `command` as an argv. Do not rely on this to " +
    "start a server: check phux_status first.",
  touches: { methods: ["GET_STATE", "SET_METADATA", "GET_METADATA"], starts: true },
  input: {
    name: text("Session name. It must not start with @, # or %, nor contain `:` or `/@`."),
    command: optional(texts("Program of the first pane as an argv; empty or absent for the default shell.")),
    cwd: optional(text("Working directory of the first pane.")),
    idempotency_key: idempotencyKey,
    socket,
  },
  exclude: refuseZeroKey,
  argv: (given) => [
    "new",
    ...option("-s", "--session", given.name),
    "--json",
    ...option("-c", "--cwd", given.cwd),
    ...option("--idempotency-key", "--idempotency-key", given.idempotency_key),
    ...option("--socket", "--socket", given.socket),
    ...(given.command === undefined || given.command.length === 0 ? [] : ["--", ...given.command]),
  ],
  deadlineMs: 30_000,
});
