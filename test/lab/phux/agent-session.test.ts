import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { ErrorCode } from "../../../src/wire/error-code.ts";
import { local } from "../answer.ts";
import { LabClient } from "../client.ts";
import type { LabOptions } from "../options.ts";
import { startLab } from "../server.ts";
import { errorOf, until, Workbench } from "./workbench.ts";

setDefaultTimeout(30_000);

let bench: Workbench;
/** Of the second lab anyone may append: every run of a command line is another connection. */
let shared: Workbench;
beforeAll(async () => {
  bench = await Workbench.open();
  shared = await Workbench.open({ openLogs: true });
});
afterAll(async () => {
  await bench.close();
  await shared.close();
});
afterEach(() => {
  for (const { lab } of [bench, shared]) {
    lab.faults.refuse = {};
    for (const agent of lab.server.agents.values()) lab.server.agents.delete(agent.id);
    for (const pane of lab.server.panes.values()) lab.server.metadata.dropScope({ tag: "resource", id: pane.resource });
  }
});

const openOn = async (on: Workbench, target = "@1", ...more: string[]): Promise<string> => {
  const { resource } = await on.document([
    "agent",
    "session",
    "open",
    "--provider",
    "claude",
    ...more,
    "--json",
    "--",
    target,
  ]);
  return String(resource);
};
const emit = (on: Workbench, target: string, type: string, ...more: string[]) =>
  on.phux(["agent", "emit", "--type", type, ...more, "--json", "--", target]);
const logOf = (on: Workbench, target: string, ...more: string[]) =>
  on.document(["agent", "log", "--json", ...more, "--", target]);
const named = (on: Workbench, pane: number, record: object) =>
  on.lab.server.writeMetadata(
    { tag: "resource", id: local(pane) },
    "phux.agent/v1",
    new TextEncoder().encode(JSON.stringify(record)),
  );

describe("agent session open", () => {
  test("gives the session, its pane, and what was said of it", async () => {
    const argv = ["agent", "session", "open", "--provider", "claude", "--native-id", "s-1", "--json", "--", "main"];
    const document = await bench.document(argv);
    expect(document).toEqual({
      ...{ schema_version: 1, resource: expect.stringMatching(/^@\d+$/), parent: "@1" },
      ...{ provider: "claude", native_id: "s-1" },
    });
    const { resources } = await bench.document(["ls", "--json"]);
    expect(resources).toContainEqual(
      expect.objectContaining({ id: document["resource"], kind: "agent_session", parent: "@1" }),
    );
  });

  test("makes another one each time, and says its id to a person", async () => {
    const first = await openOn(bench);
    const again = await bench.phux(["agent", "session", "open", "--provider=claude", "@1"]);
    expect(again.stdout).toMatch(/^@\d+\n$/);
    expect(again.stdout).not.toBe(`${first}\n`);
  });

  test.each([
    ["a pane that is not there", "@99", [], "no_such_target", 1],
    ["no selector", "=", [], "invalid_selector", 2],
    ["a native id that looks like an option", "@1", ["--native-id=-x"], "agent_session_refused", 1],
    ["an empty provider", "@1", ["--provider="], "agent_session_refused", 1],
    ["an agent that nobody has", "%nobody", [], "no_such_target", 1],
  ])("is refused for %s", async (_, target, more, code, exit) => {
    const provider = more.some((word) => word.startsWith("--provider")) ? [] : ["--provider", "claude"];
    const ran = await bench.phux(["agent", "session", "open", ...provider, ...more, "--json", "--", target]);
    expect(ran).toMatchObject({ exit, stdout: "" });
    expect(errorOf(ran)).toEqual({ code, exit });
  });

  test("is refused under another agent session", async () => {
    const parent = await openOn(bench);
    const ran = await bench.phux(["agent", "session", "open", "--provider", "x", "--json", "--", parent]);
    expect(errorOf(ran)).toEqual({ code: "parent_kind_mismatch", exit: 2 });
  });

  test("is refused under a pane that has ended", async () => {
    const client = await LabClient.open(bench.lab.socket, bench.lab.server.release.version);
    client.send({ name: "SPAWN_RESOURCE", value: { request_id: 1, group: 1, command: ["true"], retain_secs: 60 } });
    const { result } = await client.next("RESOURCE_SPAWNED");
    const id = result.tag === "ok" ? result.id.id : 0;
    await until(() => bench.lab.server.panes.get(id)?.retained !== null);
    const ran = await bench.phux(["agent", "session", "open", "--provider", "x", "--json", "--", `@${id}`]);
    client.close();
    expect(errorOf(ran)).toEqual({ code: "parent_not_found", exit: 1 });
  });

  test("is refused when the server refuses the spawn itself", async () => {
    bench.lab.faults.refuse = { SPAWN_RESOURCE: { code: ErrorCode.RESOURCE_EXHAUSTED, message: "enough" } };
    const open = () => bench.phux(["agent", "session", "open", "--provider", "x", "--json", "--", "@1"]);
    expect(errorOf(await open())).toEqual({ code: "agent_session_refused", exit: 1 });
    bench.lab.faults.refuse = { SPAWN_RESOURCE: { code: ErrorCode.PERMISSION_DENIED, message: "no" } };
    expect(errorOf(await open())).toEqual({ code: "permission_denied", exit: 2 });
  });

  test("needs a provider", async () => {
    const ran = await bench.phux(["agent", "session", "open", "--json", "--", "@1"]);
    expect(ran).toMatchObject({ exit: 2, stdout: "", stderr: expect.stringContaining("--provider is missing") });
  });

  test("is for this host", async () => {
    const far = await startLab({ socket: join(bench.folder, "far.sock"), session: "far", shell: "/bin/sh" });
    const hub = await Workbench.open({ satellites: { box: { socket: far.socket } } });
    const ran = await hub.phux(["agent", "session", "open", "--provider", "x", "--json", "--", "box/@1"]);
    await hub.close();
    await far.stop();
    expect(errorOf(ran)).toEqual({ code: "satellite_target", exit: 2 });
  });
});

