import { afterEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ErrorCode } from "../../src/wire/error-code.ts";
import { LabClient } from "./client.ts";
import type { Faults } from "./faults.ts";
import type { LabOptions } from "./options.ts";
import { type Stage, stage } from "./stage.ts";
import { until } from "./until.ts";

let scene: Stage | null = null;

async function set(options: Partial<LabOptions> = {}): Promise<Stage> {
  scene = await stage(options);
  return scene;
}

afterEach(async () => {
  await scene?.end();
  scene = null;
});

const getState = { tag: "GET_STATE", scope: 0 } as const;
const first = { tag: "local", id: 1 } as const;
const global = { tag: "global" } as const;
const bytes = (text: string) => new TextEncoder().encode(text);

/** A client of a lab with these faults switched on after the handshake. */
async function faulty(faults: Partial<Faults>, options: Partial<LabOptions> = {}): Promise<LabClient> {
  const { lab, connect } = await set(options);
  const client = await connect();
  Object.assign(lab.faults, faults);
  return client;
}

/** The next event that the new pane's shell did not make by printing its prompt. */
async function nextButNoise(client: LabClient) {
  for (;;) {
    const event = await client.next("EVENT");
    if (!["dirty", "idle", "cwd_changed"].includes(event.event.tag)) return event;
  }
}

describe("replies that do not come", () => {
  test("silent", async () => {
    const client = await faulty({ silent: ["GET_STATE"] });
    await expect(client.command(getState, 60)).rejects.toThrow("no answer");
    client.send({ name: "PING", value: { nonce: 5n } });
    expect(await client.next("PONG")).toEqual({ nonce: 5n });
  });

  test("executed, then dropped", async () => {
    const client = await faulty({ dropBeforeReply: ["KILL_RESOURCE"] });
    await expect(client.command({ tag: "KILL_RESOURCE", terminal_id: first })).rejects.toThrow("no answer");
    await until("the pane is gone", () => scene?.lab.server.panes.size === 0);
  });

  test("broken off in the middle of a frame", async () => {
    const client = await faulty({ cutReply: ["GET_STATE"] });
    await expect(client.command(getState)).rejects.toThrow("no answer");
    expect(client.partialBytes).toBeGreaterThan(0);
  });

  test("late, by name", async () => {
    const client = await faulty({ lateMs: { GET_STATE: 80 } });
    await expect(client.command(getState, 40)).rejects.toThrow("no answer");
    expect((await client.next("COMMAND_RESULT")).result.tag).toBe("ok_with");
  });
});

describe("replies that are odd", () => {
  test("an event between request and reply", async () => {
    const client = await faulty({ eventBeforeReply: true });
    await client.command(getState);
    expect(client.received.map((one) => one?.frame.name)).toEqual(["EVENT"]);
  });

  test("fields, event tags and error codes that nobody knows", async () => {
    const client = await faulty({
      unknownField: true,
      unknownEvent: true,
      refuse: { SHUTDOWN: { code: 999, message: "?" } },
    });
    client.send({ name: "SUBSCRIBE_EVENTS", value: {} });
    expect((await client.command(getState)).tag).toBe("ok_with");
    scene?.lab.server.hub.publish({ terminal: first, event: { tag: "bell" } });
    // Each event is followed by one that nobody knows, those of the shell too.
    while ((await client.next("EVENT")).event.tag !== "bell");
    expect((await client.next("EVENT")).event).toMatchObject({ tag: "unknown", raw_tag: 0x7e });
    expect(await client.command({ tag: "SHUTDOWN" })).toEqual({ tag: "error", code: 999, message: "?" });
  });

  test("a refusal as an ERROR frame", async () => {
    const client = await faulty({ errorFrames: true });
    const command = { tag: "KILL_RESOURCE", terminal_id: { tag: "local", id: 99 } } as const;
    client.send({ name: "COMMAND", value: { request_id: 9, command } });
    expect(await client.next("ERROR")).toMatchObject({ request_id: 9, code: ErrorCode.TERMINAL_NOT_FOUND });
  });

  test("a SET that stores nothing", async () => {
    const client = await faulty({ silentSet: true });
    client.send(
      { name: "SET_METADATA", value: { request_id: 1, scope: global, key: "x/v1", value: bytes("x") } },
      { name: "GET_METADATA", value: { request_id: 2, scope: global, key: "x/v1" } },
    );
    expect(await client.next("METADATA_VALUE")).toEqual({ request_id: 2 });
  });

  test("notices of a fleet in front of the state", async () => {
    const notices = [{ code: ErrorCode.SATELLITE_UNREACHABLE, message: "attic: connect timed out" }];
    const client = await faulty({ notices });
    await client.command(getState);
    expect(client.received.map((one) => one?.frame.value)).toEqual(notices);
  });
});

