/** A server that has thousands of everything, and screens of every bad kind, each in a pane of its own. */
import type { AnyFrame } from "../../src/wire/frame.ts";
import { encodeLayout } from "../../src/wire/layout-document.ts";
import { type Client, type FakeServer, requestId } from "../phux/fake-server.ts";
import { layoutOf } from "../phux/layout-text.ts";
import { plainScreen, SmallPhux } from "../phux/small-phux.ts";
import { admitting } from "./c-servers.ts";

const many = <T>(count: number, of: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => of(at));
const text = (value: unknown) => JSON.stringify(value);
const hex = (at: number) => at.toString(16).padStart(32, "0");

export const SESSIONS = 2_000;
export const TABS = 4_000;
export const CLAIMS = 1_500;
export const APPROVALS = 1_500;
export const EVENTS = 5_000;
export const TAGS = 9_000;
/** Panes from @1 on that carry the tag `all`. */
export const TAGGED = 800;
export const FAMILY = "👨‍👩‍👧‍👦";
const MEGA = 1_000_000;
const HALF = 500_000;

/** A screen by its pane: what its rows are made of, and the end that must still be there. */
export interface BadScreen {
  readonly pane: string;
  readonly what: string;
  readonly screen: Readonly<Record<string, unknown>>;
  /** Asked for with it. */
  readonly given?: Readonly<Record<string, unknown>>;
  /** How the last text of `lines`, or of the rendering, ends. */
  readonly ends: string;
}

const long = (what: string, row: string): Omit<BadScreen, "pane"> => ({
  ...{ what, screen: { lines: ["first", `${row}END`] }, ends: "END" },
});

export const badScreens: readonly BadScreen[] = [
  long("a row of five megabytes", "x".repeat(5 * MEGA)),
  long("two million CJK characters", "漢".repeat(2 * MEGA)),
  long("families of joiners", FAMILY.repeat(HALF / 4)),
  long("flags without a gap", "🇩🇪".repeat(HALF)),
  long("skin tones", "👍🏽".repeat(HALF)),
  long("a letter with a million marks", `e${"\u0301".repeat(MEGA)}`),
  long("controls, which are six characters each", "\u0001\u001b\u007f".repeat(HALF)),
  long("what turns the direction of writing", "\u202e\u2066".repeat(MEGA)),
  long("the invisible alphabet", "\u{e0041}".repeat(HALF)),
  long("quotes and backslashes", '"\\'.repeat(MEGA)),
  {
    what: "a history of 200,000 rows, each wrapped",
    screen: {
      scrollback: many(200_000, (at) => `row ${at} ${FAMILY}`),
      soft_wrap: { lines: [], scrollback: many(200_000, (at) => at) },
      lines: ["last END"],
    },
    ends: "END",
  },
  { what: "a million empty rows", screen: { scrollback: many(MEGA, () => ""), lines: ["END"] }, ends: "END" },
  { what: "a title of megabytes", screen: { title: "t".repeat(2 * MEGA), lines: ["END"] }, ends: "END" },
  {
    what: "cells by the ten thousand",
    screen: { lines: ["END"], cells: many(20_000, (col) => ({ col, row: 0, style: { bold: true, fg: "default" } })) },
    given: { cells: true },
    ends: "END",
  },
  {
    what: "a rendering of eight megabytes",
    screen: { lines: [], rendered: { format: "html", data: `<b>${"漢".repeat(2 * MEGA)}</b>END` } },
    given: { format: "html" },
    ends: "END",
  },
  { what: "members nobody knows", screen: { lines: ["END"], more: many(HALF, (at) => at) }, ends: "END" },
  {
    what: "an object of 100,000 members",
    screen: { lines: ["END"], more: Object.fromEntries(many(100_000, (at) => [`k${at}`, at])) },
    ends: "END",
  },
].map((bad, at) => ({ pane: `@${at + 1}`, ...bad }));

const deepest = `${"[".repeat(MEGA)}${"]".repeat(MEGA)}`;