describe("agent session close", () => {
  test.each([
    ["itself", (session: string) => session],
    ["its pane", () => "@1"],
    ["a session of phux that holds the pane", () => "main"],
    ["its agent", () => "%reviewer"],
  ])("by the name of %s", async (_, target) => {
    named(bench, 1, { name: "reviewer", state: "idle" });
    const session = await openOn(bench);
    const ran = await bench.phux(["agent", "session", "close", "--", target(session)]);
    expect(ran).toEqual({ exit: 0, stdout: `${session}\tclosed\n`, stderr: "" });
    expect(bench.lab.server.agents.size).toBe(0);
    expect(bench.lab.server.panes.has(1)).toBe(true);
  });

  test("says in prose what it could not close", async () => {
    const session = await openOn(bench);
    await bench.phux(["agent", "session", "close", "--", session]);
    const again = await bench.phux(["agent", "session", "close", "--", session]);
    expect(again).toEqual({ exit: 1, stdout: "", stderr: expect.stringMatching(/^phux: /) });
    const none = await bench.phux(["agent", "session", "close", "--", "@1"]);
    expect(none).toEqual({ exit: 2, stdout: "", stderr: expect.stringContaining("no agent session") });
  });

  test("has no --json", async () => {
    const ran = await bench.phux(["agent", "session", "close", "--json", "--", "@1"]);
    expect(ran).toMatchObject({ exit: 2, stdout: "", stderr: expect.stringMatching(/^error: /) });
  });
});

describe("agent emit", () => {
  test("is for the connection that opened the session", async () => {
    const ran = await emit(bench, await openOn(bench), "stop");
    expect(ran).toMatchObject({ exit: 2, stdout: "" });
    expect(errorOf(ran)).toEqual({ code: "not_producer", exit: 2 });
  });

  test("gives the number and the time of its record, which log has too", async () => {
    const session = await openOn(shared, "@1", "--native-id", "n");
    const first = await emit(shared, "@1", "prompt", "--data", '{"length":2,"text":"é\\n"}');
    expect(JSON.parse(first.stdout)).toEqual({
      ...{ schema_version: 1, resource: session, seq: 1, ts_ms: expect.any(Number), type: "prompt" },
    });
    expect(await shared.phux(["agent", "emit", "--type", "stop", session])).toEqual({
      exit: 0,
      stdout: "",
      stderr: "",
    });
    const again = await emit(shared, session, "stop");
    expect(JSON.parse(again.stdout)).toMatchObject({ seq: 3, type: "stop" });
    expect(await logOf(shared, "@1")).toEqual({
      ...{ schema_version: 1, resource: session, parent: "@1", provider: "claude", native_id: "n" },
      records: [
        { seq: 1, ts_ms: JSON.parse(first.stdout).ts_ms, type: "prompt", data: { length: 2, text: "é\n" } },
        { seq: 2, ts_ms: expect.any(Number), type: "stop", data: {} },
        { seq: 3, ts_ms: JSON.parse(again.stdout).ts_ms, type: "stop", data: {} },
      ],
    });
  });

  test("moves the state of the agent", async () => {
    const session = await openOn(shared);
    const state = () => [...shared.lab.server.agents.values()][0]?.state;
    for (const [type, expected] of [
      ["prompt", "working"],
      ["ask", "blocked"],
      ["stop", "done"],
    ] as const) {
      await emit(shared, session, type);
      expect(state()).toBe(expected);
    }
  });

  test.each([
    ["a type that nobody knows", "dance", [], "record_invalid"],
    ["data that is a list", "stop", ["--data", "[]"], "record_invalid"],
    ["data that is no JSON", "stop", ["--data", "{"], "record_invalid"],
    ["a record of more than 16 KiB", "stop", ["--data", JSON.stringify({ x: "x".repeat(17_000) })], "record_invalid"],
    ["more than 64 KiB", "stop", ["--data", JSON.stringify({ x: "x".repeat(66_000) })], "overflow"],
  ])("refuses %s", async (_, type, more, code) => {
    const session = await openOn(shared);
    const ran = await emit(shared, session, type, ...more);
    expect(ran).toMatchObject({ exit: 2, stdout: "" });
    expect(errorOf(ran)).toEqual({ code, exit: 2 });
    expect((await logOf(shared, session))["records"]).toEqual([]);
  });

  test("refuses what comes after the end of the session", async () => {
    const session = await openOn(shared);
    expect(await emit(shared, session, "session_end")).toMatchObject({ exit: 0 });
    expect(errorOf(await emit(shared, session, "stop"))).toEqual({ code: "record_invalid", exit: 2 });
    expect((await logOf(shared, session))["records"]).toMatchObject([{ type: "session_end" }]);
  });

  test("passes on what the server says of the resource", async () => {
    const session = await openOn(shared);
    shared.lab.faults.refuse = { APPEND_RESOURCE_OUTPUT: { code: ErrorCode.WRONG_RESOURCE_KIND, message: "?" } };
    expect(errorOf(await emit(shared, session, "stop"))).toEqual({ code: "wrong_resource_kind", exit: 2 });
  });
});

