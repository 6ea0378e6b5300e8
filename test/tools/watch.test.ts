import { describe, expect, test } from "bun:test";
import { ControlAction, Lifecycle } from "../../src/wire/enums.ts";
import type { AgentEvent, AnyFrame, FrameValue, ResourceId } from "../../src/wire/frame.ts";
import { withServer } from "../phux/dialled.ts";
import { type Client, errorFrame, type FakeServer, until } from "../phux/fake-server.ts";
import { SmallPhux } from "../phux/small-phux.ts";
import { idOf } from "../phux/snapshot.ts";
import { type Bench, benchOn } from "./calls.ts";

/** A server that pushes `frames` once it is subscribed to. */
function pushing(
  push: (client: Client) => void,
  body: (bench: Bench, server: FakeServer, phux: SmallPhux) => Promise<void>,
): Promise<void> {
  const phux = new SmallPhux();
  phux.override = (frame, client) => {
    if (frame.name === "SUBSCRIBE_EVENTS") push(client);
    return false;
  };
  return withServer({ script: phux.script }, (server) => body(benchOn(server), server, phux));
}

const event = (event: AgentEvent, more: Partial<FrameValue<"EVENT">> = {}): AnyFrame => ({
  name: "EVENT",
  value: { terminal: idOf("@1"), event, ...more },
});
const record = (id: ResourceId, value: object | string | null, key = "phux.agent/v1"): AnyFrame => {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return {
    name: "METADATA_CHANGED",
    value: {
      scope: { tag: "resource", id },
      key,
      ...(value !== null && { value: new TextEncoder().encode(text) }),
    },
  };
};

/** The items of a watch of @1 to which these frames were pushed. */
async function watched(frames: readonly AnyFrame[], args: object = {}): Promise<unknown> {
  let document: unknown;
  await pushing(
    (client) => client.send(...frames),
    async (bench) => {
      document = await bench.document("phux_watch", {
        target: "@1",
        max_events: frames.length,
        timeout_secs: 5,
        ...args,
      });
    },
  );
  return document;
}

describe("items", () => {
  const id = Uint8Array.fromHex("000102030405060708090a0b0c0d0e0f");
  const events: [event: AgentEvent, item: object][] = [
    [{ tag: "command_started" }, {}],
    [{ tag: "command_finished", exit_code: 3 }, { exit_code: 3 }],
    [{ tag: "command_finished", exit_code: null }, { exit_code: null }],
    [{ tag: "title_changed", title: "make" }, { title: "make" }],
    [{ tag: "bell" }, {}],
    [{ tag: "dirty" }, {}],
    [{ tag: "idle" }, {}],
    [{ tag: "pane_spawned" }, { kind: "terminal", parent: null }],
    [
      { tag: "pane_spawned", kind: 1, parent: idOf("lab/@4") },
      { kind: "agent_session", parent: "lab/@4" },
    ],
    [
      { tag: "pane_spawned", kind: 99 },
      { kind: "unknown", parent: null },
    ],
    [{ tag: "pane_closed", exit_status: null }, { exit_status: null }],
    [
      { tag: "asked", id: "q", question: "Deploy?", suggestion: ["yes", "no"], elapsed_seconds: 7n },
      { id: "q", question: "Deploy?", suggestions: ["yes", "no"], elapsed_seconds: 7 },
    ],
    [
      { tag: "asked", id: "q", question: "?" },
      { id: "q", question: "?", suggestions: [], elapsed_seconds: null },
    ],
    [
      {
        tag: "terminal_control",
        lifecycle: Lifecycle.frozen,
        exit_status: null,
        input_holder: 4,
        action: ControlAction.role_changed,
        actor: null,
      },
      { lifecycle: "frozen", action: "role_changed", exit_status: null, input_holder: 4, actor_client: null },
    ],
    [{ tag: "cwd_changed", cwd: "/srv" }, { cwd: "/srv" }],
    [
      { tag: "journal_gap", first_missing: 1n, last_missing: 9n },
      { first_missing: 1, last_missing: 9 },
    ],
    [{ tag: "source_gap", dropped: 12n }, { dropped: 12 }],
    [{ tag: "approval_requested", id }, { id: "000102030405060708090a0b0c0d0e0f" }],
    [
      { tag: "approval_decided", id, outcome: 3 },
      { id: "000102030405060708090a0b0c0d0e0f", outcome: "withdrawn" },
    ],
    [{ tag: "unknown", raw_tag: 0x7e, body: new Uint8Array([1]) }, { tag: 0x7e }],
  ];
  test.each(events)("%#", async (given, item) =>
    expect(await watched([event(given)])).toEqual({
      schema_version: 2,
      events: [{ event: given.tag, terminal: "@1", ...item }],
      count: 1,
    }),
  );

  test("the stamp of a journalled event, and one that belongs to no pane", async () => {
    const actor = { client: 3, credential_id: null, client_name: "tui" };
    const stamped = { event: { tag: "bell" }, seq: 41n, ts_ms: 1_790_000_000_000n, actor } as const;
    expect(await watched([{ name: "EVENT", value: stamped }])).toEqual({
      schema_version: 2,
      events: [{ event: "bell", seq: 41, ts_ms: 1_790_000_000_000, actor }],
      count: 1,
    });
  });

  test("numbers beyond 2^53 keep their digits", () =>
    pushing(
      (client) => client.send(event({ tag: "bell" }, { seq: 2n ** 63n + 1n })),
      async (bench) => {
        const { text } = await bench.call("phux_watch", { target: "@1", max_events: 1 });
        expect(text).toContain('"seq": 9223372036854775809');
      },
    ));
});

