import { detachViewers } from "../phux/detach.ts";
import { sentence } from "../phux/errors.ts";
import { layoutTabs } from "../phux/layouts.ts";
import { listing } from "../phux/listing.ts";
import { organizeSessions } from "../phux/organize.ts";
import { renameSession } from "../phux/rename.ts";
import { refuseSessionName } from "../phux/session-name.ts";
import { hasFeature } from "../wire/capability.ts";
import { fail, ok } from "../wire/result.ts";
import { consent, flag, idempotencyKey, integer, optional, plainText, socket, text, texts } from "./argument.ts";
import { option } from "./argv.ts";
import { answerOrPending } from "./held.ts";
import { inFile } from "./rest.ts";
import { inProcess, overCli } from "./tool.ts";

export const ls = inProcess({
  name: "phux_ls",
  verb: "phux ls",
  sets: ["core", "panes", "resources"],
  about:
    "List sessions, panes and other resources by id, and hosts. Start here; take `@N` ids from it. With " +
    "`unreachable` not empty or `hosts_complete` false, absent does not mean gone.",
  touches: { methods: ["GET_STATE", "GET_METADATA"] },
  input: { socket },
  cuts: [
    {
      at: ["resources"],
      hint: `resources keeps the newest ids: for everything ${inFile("phux ls --json")}`,
    },
    {
      at: ["terminals"],
      hint: `terminals keeps the newest ids: for everything ${inFile("phux ls --json")}`,
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
  sets: ["core", "panes"],
  about:
    "Create a named session with one pane, without attaching. `terminal_id` is a bare number: address it as `@N`. " +
    "A taken name is refused. Do not start a server with it: ask phux_status first.",
  touches: { methods: ["GET_STATE", "SET_METADATA", "GET_METADATA"], starts: true },
  input: {
    name: text("Session name: no @, # or % in front, no `:` or `/@`."),
    command: optional(texts("Argv; default a shell.")),
    cwd: optional(text("Working directory.")),
    idempotency_key: idempotencyKey,
    socket,
  },
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

const LAST_POSITION = 65_535;

export const organize = inProcess({
  name: "phux_organize",
  verb: "phux organize",
  sets: ["panes"],
  about:
    "Read, or set for one session, how people's session lists group, pin and order them. group, pinned and position " +
    "need session.",
  touches: { methods: ["GET_STATE", "GET_METADATA", "SET_METADATA", "DELETE_METADATA"] },
  input: {
    session: optional(text("Session name; default all, to read.")),
    group: optional(plainText('Label; "" clears it.', 0)),
    pinned: optional(flag("Pin or unpin it.")),
    position: optional(integer("Order in its group, smallest first.", 0, LAST_POSITION)),
    socket,
  },
  exclude(given) {
    const change = (["group", "pinned", "position"] as const).find((name) => given[name] !== undefined);
    if (given.session !== undefined || change === undefined) return null;
    return sentence(`phux_organize: "${change}" changes one session, and that needs session`, 2);
  },
  cuts: [{ at: ["sessions"], hint: "sessions keeps the last names: ask for one of them" }],
  async run({ session, group, pinned, position, ...given }, call) {
    const connection = await call.connect(given.socket);
    if (!connection.ok) return connection;
    const reads = group === undefined && pinned === undefined && position === undefined;
    const change = reads ? null : { group: group ?? null, pinned: pinned ?? null, position: position ?? null };
    const organized = await organizeSessions(connection.value, session ?? null, change);
    return organized.ok ? ok({ schema_version: 1, sessions: organized.value }) : organized;
  },
});

export const detach = inProcess({
  name: "phux_detach",
  verb: "phux detach",
  sets: ["panes"],
  about:
    "Eject the people who watch a session, or every session; panes and programs go on. First tell the human who is " +
    "ejected and get a yes.",
  touches: { methods: ["DETACH_CLIENTS"] },
  input: {
    session: optional(text("Session name; default every session.")),
    confirm: consent("true: the human said yes to this."),
    socket,
  },
  confirm: (raw) =>
    raw["confirm"] === true
      ? null
      : "phux_detach is destructive: it must be called with confirm: true, after the human has seen who is ejected and said yes",
  async run(given, call) {
    const connection = await call.connect(given.socket);
    if (!connection.ok) return connection;
    const session = given.session ?? null;
    return answerOrPending(call, connection.value, "phux_detach", async (action) => {
      const detached = await detachViewers(action, session);
      return detached.ok ? ok({ schema_version: 1, detached: detached.value, session }) : detached;
    });
  },
});

export const rename = inProcess({
  name: "phux_rename",
  verb: "phux rename",
  sets: ["panes"],
  about: "Rename a session; ids stay. The new name must be free.",
  touches: { methods: ["GET_STATE", "SET_METADATA"] },
  input: {
    session: text("Present name."),
    new_name: plainText("New name: not blank, no @, # or % in front, no `:` or `/@`.", 1),
    socket,
  },
  exclude: (given) => refuseSessionName(given.new_name),
  async run({ session, new_name: name, ...given }, call) {
    const connection = await call.connect(given.socket);
    if (!connection.ok) return connection;
    const renamed = await renameSession(connection.value, session, name);
    return renamed.ok ? ok({ schema_version: 1, renamed: { from: session, to: name } }) : renamed;
  },
});