describe("agent log", () => {
  test("gives only the newest records when asked to, a line each to a person", async () => {
    const session = await openOn(shared);
    for (const type of ["session_start", "prompt", "stop"]) await emit(shared, session, type);
    expect((await logOf(shared, session, "--tail", "2"))["records"]).toMatchObject([{ seq: 2 }, { seq: 3 }]);
    expect((await logOf(shared, session, "--tail", "10000"))["records"]).toHaveLength(3);
    const text = await shared.phux(["agent", "log", session]);
    expect(text.stdout).toMatch(/^1\t\d+\tsession_start\t\{\}\n2\t\d+\tprompt\t\{\}\n3\t\d+\tstop\t\{\}\n$/);
  });

  test.each(["0", "10001", "x", "-1"])("takes no --tail of %s", async (tail) => {
    const ran = await shared.phux(["agent", "log", "--json", `--tail=${tail}`, "--", "@1"]);
    expect(ran).toMatchObject({ exit: 2, stdout: "", stderr: expect.stringMatching(/^error: --tail /) });
  });

  test("needs a session", async () => {
    expect(errorOf(await bench.phux(["agent", "log", "--json", "--", "@1"]))).toEqual({
      code: "no_agent_session",
      exit: 2,
    });
    const sessions = [await openOn(bench), await openOn(bench)];
    const ran = await bench.phux(["agent", "log", "--json", "--", "@1"]);
    expect(errorOf(ran)).toEqual({ code: "agent_session_ambiguous", exit: 2 });
    for (const session of sessions) expect(ran.stderr).toContain(session);
    expect(await logOf(bench, sessions[1] ?? "")).toMatchObject({ resource: sessions[1], records: [] });
  });

  test("of an agent by its name", async () => {
    named(bench, 1, { name: "reviewer", kind: "claude", state: "working" });
    const session = await openOn(bench, "%reviewer");
    expect(await logOf(bench, "%reviewer")).toMatchObject({ resource: session, parent: "@1" });
    named(bench, 1, { name: "claude", kind: "claude", state: "working" });
    const ran = await bench.phux(["agent", "log", "--json", "--", "%claude"]);
    expect(errorOf(ran)).toEqual({ code: "invalid_agent_name", exit: 2 });
  });

  test("does not take a part of the fleet for all of it", async () => {
    const hub = await Workbench.open({ satellites: { box: { unreachable: "asleep" } } });
    const ran = await hub.phux(["agent", "log", "--json", "--", "box/@7"]);
    await hub.close();
    expect(errorOf(ran)).toEqual({ code: "partial_view", exit: 3 });
  });
});

test.each<Partial<LabOptions>>([{ without: ["resource_kinds"] }, { version: "0.8" }])(
  "all four need resource_kinds: %j",
  async (options) => {
    const old = await Workbench.open(options);
    const runs = [
      ["agent", "session", "open", "--provider", "x", "--json", "--", "@1"],
      ["agent", "emit", "--type", "stop", "--json", "--", "@1"],
      ["agent", "log", "--json", "--", "@1"],
    ];
    const errors = await Promise.all(runs.map(async (argv) => errorOf(await old.phux(argv))));
    const closed = await old.phux(["agent", "session", "close", "--", "@1"]);
    await old.close();
    expect(errors).toEqual(runs.map(() => ({ code: "unsupported_server", exit: 2 })));
    expect(closed).toMatchObject({ exit: 2, stdout: "", stderr: expect.stringContaining("resource_kinds") });
  },
);

test("all four need a server", async () => {
  const env = { PHUX_SOCKET: join(bench.folder, "none.sock") };
  for (const argv of [
    ["agent", "session", "open", "--provider", "x", "--json", "--", "@1"],
    ["agent", "emit", "--type", "stop", "--json", "--", "@1"],
    ["agent", "log", "--json", "--", "@1"],
  ]) {
    expect(errorOf(await bench.phux(argv, { env }))).toEqual({ code: "no_server", exit: 1 });
  }
  expect(await bench.phux(["agent", "session", "close", "@1"], { env })).toMatchObject({ exit: 1, stdout: "" });
});