describe("servers that are different", () => {
  test("another version is refused in the shape of every fatal end", async () => {
    const { lab } = await set({ version: "0.8" });
    const opening = LabClient.open(lab.socket, { major: 0, minor: 9, patch: 0 });
    await expect(opening).rejects.toThrow("the connection ended");
  });

  test("features can be missing, and what needs them is then ignored", async () => {
    const { connect, lab } = await set({ without: ["event_journal", "keyed_signal"] });
    const client = await connect();
    expect(lab.server.release.features).not.toContain("event_journal");
    client.send({ name: "SUBSCRIBE_EVENTS", value: { after_seq: 0n } });
    await client.command(getState);
    lab.server.hub.publish({ terminal: first, event: { tag: "bell" } });
    expect(await nextButNoise(client)).toEqual({ terminal: first, event: { tag: "bell" } });
  });

  test("each HELLO may meet another server", async () => {
    const { lab, connect } = await set({ faults: { freshServerId: true } });
    await connect();
    const before = lab.server.serverId;
    await connect();
    expect(lab.server.serverId).not.toEqual(before);
  });

  test("a held command waits for somebody else's consent", async () => {
    const { connect, lab } = await set({ hold: ["KILL_RESOURCE"] });
    const [asks, decides] = [await connect("agent"), await connect("person")];
    decides.send({ name: "SUBSCRIBE_EVENTS", value: {} });
    await decides.command(getState);
    const answer = asks.command({ tag: "KILL_RESOURCE", terminal_id: first });
    const { event } = await nextButNoise(decides);
    if (event.tag !== "approval_requested") throw new Error(Bun.inspect(event));
    const id = Buffer.from(event.id).toString("hex");
    decides.send({ name: "LIST_METADATA", value: { request_id: 1, scope: global } });
    expect(await decides.next("METADATA_KEYS")).toMatchObject({ keys: [`phux.approval/v1/${id}`] });
    expect(lab.server.panes.size).toBe(1);
    const key = `phux.approval.decide/v1/${id}`;
    decides.send({ name: "SET_METADATA", value: { request_id: 2, scope: global, key, value: bytes("approve") } });
    expect(await answer).toEqual({ tag: "ok" });
  });

  test("a hub shows its satellites, passes commands on, and says who does not answer", async () => {
    await using far = await stage({ version: "0.9" });
    const satellites = { far: { socket: far.lab.socket }, attic: { unreachable: "connect timed out" } };
    const { connect } = await set({ version: "0.9", satellites });
    const client = await connect();
    const result = await client.command(getState);
    if (result.tag !== "ok_with" || result.value.tag !== "state") throw new Error(Bun.inspect(result));
    const { hosts = [], resources } = result.value.state;
    expect(client.received[0]?.frame.value).toMatchObject({ code: ErrorCode.SATELLITE_UNREACHABLE });
    expect(hosts.map(({ host, unreachable }) => [host, unreachable])).toEqual([
      ["far", null],
      ["attic", "connect timed out"],
    ]);
    const there = { tag: "satellite", host: "far", id: 1 } as const;
    expect(resources.map((row) => row.id)).toEqual([first, there]);
    const screen = { tag: "GET_SCREEN", terminal_id: there, request_scrollback: null } as const;
    expect((await client.command(screen)).tag).toBe("ok_with");
    const away = { ...screen, terminal_id: { ...there, host: "attic" } };
    expect(await client.command(away)).toMatchObject({ tag: "error", code: ErrorCode.SATELLITE_UNREACHABLE });
  });
});

test("a frame may come a byte at a time", async () => {
  const { lab } = await set();
  const client = await LabClient.connect(lab.socket);
  const ping = Buffer.from("0000000c7f0104080123456789abcdef", "hex");
  for (const byte of ping) client.sendBytes(Uint8Array.of(byte));
  expect(await client.next("PONG")).toEqual({ nonce: 0x0123456789abcdefn });
  client.close();
});

test("the server as a process of its own serves, and ends with everything on SIGTERM", async () => {
  const { folder } = await set();
  const socket = join(folder, "own.sock");
  const script = join(import.meta.dir, "server-main.ts");
  const child = Bun.spawn([process.execPath, script, "--socket", socket, "--version", "0.8", "--session", "main"], {
    stdout: "pipe",
  });
  await until("it listens", () => existsSync(socket));
  const client = await LabClient.open(socket, { major: 0, minor: 8, patch: 0 });
  expect((await client.command(getState)).tag).toBe("ok_with");
  child.kill("SIGTERM");
  expect(await client.next("DETACHED")).toMatchObject({ reason: 1 });
  expect(await child.exited).toBe(0);
  expect(existsSync(socket)).toBe(false);
  client.close();
});
