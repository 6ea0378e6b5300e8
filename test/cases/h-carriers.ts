/** Where a phux server's words stand in what it sends: each carrier puts a text in one place of it. */
import type { AnyFrame } from "../../src/wire/frame.ts";
import { type Client, errorFrame, errorResult, type FakeServer, jsonResult, requestId } from "../phux/fake-server.ts";
import { plainScreen, SmallPhux, twoSessions } from "../phux/small-phux.ts";
import type { Given } from "./gh-host.ts";

/** The pane that all of it is about. */
export const PANE = "@1";

export interface Carrier {
  readonly where: string;
  readonly tool: string;
  readonly given?: Given;
  /** Makes the server say `text` there. */
  put(text: string, phux: SmallPhux, server: FakeServer): void;
}

/** Answers one kind of command in place of the small phux. */
function onCommand(phux: SmallPhux, tag: string, answer: (id: number, client: Client) => void): void {
  phux.override = (frame, client) => {
    if (frame.name !== "COMMAND" || frame.value.command.tag !== tag) return false;
    answer(requestId(frame), client);
    return true;
  };
}

const named = (name: string) => ({
  ...twoSessions,
  sessions: twoSessions.sessions.map((row) => (row.id === 1 ? { ...row, name } : row)),
});
const paneWith = (phux: SmallPhux, more: { readonly title?: string; readonly cwd?: string }) => {
  phux.state = { ...phux.state, resources: phux.state.resources.map((row) => ({ ...row, ...more })) };
};
const notice = (message: string): AnyFrame => errorFrame(null, "SATELLITE_UNREACHABLE", message);

/** Carriers whose text stands in a document, in full. */
export const documents: readonly Carrier[] = [
  {
    where: "a session's name",
    tool: "phux_ls",
    put: (text, phux) => {
      phux.state = new SmallPhux(named(text)).state;
    },
  },
  {
    where: "a pane's title",
    tool: "phux_resource_show",
    given: { target: "@1" },
    put: (title, phux) => paneWith(phux, { title }),
  },
  {
    where: "a pane's folder",
    tool: "phux_resource_show",
    given: { target: "@1" },
    put: (cwd, phux) => paneWith(phux, { cwd }),
  },
  {
    where: "a pane's tag",
    tool: "phux_tag",
    given: { action: "ls", target: "@1" },
    put: (text, phux) => phux.set("@1", "phux.tags/v1", JSON.stringify([text])),
  },
  {
    where: "an agent's record",
    tool: "phux_resource_show",
    given: { target: "@1" },
    put: (text, phux) => phux.set("@1", "phux.agent/v1", JSON.stringify({ name: "a", kind: text, state: "idle" })),
  },
  {
    where: "a row of the screen",
    tool: "phux_snapshot",
    given: { target: "@1" },
    put: (text, phux) => {
      phux.screen = () => ({ ...plainScreen, lines: [text, ""] });
    },
  },
  {
    where: "a row of history, joined",
    tool: "phux_snapshot",
    given: { target: "@1", unwrap: true, scrollback: 0 },
    put: (text, phux) => {
      phux.screen = () => ({ ...plainScreen, scrollback: [text], title: text });
    },
  },
  {
    where: "a member that nobody knows",
    tool: "phux_snapshot",
    given: { target: "@1" },
    put: (text, phux) => {
      phux.screen = () => ({ ...plainScreen, later: { [text]: [text] } });
    },
  },
  {
    where: "a part of the fleet that cannot be reached",
    tool: "phux_ls",
    put: (text, phux) => {
      phux.notices = [notice(text)];
    },
  },
];

export function carrierOf(where: string): Carrier {
  const found = documents.find((carrier) => carrier.where === where);
  if (found === undefined) throw new Error(`no carrier: ${where}`);
  return found;
}

/** Carriers whose text stands in an error: in the message of a document, or in a sentence, where controls are shown. */
export const errors: readonly Carrier[] = [
  {
    where: "a refusal with a code",
    tool: "phux_snapshot",
    given: { target: "@1" },
    put: (text, phux) =>
      onCommand(phux, "GET_SCREEN", (id, client) => client.send(errorResult(id, "PERMISSION_DENIED", text))),
  },
  {
    where: "a refusal without one",
    tool: "phux_snapshot",
    given: { target: "@1" },
    put: (text, phux) =>
      onCommand(phux, "GET_SCREEN", (id, client) => client.send(errorResult(id, "INVALID_COMMAND", text))),
  },
  {
    where: "a refusal as a frame of its own",
    tool: "phux_kill",
    given: { target: "@1", confirm: true },
    put: (text, phux) =>
      onCommand(phux, "KILL_RESOURCE", (id, client) => client.send(errorFrame(id, "INVALID_COMMAND", text))),
  },
  {
    where: "the last words before the end",
    tool: "phux_snapshot",
    given: { target: "@1" },
    put: (text, phux) => onCommand(phux, "GET_SCREEN", (_, client) => client.expel("MALFORMED_MESSAGE", text)),
  },
  {
    where: "a miss in a partial view",
    tool: "phux_snapshot",
    given: { target: "nobody" },
    put: (text, phux) => {
      phux.notices = [notice(text)];
    },
  },
  {
    where: "a version that is refused",
    tool: "phux_ls",
    put: (text, _, server) => {
      server.hello = (_hello, client) => client.expel("VERSION_INCOMPATIBLE", text);
    },
  },
  {
    where: "a rendering that failed",
    tool: "phux_snapshot",
    given: { target: "@1", format: "html" },
    put: (text, phux) =>
      onCommand(phux, "GET_SCREEN", (id, client) =>
        client.send(jsonResult(id, { ...plainScreen, rendered_error: text })),
      ),
  },
];

/** What people and agents leave in a phux: the call that writes a text, and the one that reads it. */
export const kept: [where: string, put: string, given: (text: string) => Given, get: string, asked: Given][] = [
  ["mail", "phux_mail_send", (body) => ({ to: PANE, body }), "phux_mail_read", { mailbox: PANE, limit: 64 }],
  [
    "a tag",
    "phux_tag",
    (tag) => ({ target: PANE, action: "add", tags: [tag] }),
    "phux_tag",
    { target: PANE, action: "ls" },
  ],
  ["a group", "phux_organize", (group) => ({ session: "work", group }), "phux_organize", {}],
  [
    "an agent's kind",
    "phux_agent_set",
    (kind) => ({ target: PANE, name: "bot", kind }),
    "phux_resource_show",
    { target: PANE },
  ],
  ["a claim's note", "phux_claim_take", (note) => ({ name: `c${crypto.randomUUID()}`, note }), "phux_claim_list", {}],
];
