import { describe, expect, test } from "bun:test";
import { seedLayout } from "../../src/phux/layout-edit.ts";
import type { Feature } from "../../src/wire/capability.ts";
import { CloseReason, Lifecycle, SessionFlags } from "../../src/wire/enums.ts";
import { encodeLayout } from "../../src/wire/layout-document.ts";
import type { ProtocolVersion } from "../../src/wire/version.ts";
import { withServer } from "../phux/dialled.ts";
import { errorFrame, type FakeServer, requestId, V08, V10 } from "../phux/fake-server.ts";
import { SmallPhux, twoSessions } from "../phux/small-phux.ts";
import { idOf } from "../phux/snapshot.ts";
import { type Bench, benchOn } from "./calls.ts";

function onPhux(
  phux: SmallPhux,
  body: (bench: Bench, server: FakeServer) => Promise<void>,
  { version = V10, features = [] }: { version?: ProtocolVersion; features?: readonly Feature[] } = {},
): Promise<void> {
  return withServer({ script: phux.script, version, features }, (server) => body(benchOn(server), server));
}

/** A fleet: a hub with two sessions, an exited pane, an agent session, and two satellites of which one is away. */
function fleet(): SmallPhux {
  const resources = [
    ...twoSessions.resources,
    { id: "@4", window_id: 1, kind: "agent_session", parent: "@1" },
    { id: "lab/@2", window_id: 0 },
  ];
  const phux = new SmallPhux({ ...twoSessions, resources });
  const exit = {
    exit_status: null,
    signal: 9,
    reason: CloseReason.killed,
    exited_at_ms: 1_790_000_000_000n,
    retained_until_ms: 2n ** 60n + 1n,
  };
  const session = { window_count: 1, attached_client_count: 2, created_at_unix_secs: 0n, active_resource: null };
  phux.state = {
    ...phux.state,
    session_facets: [{ id: 2, flags: SessionFlags.keep_empty }],
    extensions: { resource_state: [{ id: idOf("@3"), lifecycle: Lifecycle.exited, exit }] },
    hosts: [
      {
        host: "lab",
        unreachable: null,
        sessions: [
          { ...session, id: 1, name: "gpu", pane_count: 1, active_resource: idOf("lab/@2") },
          { ...session, id: 2, name: "cpu", pane_count: 0, attached_client_count: 0 },
        ],
      },
      { host: "attic", unreachable: "connect timed out", sessions: [] },
    ],
  };
  phux.notices = [errorFrame(null, "SATELLITE_UNREACHABLE", "attic: connect timed out")];
  return phux;
}

const EXITED = {
  status: null,
  signal: 9,
  reason: "killed",
  exited_at_ms: 1_790_000_000_000,
  retained_until_ms: 1_152_921_504_606_847_000,
};

test("a whole fleet", () =>
  onPhux(
    fleet(),
    async (bench) => {
      const still = { attached: false, attached_clients: 0 };
      const plain = { kind: "terminal", parent: null, lifecycle: "running", exit: null };
      const local = { host: null, local: true, reachable: true, unreachable: null };
      expect(await bench.document("phux_ls")).toEqual({
        schema_version: 3,
        sessions: [
          { name: "home", windows: 1, ...still, keep_empty: true, empty: false },
          { name: "work", windows: 1, ...still, keep_empty: false, empty: false },
        ],
        terminals: ["@1", "@2", "@3", "lab/@2"],
        resources: [
          { id: "@1", ...plain },
          { id: "@2", ...plain },
          { id: "@3", ...plain, lifecycle: "exited", exit: EXITED },
          { id: "@4", ...plain, kind: "agent_session", parent: "@1" },
          { id: "lab/@2", ...plain },
        ],
        hosts: [
          {
            ...local,
            sessions: [
              { name: "home", id: 2, windows: 1, panes: 1, ...still, active_terminal: "@3" },
              { name: "work", id: 1, windows: 1, panes: 2, ...still, active_terminal: "@1" },
            ],
          },
          {
            ...local,
            host: "lab",
            local: false,
            sessions: [
              { name: "cpu", id: 2, windows: 1, panes: 0, ...still, active_terminal: null },
              {
                name: "gpu",
                id: 1,
                windows: 1,
                panes: 1,
                attached: true,
                attached_clients: 2,
                active_terminal: "lab/@2",
              },
            ],
          },
          { host: "attic", local: false, reachable: false, unreachable: "connect timed out", sessions: [] },
        ],
        hosts_complete: true,
        unreachable: ["attic: connect timed out"],
      });
      // Not a digit is lost on the way.
      expect((await bench.call("phux_ls")).text).toContain('"retained_until_ms": 1152921504606846977');
    },
    { features: ["host_sessions"] },
  ));

