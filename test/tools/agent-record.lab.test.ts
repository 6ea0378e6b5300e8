import { afterEach, describe, expect, test } from "bun:test";
import { agentClear, agentSet } from "../../src/tools/agent-record.ts";
import type { LabOptions } from "../lab/options.ts";
import { until } from "../lab/until.ts";
import { LabRoom, on, releases } from "./lab-room.ts";

const KEY = "phux.agent/v1";
const tools = [agentSet, agentClear];

let room: LabRoom;
afterEach(() => room.end());

async function open(options: Partial<LabOptions> = {}): Promise<LabRoom> {
  room = await LabRoom.open(tools, options);
  return room;
}

describe.each([...releases])("on %s", (version) => {
  test("set writes the whole record, clear deletes it", async () => {
    const { pane } = await (await open({ version })).session("work");
    const whole = { name: "reviewer", kind: "claude", state: "working", attention: "low", session: "sprint" };
    expect(await room.document("phux_agent_set", { target: pane, ...whole })).toEqual({
      schema_version: 1,
      action: "set",
      terminal: pane,
      record: whole,
    });
    expect(await room.text(on(pane), KEY)).toBe(JSON.stringify(whole));

    // What is not given is gone, and no state is `unknown`.
    const { text } = await room.call("phux_agent_set", { target: pane, name: "  bot " });
    expect(JSON.parse(text).record).toEqual({ name: "bot", state: "unknown" });
    expect(await room.text(on(pane), KEY)).toBe('{"name":"bot","state":"unknown"}');

    const cleared = { schema_version: 1, action: "clear", terminal: pane, record: null };
    expect(await room.document("phux_agent_clear", { target: pane })).toEqual(cleared);
    expect(await room.read(on(pane), KEY)).toBeNull();
    expect(await room.document("phux_agent_clear", { target: pane })).toEqual(cleared);
  });

  test("without a target the focused pane is meant", async () => {
    await open({ version });
    await room.session("other");
    expect(await room.document("phux_agent_set", { name: "lead" })).toMatchObject({ terminal: "@1" });
    expect(await room.text(on("@1"), KEY)).toBe('{"name":"lead","state":"unknown"}');
  });

  test("by agent name", async () => {
    await open({ version });
    await room.document("phux_agent_set", { target: "@1", name: "builder", state: "idle" });
    expect(await room.document("phux_agent_clear", { target: "%builder" })).toMatchObject({ terminal: "@1" });
    expect(await room.code("phux_agent_clear", { target: "%builder" })).toEqual(["no_such_target", 1]);
  });
});

test("keys come in the order of the contract", async () => {
  await open();
  const args = { session: "s", attention: "high", state: "done", kind: "codex", name: "n", target: "@1" };
  const { text } = await room.call("phux_agent_set", args);
  expect(text.replaceAll(/\s+/g, "")).toBe(
    '{"schema_version":1,"action":"set","terminal":"@1","record":{"name":"n","kind":"codex","state":"done","attention":"high","session":"s"}}',
  );
});

const refusals: [what: string, tool: string, args: object, code: string, exit: number][] = [
  ["a pane that is not there", "phux_agent_set", { target: "@99", name: "n" }, "no_such_target", 1],
  ["a session that is not there", "phux_agent_clear", { target: "nosuch" }, "no_such_target", 1],
  ["a selector that does not parse", "phux_agent_set", { target: "#", name: "n" }, "invalid_selector", 2],
  ["a selector that does not parse", "phux_agent_clear", { target: "@x" }, "invalid_selector", 2],
];
test.each(refusals)("%s: %s", async (_, tool, args, code, exit) => {
  await open();
  expect(await room.code(tool, { ...args })).toEqual([code, exit]);
});

const malformed: [args: object, text: string][] = [
  [{ target: "@1" }, 'needs the argument "name"'],
  [{ name: " \t" }, '"name" is blank'],
  [{ name: "" }, '"name" must have 1..4096 bytes'],
  [{ name: "é".repeat(2049) }, '"name" must have 1..4096 bytes'],
  [{ name: "n", state: "busy" }, "must be one of unknown, idle, working, blocked, done"],
  [{ name: "n", attention: "urgent" }, "must be one of none, low, normal, high"],
  [{ name: "n", confirm: true }, 'no argument "confirm"'],
];
test.each(malformed)("%j is refused before anything is opened", async (args, text) => {
  await open();
  expect(await room.failure("phux_agent_set", { ...args })).toContain(text);
  expect(room.asked).toEqual([]);
});

test("4,096 bytes are fine", async () => {
  await open();
  const name = "é".repeat(2048);
  expect(await room.document("phux_agent_set", { name })).toMatchObject({ record: { name } });
});

test("an agent session is no pane", async () => {
  await open();
  const value = { request_id: 9, group: 1, kind: 1, parent: { tag: "local", id: 1 }, provider: "claude" } as const;
  room.witness.send({ name: "SPAWN_RESOURCE", value });
  const { result } = await room.witness.next("RESOURCE_SPAWNED");
  if (result.tag !== "ok") throw new Error(Bun.inspect(result));
  const target = `@${result.id.id}`;
  expect(await room.code("phux_agent_set", { target, name: "n" })).toEqual(["wrong_resource_kind", 2]);
  expect(await room.code("phux_agent_clear", { target })).toEqual(["wrong_resource_kind", 2]);
});

describe("what the server does not keep", () => {
  test("a write that is dropped", async () => {
    await open({ faults: { silentSet: true } });
    expect(await room.failure("phux_agent_set", { name: "n" })).toContain("did not keep");
  });

  test("a write that somebody else overtakes", async () => {
    await open({ faults: { silentSet: true } });
    room.scene.lab.server.writeMetadata(on("@1"), KEY, new TextEncoder().encode('{"name":"other"}'));
    expect(await room.failure("phux_agent_set", { name: "n" })).toContain("somebody else wrote it meanwhile");
  });

  test("a write that the server refuses", async () => {
    await open({ faults: { refuse: { SET_METADATA: { code: 201, message: "no grant" } } } });
    expect(await room.code("phux_agent_set", { name: "n" })).toEqual(["permission_denied", 2]);
    expect(await room.read(on("@1"), KEY)).toBeNull();
  });

  test("a miss in a partial view", async () => {
    await open({ faults: { notices: [{ code: 107, message: "host lab is away" }] } });
    expect(await room.code("phux_agent_set", { target: "lab/@4", name: "n" })).toEqual(["partial_view", 3]);
  });

  test("a server that closes in between", async () => {
    await open({ faults: { dropBeforeReply: ["GET_METADATA"] } });
    expect(await room.code("phux_agent_set", { name: "n" })).toEqual(["server_disconnected", 1]);
  });
});

test("another host's pane", async () => {
  const far = await LabRoom.open([], {});
  try {
    await open({ satellites: { lab: { socket: far.scene.lab.socket } } });
    expect(await room.code("phux_agent_set", { target: "lab/@1", name: "n" })).toEqual(["satellite_target", 2]);
    expect(await room.code("phux_agent_clear", { target: "lab/@1" })).toEqual(["satellite_target", 2]);
  } finally {
    await far.end();
  }
});

test("followers of the pane hear of it", async () => {
  await open();
  room.witness.send({ name: "SUBSCRIBE_METADATA", value: { scope: on("@1"), key: KEY } });
  await room.document("phux_agent_set", { name: "n" });
  await until("the change came", () => room.witness.received.some((one) => one?.frame.name === "METADATA_CHANGED"));
});
