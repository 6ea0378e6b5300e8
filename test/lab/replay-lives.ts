import type { FrameValue } from "../../src/wire/frame.ts";
import { type Dialogue, decodeWhole } from "./recording.ts";
import type { ReplayLife } from "./replay.ts";
import { until } from "./until.ts";

type Before = (life: ReplayLife, dialogue: Dialogue) => Promise<void>;

/** Dialogues that belong to one server life, in the order in which they were recorded. */
export type LifeScript = {
  readonly about: string;
  /** The first session of the server; none: it starts empty. */
  readonly session?: string;
  /** Connections that live through several dialogues. */
  readonly lasting: readonly string[];
  /** Those of them of which the recording shows everything. */
  readonly complete?: readonly string[];
  readonly prepare?: (life: ReplayLife) => Promise<void>;
  /** A dialogue, or one before which something happened that the recording does not show. */
  readonly dialogues: readonly (string | { readonly name: string; readonly before: Before })[];
  /** Dialogues in which a program answers while its input is still being typed. */
  readonly raced?: readonly string[];
  /** Connections that came in only when something had happened. */
  readonly late?: Readonly<Record<string, (life: ReplayLife) => Promise<void>>>;
};

const cat = ["/bin/cat"];

async function spawn(life: ReplayLife, ask: FrameValue<"SPAWN_RESOURCE">): Promise<number | null> {
  const director = await life.director();
  director.send({ name: "SPAWN_RESOURCE", value: { request_id: 1, group: 1, ...ask } });
  const { result } = await director.next("RESOURCE_SPAWNED");
  return result.tag === "ok" ? result.id.id : null;
}

/** Uses up pane ids until the next one is `id`: a program that is not there costs an id and leaves nothing. */
async function skipTo(life: ReplayLife, id: number, last: number): Promise<void> {
  for (let used = last + 1; used < id; used++) await spawn(life, { command: ["/nonexistent/bin"] });
}

async function openSession(life: ReplayLife, name: string, command?: string[]): Promise<void> {
  const director = await life.director();
  const token = crypto.randomUUID();
  const scope = { tag: "global" } as const;
  const request = JSON.stringify({ name, request_token: token, ...(command ? { command } : {}) });
  const value = new TextEncoder().encode(request);
  director.send(
    { name: "SET_METADATA", value: { request_id: 1, scope, key: "phux.session.create/v1", value } },
    { name: "GET_METADATA", value: { request_id: 2, scope, key: `phux.session.created/v1/${token}` } },
  );
  const created = await director.next("METADATA_VALUE");
  if (!created.value) throw new Error(`session ${name} was not created`);
}

async function kill(life: ReplayLife, id: number): Promise<void> {
  await life.command({ tag: "KILL_RESOURCE", terminal_id: { tag: "local", id } });
  await until(`pane ${id} is gone`, () => !life.lab.server.panes.has(id));
}

const local = (id: number) => ({ tag: "local", id }) as const;

/** Exits 7 with a word when it is told to terminate. */
const exitsOnTerm = ["/bin/sh", "-c", "trap 'echo bye; exit 7' TERM; while :; do sleep 0.05; done"];