describe("agent records", () => {
  const one = idOf("@1");
  test("a history, a deletion, a second deletion, an unreadable one", async () => {
    const frames = [
      record(one, { name: "reviewer", kind: "claude", state: "working" }),
      record(one, { name: "reviewer", kind: "claude", state: "blocked", session: "sprint" }),
      record(one, { name: "reviewer", kind: "claude", state: "blocked", session: "sprint" }),
      record(one, null),
      record(one, null),
      record(one, { name: "new", state: "odd", attention: "odd" }),
      record(one, "{"),
    ];
    const base = { event: "agent_state", terminal: "@1" };
    const known = { ...base, name: "reviewer", kind: "claude" };
    expect(await watched(frames)).toEqual({
      schema_version: 2,
      events: [
        { ...known, state: "working", attention: "normal" },
        { ...known, state: "blocked", attention: "high", session: "sprint", from: "working" },
        { ...known, state: "blocked", attention: "high", session: "sprint", from: "blocked" },
        { ...known, state: null, from: "blocked" },
        { ...base, state: null },
        { ...base, name: "new", state: "unknown", attention: "normal" },
        { ...base, name: "new", state: null, from: "unknown" },
      ],
      count: 7,
    });
  });

  test("of another pane, or another key, are nobody's", async () => {
    const others = [record(idOf("@2"), { name: "x", state: "idle" }), record(one, "[]", "phux.tags/v1")];
    const document = await watched([...others, event({ tag: "bell" })], { max_events: 1 });
    expect(document).toEqual({ schema_version: 2, events: [{ event: "bell", terminal: "@1" }], count: 1 });
  });

  test("nothing of them without a target", async () => {
    await pushing(
      (client) => client.send(record(one, { name: "x", state: "idle" }), event({ tag: "bell" })),
      async (bench, server) => {
        const document = await bench.document("phux_watch", { max_events: 1, timeout_secs: 5 });
        expect(document).toMatchObject({ events: [{ event: "bell" }], count: 1 });
        expect(server.frames).toEqual([{ name: "SUBSCRIBE_EVENTS", value: {} }]);
      },
    );
  });
});

describe("a watch sends", () => {
  test("with a target: state, events, record, on one connection", () =>
    pushing(
      () => {},
      async (bench, server) => {
        await bench.document("phux_watch", { target: "work", timeout_secs: 0 });
        await until("the subscriptions came", () => server.frames.length === 3);
        expect(server.frames.slice(1)).toEqual([
          { name: "SUBSCRIBE_EVENTS", value: { terminal: idOf("@1") } },
          { name: "SUBSCRIBE_METADATA", value: { scope: { tag: "resource", id: idOf("@1") }, key: "phux.agent/v1" } },
        ]);
        expect(server.clients).toHaveLength(1);
      },
    ));
});

