import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Scope } from "../../src/wire/identity.ts";
import type { SessionSnapshot } from "../../src/wire/state.ts";
import type { LabClient } from "./client.ts";
import { type Stage, stage } from "./stage.ts";
import { until } from "./until.ts";

let scene: Stage;
let client: LabClient;

beforeAll(async () => {
  scene = await stage({ version: "0.9" });
  client = await scene.connect();
});
afterAll(() => scene.end());

const global = { tag: "global" } as const;
const group = { tag: "group", group: 1 } as const;
const first = { tag: "local", id: 1 } as const;

function write(scope: Scope, key: string, text: string, on = client): void {
  on.send({ name: "SET_METADATA", value: { request_id: 1, scope, key, value: new TextEncoder().encode(text) } });
}

async function read(scope: Scope, key: string, on = client): Promise<string | null> {
  on.send({ name: "GET_METADATA", value: { request_id: 2, scope, key } });
  const { value } = await on.next("METADATA_VALUE");
  return value ? new TextDecoder().decode(value) : null;
}

async function create(request: Record<string, unknown>, on = client): Promise<Record<string, unknown> | null> {
  const { request_token = crypto.randomUUID() } = request;
  write(global, "phux.session.create/v1", JSON.stringify({ ...request, request_token }), on);
  const result = await read(global, `phux.session.created/v1/${request_token}`, on);
  return result === null ? null : JSON.parse(result);
}

async function state(): Promise<SessionSnapshot> {
  const result = await client.command({ tag: "GET_STATE", scope: 0 });
  if (result.tag !== "ok_with" || result.value.tag !== "state") throw new Error(Bun.inspect(result));
  return result.value.state;
}

const names = async () => (await state()).sessions.map(({ name }) => name);

describe("sessions", () => {
  test("a token names one session for good, on any connection", async () => {
    const request = { name: "work", request_token: crypto.randomUUID() };
    const made = await create(request);
    expect(made).toMatchObject({ name: "work", session_id: expect.any(Number), terminal_id: expect.any(Number) });
    expect(await create(request, await scene.connect())).toEqual(made);
    expect(await create({ name: "work" })).toBeNull();
  });

  test("an empty one is made, kept, and ended by taking the flag away", async () => {
    expect(await create({ name: "parked", empty: true })).toMatchObject({ empty: true, terminal_id: null });
    const { id } = (await state()).sessions.at(-1) ?? { id: 0 };
    expect((await state()).session_facets).toEqual([{ id, flags: 1 }]);
    write(global, "phux.session.keep_empty/v1", "parked\0false");
    expect(await names()).not.toContain("parked");
  });

  test("a kept one survives its last pane", async () => {
    const made = await create({ name: "kept", keep_empty: true, command: ["/bin/sh", "-c", "exit 0"] });
    await until("its pane has ended", () => !scene.lab.server.panes.has(Number(made?.["terminal_id"])));
    expect(await names()).toContain("kept");
  });

  test("its layouts end with it, and followers are told", async () => {
    const made = await create({ name: "brief" });
    const key = `phux.tui.layout/v1/${made?.["session_id"]}`;
    client.send({ name: "SUBSCRIBE_METADATA", value: { scope: group, key } });
    write(group, key, "a layout");
    expect(await client.next("METADATA_CHANGED")).toMatchObject({ key, value: new TextEncoder().encode("a layout") });
    const ids = [{ tag: "local", id: Number(made?.["terminal_id"]) } as const];
    await client.command({ tag: "KILL_RESOURCES", ids });
    expect(await client.next("METADATA_CHANGED")).toEqual({ scope: group, key });
    expect(await read(group, key)).toBeNull();
  });
});

test("the owner at the socket may do everything", async () => {
  const who = JSON.parse((await read(global, "phux.whoami/v1")) ?? "null");
  expect(who).toMatchObject({ schema_version: 1, auth_route: "uds", server_version: "0.9.0" });
});

test("an agent session keeps records, and only who opened it adds to them", async () => {
  client.send({
    name: "SPAWN_RESOURCE",
    value: { request_id: 1, group: 1, kind: 1, parent: first, provider: "claude" },
  });
  const { result } = await client.next("RESOURCE_SPAWNED");
  if (result.tag !== "ok") throw new Error(Bun.inspect(result));
  const terminal_id = result.id;
  const append = (text: string) => ({ tag: "APPEND_RESOURCE_OUTPUT", terminal_id, bytes: Buffer.from(text) }) as const;
  expect(await client.command(append('{"type":"prompt","data":{"length":3}}\n'))).toEqual({ tag: "ok" });
  expect(await client.command(append("no record\n"))).toMatchObject({ code: 210 });
  expect((await state()).facets).toEqual([
    { id: terminal_id, kind: 1, parent: first, agent: { provider: "claude", native_id: null, state: "working" } },
  ]);
  const other = await scene.connect();
  expect(await other.command(append('{"type":"stop"}\n'))).toMatchObject({ code: 209 });
  expect(await other.command({ tag: "ATTACH_RESOURCE", terminal_id })).toEqual({ tag: "ok" });
  const { payload } = await other.next("BOOTSTRAP_CHUNK");
  expect(JSON.parse(Buffer.from(payload).toString())).toMatchObject({ seq: 1, type: "prompt", data: { length: 3 } });
  const screen = { tag: "GET_SCREEN", terminal_id, request_scrollback: null } as const;
  expect(await other.command(screen)).toMatchObject({ code: 208 });
  await client.command({ tag: "KILL_RESOURCE", terminal_id });
  expect(await other.next("RESOURCE_CLOSED")).toEqual({ terminal_id, reason: 1 });
});