/** The server, to be closed by the test. Every pane of `badScreens` has its screen, @50 one that is nested a million deep. */
export function crowd(): FakeServer {
  const ids = many(SESSIONS, (at) => at + 1);
  const phux = new SmallPhux({
    sessions: ids.map((id) => ({ id, name: `session ${id}`, active_window: id })),
    windows: ids.map((id) => ({ id, session_id: id, index: 0, name: "w", active_resource: `@${id}` })),
    resources: many(2 * SESSIONS, (at) => ({ id: `@${at + 1}`, window_id: (at % SESSIONS) + 1 })),
    focused_session: 1,
    focused_window: 1,
    focused_resource: "@1",
  });
  for (const at of many(CLAIMS, (at) => at)) phux.set("global", `phux.claim/v1/${claimName(at)}`, text(claim(at)));
  for (const at of many(APPROVALS, (at) => at)) phux.set("global", `phux.approval/v1/${hex(at)}`, text(approval(at)));
  phux.set("@1", "phux.tags/v1", text(many(TAGS, (at) => `tag ${at}`)));
  for (const id of ids.slice(1, TAGGED)) phux.set(`@${id}`, "phux.tags/v1", text(["all"]));
  // Most of these panes are long gone. The first layout is as large as may be written, the second has room for more.
  phux.set("group 1", "phux.tui.layout/v1/1", tabs([1, ...many(TABS - 2, (at) => 100_000 + at), 4]));
  phux.set("group 1", "phux.tui.layout/v1/2", tabs([2, ...many(1_000, (at) => 100_000 + at)]));
  const screens = new Map(badScreens.map(({ pane, screen }) => [pane, text({ ...plainScreen, ...screen })]));
  screens.set("@50", `${text({ ...plainScreen, lines: ["END"] }).slice(0, -1)},"deep":${deepest}}`);
  phux.override = (frame, client) => answered(frame, client, phux, screens);
  return admitting(phux.script);
}

function answered(frame: AnyFrame, client: Client, phux: SmallPhux, screens: ReadonlyMap<string, string>): boolean {
  if (frame.name === "LIST_METADATA") {
    const keys = [...phux.metadata.keys()].filter((key) => key.startsWith("global ")).map((key) => key.slice(7));
    client.send({ name: "METADATA_KEYS", value: { request_id: requestId(frame), keys: keys.sort() } });
    return true;
  }
  if (frame.name === "SUBSCRIBE_EVENTS") {
    client.send(...many(EVENTS, (at) => titleChanged(at)));
    return true;
  }
  if (frame.name !== "COMMAND" || frame.value.command.tag !== "GET_SCREEN") return false;
  const pane = frame.value.command.terminal_id;
  const json = pane.tag === "local" ? screens.get(`@${pane.id}`) : undefined;
  if (json === undefined) return false;
  const result = { tag: "ok_with", value: { tag: "json", json } } as const;
  client.send({ name: "COMMAND_RESULT", value: { request_id: requestId(frame), result } });
  return true;
}

const tabs = (panes: readonly number[]) =>
  encodeLayout(layoutOf(`*${panes.map((pane) => `w: @${pane} focus @${pane}`).join(" | ")}`), 3);

const titleChanged = (at: number): AnyFrame => ({
  name: "EVENT",
  value: {
    terminal: { tag: "local", id: 1 },
    seq: BigInt(at + 1),
    event: { tag: "title_changed", title: `${FAMILY} ${at}` },
  },
});

export const claimName = (at: number) => `repo:file-${String(at).padStart(5, "0")}`;
const FAR = 4_102_444_800_000;
const claim = (at: number) => ({
  ...{
    name: claimName(at),
    holder: `agent ${at % 7}`,
    taken_at_ms: at,
    expires_at_ms: FAR,
    note: `${FAMILY} note ${at}`,
  },
});
const approval = (at: number) => ({
  ...{ requester: { client: at, client_name: `client ${at}` }, method: "KILL_RESOURCE", subjects: [`terminal:${at}`] },
  ...{ requested_at_ms: at, expires_at_ms: FAR },
});