describe("a watch ends", () => {
  const bells = (count: number) => Array.from({ length: count }, () => event({ tag: "bell" }));

  test("at its count, in the order of arrival", () =>
    pushing(
      (client) => client.send(event({ tag: "dirty" }), event({ tag: "bell" }), event({ tag: "idle" })),
      async (bench) => {
        const document = await bench.document("phux_watch", { target: "@1", max_events: 2 });
        expect(document).toMatchObject({ events: [{ event: "dirty" }, { event: "bell" }], count: 2 });
      },
    ));

  test("at a count of nothing, after the selector was resolved", () =>
    pushing(
      (client) => client.send(...bells(3)),
      async (bench) => {
        expect(await bench.document("phux_watch", { target: "@1", max_events: 0 })).toMatchObject({
          events: [],
          count: 0,
        });
        expect(await bench.code("phux_watch", { target: "nobody", max_events: 0 })).toEqual(["no_such_target", 1]);
      },
    ));

  test("at its time, with what came", () =>
    pushing(
      (client) => client.send(...bells(2)),
      async (bench) => {
        const began = performance.now();
        const document = await bench.document("phux_watch", { target: "@1", timeout_secs: 1 });
        expect(document).toMatchObject({ count: 2 });
        expect(performance.now() - began).toBeWithin(950, 2_000);
      },
    ));

  test("with the server, in good order", () =>
    pushing(
      (client) => {
        client.send(...bells(2), { name: "DETACHED", value: { reason: 1 } });
        client.end();
      },
      async (bench) => expect(await bench.document("phux_watch", { target: "@1" })).toMatchObject({ count: 2 }),
    ));

  const failures: [what: string, push: (client: Client) => void, code: string][] = [
    ["thrown out", (client) => client.expel("MALFORMED_MESSAGE", "no"), "transport"],
    ["no frame", (client) => client.sendBytes(Buffer.from("ffffffff", "hex")), "transport"],
    [
      "a subscription that is refused",
      (client) => client.send(errorFrame(null, "PERMISSION_DENIED", "no observing")),
      "permission_denied",
    ],
  ];
  test.each(failures)("as a failure, also when something came: %s", (_, push, code) =>
    pushing(
      (client) => {
        client.send(...bells(2));
        push(client);
      },
      async (bench) => expect((await bench.code("phux_watch", { target: "@1", timeout_secs: 5 }))[0]).toBe(code),
    ),
  );

  test("a notice about a satellite ends nothing", () =>
    pushing(
      (client) => client.send(errorFrame(null, "UNSUPPORTED_SATELLITE_ROUTE", "no metadata there"), ...bells(1)),
      async (bench) =>
        expect(await bench.document("phux_watch", { target: "@1", max_events: 1 })).toMatchObject({ count: 1 }),
    ));

  test("at its cap, however many come", () =>
    pushing(
      (client) => client.send(event({ tag: "title_changed", title: "x".repeat(1 << 20) }), ...bells(1)),
      async (bench, _server, phux) => {
        const plain = phux.override;
        phux.override = (frame, client) => {
          for (let at = 0; at < 20 && frame.name === "SUBSCRIBE_EVENTS"; at++) plain(frame, client);
          return frame.name === "SUBSCRIBE_EVENTS";
        };
        const document = await bench.document("phux_watch", { target: "@1" });
        expect(document).toMatchObject({ truncated: true, truncated_reason: "result_limit" });
      },
    ));

  test("with an abort, at once", () =>
    pushing(
      () => {},
      async (bench, server) => {
        const abort = new AbortController();
        const call = bench.call("phux_watch", { target: "@1" }, { signal: abort.signal });
        await until("it is subscribed", () => server.frames.length === 3);
        const began = performance.now();
        abort.abort();
        await call;
        await until("the connection is closed", () => server.open === 0);
        expect(performance.now() - began).toBeLessThan(100);
      },
    ));

  test("at its own limit when the server is silent, not at that of a request", () =>
    withServer({ script: () => {} }, async (server) => {
      const began = performance.now();
      expect(await benchOn(server).code("phux_watch", { target: "@1", timeout_secs: 0 })).toEqual(["transport", 1]);
      expect(await benchOn(server).code("phux_wait", { target: "@1", timeout_secs: 1 })).toEqual(["transport", 1]);
      expect(performance.now() - began).toBeWithin(3_900, 6_000);
    }));
});

test("a partial view is exit 1 for wait and watch", () =>
  pushing(
    () => {},
    async (bench, _server, phux) => {
      phux.notices = [errorFrame(null, "SATELLITE_UNREACHABLE", "attic is away")];
      expect(await bench.code("phux_watch", { target: "attic/@1" })).toEqual(["partial_view", 1]);
      expect(await bench.code("phux_wait", { target: "attic/@1" })).toEqual(["partial_view", 1]);
      expect(await bench.code("phux_snapshot", { target: "attic/@1" })).toEqual(["partial_view", 3]);
    },
  ));