export const lives: readonly LifeScript[] = [
  {
    about: "handshakes, malformed frames, one session",
    session: "main",
    lasting: [],
    prepare: (life) => life.settle(),
    dialogues: [
      ...["hello_ok", "ping_after_hello", "detach_control_client", "hello_refused_newer_minor"],
      ...["hello_refused_older_minor", "hello_refused_major", "hello_patch_ignored", "ping_before_hello"],
      ...["command_before_hello", "second_hello", "hello_no_profile", "hello_statesync", "hello_zero_limit"],
      ...["hello_without_l3", "hello_unknown_field", "hello_wire_type_zero", "hello_split_and_merged"],
      ...["length_zero", "length_over_cap", "length_at_cap", "unknown_frame_type", "retired_frame_type"],
      ...["newer_frame_type", "server_frame_empty", "server_frame_valid", "pong_from_client", "newer_command"],
      ...["reserved_command", "bad_scope_byte", "ping_without_nonce", "field_overrun", "bad_resource_tag"],
      ...["format_byte_zero", "format_byte_html", "cells_byte_missing", "bad_option_tag", "request_id_missing"],
      ...["command_missing", "request_id_repeated", "varint_not_minimal", "kill_with_operation_id"],
      ...["key_not_utf8", "journal_absent", "get_state_one_session"],
    ],
  },
  {
    about: "the long one: sessions, screens, input, events, spawn, metadata, upload, attach, and the end of all panes",
    session: "main",
    lasting: ["main", "events", "events1", "events2", "events3"],
    complete: ["events", "events1"],
    raced: ["paste_bracketed", "paste_unbracketed"],
    dialogues: [
      ...["session_create", "session_create_taken", "session_create_legacy", "session_create_ignored"],
      ...["get_state_sessions", "screen_plain", "route_keys", "route_paste_enter", "screen_cells", "screen_wide"],
      ...["screen_scrollback_all", "screen_scrollback_5", "screen_soft_wrap", "screen_alternate"],
      {
        name: "screen_osc133",
        // The program in the alternate screen sleeps for a moment before it gives the prompt back.
        before: (life) => until("the alternate screen is left", () => bufferOf(life, 2) === "normal"),
      },
      ...["screen_unknown", "screen_satellite", "terminal_state", "route_unknown_pane", "route_mouse_focus"],
      ...["route_untrusted", "paste_bracketed", "paste_unbracketed", "apply_input", "apply_input_zero_id"],
      ...["apply_input_no_events", "subscribe_all", "subscribe_one", "subscribe_filtered"],
      ...["subscribe_filter_empty", "subscribe_unknown", "input_lease", "events_of_output", "report_asked"],
      ...["report_agent_state", "signals", "spawn_minimal", "spawn_full", "spawn_env_empty"],
      ...["spawn_agent_session", "spawn_pipelined", "spawn_failures", "spawn_newer_fields", "attach_terminal"],
      ...["resize", "tags", "metadata_edges", "rename", "layout_absent", "put_file", "put_file_extension", "move"],
      ...["detach_clients", "attach_session", "attach_unknown", "attach_zero_id", "exit_spawner_not_told"],
      ...["exit_attached_told", "kill", "signal_kill"],
      { name: "kill_all", before: (life) => kill(life, 3) },
    ],
  },
  {
    about: "renames, questions, agent records, attaching, SHUTDOWN",
    session: "main",
    lasting: ["main2", "watch3"],
    async prepare(life) {
      await skipTo(life, 14, 1);
      await openSession(life, "ren");
    },
    dialogues: [
      "rename_broadcast",
      { name: "asked_title", before: (life) => openSession(life, "ask") },
      ...["agent_record", "report_asked_limits"],
      { name: "session_killed_attached", before: (life) => openSession(life, "killme") },
      ...["route_bad_keys", "signal_unknown"],
      {
        name: "last_pane_exits_attached",
        before: (life) => openSession(life, "exitme", ["/bin/sh", "-c", "sleep 0.4"]),
      },
      ...["attach_id_reused", "attach_last"],
      {
        name: "shutdown",
        async before(life) {
          await openSession(life, "sb");
          await skipTo(life, 34, 18);
          await spawn(life, {});
        },
      },
    ],
  },
  {
    about: "an empty server",
    session: "main",
    lasting: ["main", "events"],
    complete: ["events"],
    dialogues: [...["kill_last_never_attached", "get_state_empty", "kill_spawner_not_told", "cwd_changed"]],
  },
  { about: "attaching to an empty server", lasting: [], dialogues: ["attach_last_empty"] },
  {
    about: "a program that exits when told to",
    session: "main",
    lasting: ["main", "events"],
    complete: ["events"],
    async prepare(life) {
      await skipTo(life, 10, 1);
      await spawn(life, { command: exitsOnTerm });
      (await life.client("events")).send({ name: "SUBSCRIBE_EVENTS", value: {} });
      const filter = { tag: "SUBSCRIBE_RESOURCE_EVENTS", terminal_id: local(10), event_types: [] } as const;
      await (await life.client("filtered")).command(filter);
      await life.settle();
    },
    dialogues: ["signal_terminate", "approvals_absent"],
  },
  {
    about: "layout documents",
    session: "main",
    lasting: ["main"],
    dialogues: [...["layout_seed_and_split", "layout_split_again"], { name: "layout_move", before: storeFirstAnswer }],
  },
  {
    about: "three clients kill one pane",
    session: "main",
    lasting: [],
    async prepare(life) {
      await openSession(life, "");
      await skipTo(life, 4, 2);
      await spawn(life, { command: cat, owner_terminal: local(2) });
      await spawn(life, { command: cat });
      await skipTo(life, 7, 5);
      await spawn(life, { command: cat });
      await spawn(life, { command: cat });
    },
    late: { later: (life) => until("pane 4 is gone", () => !life.lab.server.panes.has(4)) },
    dialogues: ["kill_window"],
  },
];

/** The layout that a client between two dialogues had written: the first answer of the second shows it. */
async function storeFirstAnswer(life: ReplayLife, dialogue: Dialogue): Promise<void> {
  const [asked, answered] = dialogue.steps.map(({ bytes }) => bytes && decodeWhole(bytes));
  if (asked?.name !== "GET_METADATA" || answered?.name !== "METADATA_VALUE") throw new Error("no GET_METADATA");
  const { scope, key } = asked.value;
  const { value } = answered.value;
  (await life.director()).send({
    name: "SET_METADATA",
    value: { request_id: 1, scope, key, ...(value ? { value } : {}) },
  });
  await until("the layout is stored", () => life.lab.server.metadata.get(scope, key) !== undefined);
}

function bufferOf(life: ReplayLife, pane: number): string | undefined {
  return life.lab.server.panes.get(pane)?.terminal.screen.buffer.type;
}