test("without host_sessions the satellites are unknown, not absent", () =>
  onPhux(fleet(), async (bench) => {
    const document = await bench.document("phux_ls");
    expect(document).toMatchObject({ hosts: [{ host: null }], hosts_complete: false });
  }));

test("sessions are sorted by their bytes, not by UTF-16", () => {
  const names = ["\u{10000}", "\uffff", "b", "a", "B"];
  const sessions = names.map((name, at) => ({ id: at + 1, name }));
  return onPhux(new SmallPhux({ ...twoSessions, sessions }), async (bench) => {
    const document = await bench.document("phux_ls");
    expect(document).toMatchObject({ sessions: ["B", "a", "b", "\uffff", "\u{10000}"].map((name) => ({ name })) });
  });
});

describe("the window count", () => {
  const tabs = (count: number, version: 2 | 3) => {
    const layout = seedLayout(idOf("@1"), version);
    const [first] = layout.windows;
    if (first === undefined) throw new Error("a seed has a window");
    const more = Array.from({ length: count - 1 }, (_, at) => ({
      ...first,
      ...(version === 3 && { id: (at + 1).toString(16).padStart(32, "0") }),
    }));
    return encodeLayout({ ...layout, windows: [first, ...more] }, version);
  };
  const cases: [what: string, version: ProtocolVersion, value: Uint8Array | null, windows: number][] = [
    ["is that of the layout", V10, tabs(3, 3), 3],
    ["is that of a version 2 layout on 0.8", V08, tabs(4, 2), 4],
    ["stays the server's when the layout is of the other version", V10, tabs(3, 2), 1],
    ["stays the server's when the layout makes no sense", V10, new Uint8Array([0xff]), 1],
    ["stays the server's without a layout", V10, null, 1],
  ];
  test.each(cases)("%s", (_, version, value, windows) => {
    const phux = new SmallPhux();
    if (value !== null) phux.set("group 1", "phux.tui.layout/v1/1", value);
    return onPhux(
      phux,
      async (bench, server) => {
        const document = await bench.document("phux_ls");
        expect(document).toMatchObject({
          sessions: [
            { name: "home", windows: 1 },
            { name: "work", windows },
          ],
        });
        expect(document).toMatchObject({ hosts: [{ sessions: [{ windows: 1 }, { windows }] }] });
        expect(server.frames.map(({ name }) => name)).toEqual(["COMMAND", "GET_METADATA", "GET_METADATA"]);
      },
      { version },
    );
  });

  test("a layout that may not be read is no failure, a lost connection is", () => {
    const phux = new SmallPhux();
    phux.override = (frame, client) => {
      if (frame.name === "GET_METADATA") client.send(errorFrame(requestId(frame), "PERMISSION_DENIED", "no"));
      return frame.name === "GET_METADATA";
    };
    return onPhux(phux, async (bench) => {
      expect(await bench.document("phux_ls")).toMatchObject({ sessions: [{ windows: 1 }, { windows: 1 }] });
      phux.override = (frame, client) => {
        if (frame.name === "GET_METADATA") client.end();
        return frame.name === "GET_METADATA";
      };
      expect(await bench.code("phux_ls")).toEqual(["server_disconnected", 1]);
    });
  });
});

test("an empty server", () =>
  onPhux(new SmallPhux({ ...twoSessions, sessions: [], windows: [], resources: [] }), async (bench) =>
    expect(await bench.document("phux_ls")).toMatchObject({
      sessions: [],
      terminals: [],
      resources: [],
      unreachable: [],
    }),
  ));

test("a fleet too large for its host keeps the newest ids and says so", () => {
  const resources = Array.from({ length: 2_000 }, (_, at) => ({ id: `@${at + 1}`, window_id: 1 }));
  return onPhux(new SmallPhux({ ...twoSessions, resources }), async (bench) => {
    const { text } = await bench.call("phux_ls", {}, { host: "codex-mcp-client" });
    expect(text.length).toBeLessThanOrEqual(10_000);
    const document: unknown = JSON.parse(text);
    expect(document).toMatchObject({ truncated: true, truncated_reason: "result_limit", sessions: [{}, {}] });
    expect(text).toContain('"@2000"');
  });
});
