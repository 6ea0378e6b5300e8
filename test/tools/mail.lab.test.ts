import { afterEach, describe, expect, test } from "bun:test";
import { agentSet } from "../../src/tools/agent-record.ts";
import { mailAck, mailRead, mailSend } from "../../src/tools/mail.ts";
import type { LabOptions } from "../lab/options.ts";
import { until } from "../lab/until.ts";
import { Bench } from "./calls.ts";
import { membersOf } from "./lab-bench.ts";
import { LabRoom } from "./lab-room.ts";

const tools = [mailSend, mailRead, mailAck, agentSet];
const KEY = "00112233445566778899AABBccddeeff";
const ID = /^[0-9a-f]{32}$/;
const NOWHERE = "f".repeat(32);
const GLOBAL = { tag: "global" } as const;
const start = 1_790_000_000_000;

let room: LabRoom;
let now = start;
afterEach(() => room.end());

async function open(options: Partial<LabOptions> = {}): Promise<LabRoom> {
  now = start;
  room = await LabRoom.open(tools, { now: () => now, ...options });
  return room;
}

const send = async (args: object = {}) =>
  membersOf(await room.document("phux_mail_send", { to: "@1", body: "hi", ...args }));
const read = async (args: object = {}) => membersOf(await room.document("phux_mail_read", { mailbox: "@1", ...args }));
const ack = async (ids: readonly unknown[]) => membersOf(await room.document("phux_mail_ack", { mailbox: "@1", ids }));
const bodies = (page: Readonly<Record<string, unknown>>) => rows(page).map((message) => message["body"]);
const rows = (page: Readonly<Record<string, unknown>>) => {
  const messages = page["messages"];
  if (!Array.isArray(messages)) throw new Error("no messages");
  return messages.map(membersOf);
};

test("a message is left, read, acknowledged and then passed over", async () => {
  await open();
  const { text } = await room.call("phux_mail_send", { to: "@1", body: "look at the diff", subject: "review" });
  const sent = JSON.parse(text);
  expect(Object.keys(sent).join()).toBe("schema_version,sent,id,to,seq,sent_at_ms,expires_at_ms,replayed");
  expect(sent).toEqual({
    ...{ schema_version: 1, sent: true, id: expect.stringMatching(ID), to: "@1", seq: 1 },
    ...{ sent_at_ms: start, expires_at_ms: start + 86_400_000, replayed: false },
  });

  now += 2_000;
  const { text: page } = await room.call("phux_mail_read", { mailbox: "main" });
  const first = JSON.parse(page);
  expect(Object.keys(first).join()).toBe("schema_version,mailbox,messages,count,next_after,more");
  expect(Object.keys(first.messages[0]).join()).toBe(
    "id,seq,from,subject,body,reply_to,sent_at_ms,read_at_ms,acked_at_ms",
  );
  expect(first).toEqual({
    ...{ schema_version: 1, mailbox: "@1", count: 1, next_after: 1, more: false },
    messages: [
      {
        ...{ id: sent.id, seq: 1, from: "mcp", subject: "review", body: "look at the diff", reply_to: null },
        ...{ sent_at_ms: start, read_at_ms: start + 2_000, acked_at_ms: null },
      },
    ],
  });

  // Reading again keeps the first time and removes nothing.
  now += 1_000;
  expect(rows(await read())[0]).toMatchObject({ read_at_ms: start + 2_000 });

  const acked = { schema_version: 1, mailbox: "@1", acked: [sent.id], unknown: [] };
  expect(await ack([sent.id])).toEqual(acked);
  expect(await ack([sent.id, sent.id])).toEqual(acked);
  expect(await ack([NOWHERE, sent.id])).toMatchObject({ acked: [sent.id], unknown: [NOWHERE] });
  expect(await read()).toEqual({
    schema_version: 1,
    mailbox: "@1",
    messages: [],
    count: 0,
    next_after: 0,
    more: false,
  });
  expect(rows(await read({ unacked_only: false }))).toMatchObject([{ id: sent.id, acked_at_ms: start + 3_000 }]);
});

test("nothing is typed, and nothing of it can be listed or read by others", async () => {
  await open();
  const screen = () => room.scene.lab.server.panes.get(1)?.terminal;
  await send({ body: "echo oops" });
  expect(screen()).toBeDefined();
  const keys = await metadataKeys();
  expect(keys.filter((key) => key.includes("mail"))).toEqual([]);
  expect(await room.read(GLOBAL, "phux.mail.send/v1")).toBeNull();
});

async function metadataKeys(): Promise<readonly string[]> {
  room.witness.send({ name: "LIST_METADATA", value: { request_id: 5, scope: GLOBAL } });
  return (await room.witness.next("METADATA_KEYS")).keys ?? [];
}

test("pages go on where the last ended", async () => {
  await open();
  for (const body of ["a", "b", "c"]) await send({ body });
  const first = await read({ limit: 2 });
  expect(first).toMatchObject({ count: 2, next_after: 2, more: true });
  expect(bodies(first)).toEqual(["a", "b"]);
  const rest = await read({ after: first["next_after"], limit: 2 });
  expect(rest).toMatchObject({ count: 1, next_after: 3, more: false });
  expect(bodies(rest)).toEqual(["c"]);
  expect(await read({ after: 3 })).toMatchObject({ count: 0, next_after: 3, more: false });
});

test("addresses: an agent's name, a pane of a session, and mailboxes that are apart", async () => {
  await open();
  const other = await room.session("work");
  await room.document("phux_agent_set", { target: other.pane, name: "builder", state: "idle" });
  expect(await send({ to: "%builder" })).toMatchObject({ to: other.pane, seq: 1 });
  expect(await send({ to: "work" })).toMatchObject({ to: other.pane, seq: 2 });
  expect(await read()).toMatchObject({ count: 0 });
  expect(await read({ mailbox: other.pane })).toMatchObject({ count: 2 });
});

const labels: [environment: Record<string, string>, args: object, from: string][] = [
  [{}, {}, "mcp"],
  [{ PHUX_TERMINAL_ID: "3" }, {}, "@3"],
  [{ PHUX_TERMINAL_ID: "" }, {}, "mcp"],
  [{ PHUX_TERMINAL_ID: "3" }, { from: "me" }, "me"],
];
test.each(labels)("in %j with %j the sender is %s", async (environment, args, from) => {
  await open();
  const bench = new Bench(room.scene.lab.socket, { environment }, tools);
  await bench.document("phux_mail_send", { to: "@1", body: "hi", ...args });
  expect(rows(await read())).toMatchObject([{ from }]);
});

test("an answer names what it answers", async () => {
  await open();
  const { id } = await send();
  await send({ body: "yes", reply_to: id });
  expect(rows(await read())).toMatchObject([{ reply_to: null }, { reply_to: id }]);
  expect(await room.code("phux_mail_send", { to: "@1", body: "?", reply_to: NOWHERE })).toEqual(["no_such_message", 1]);
});

describe("time", () => {
  test("what nobody read in time is gone, what was read stays", async () => {
    await open();
    await send({ body: "read", ttl_secs: 10 });
    await read();
    await send({ body: "unread", ttl_secs: 10 });
    now += 9_999;
    expect(bodies(await read({ after: 1 }))).toEqual(["unread"]);
    await send({ body: "late", ttl_secs: 1 });
    now += 1_000;
    expect(bodies(await read())).toEqual(["read", "unread"]);
  });
});

describe("a full mailbox", () => {
  test("256 messages", async () => {
    await open();
    const ids: unknown[] = [];
    for (let sent = 0; sent < 256; sent += 1) ids.push((await send())["id"]);
    expect(await room.code("phux_mail_send", { to: "@1", body: "hi" })).toEqual(["mailbox_full", 1]);
    // Reading does not help, acknowledging does.
    await read();
    expect(await room.code("phux_mail_send", { to: "@1", body: "hi" })).toEqual(["mailbox_full", 1]);
    await ack(ids.slice(3, 4));
    expect(await send()).toMatchObject({ seq: 257 });
    expect(await read({ limit: 64, unacked_only: false })).toMatchObject({ count: 64, more: true });
    expect(await ack(ids.slice(3, 4))).toMatchObject({ acked: [], unknown: [ids[3]] });
  });

  test("1 MiB", async () => {
    await open();
    const body = "x".repeat(4096);
    for (let sent = 0; sent < 255; sent += 1) await send({ body, from: "f" });
    expect(await room.code("phux_mail_send", { to: "@1", body, from: "f".repeat(2) })).toEqual(["mailbox_full", 1]);
  });
});

describe("a retry key", () => {
  test("delivers once, in either case, and only the same message", async () => {
    await open();
    const first = await send({ idempotency_key: KEY });
    expect(first).toMatchObject({ replayed: false });
    expect(await send({ idempotency_key: KEY.toLowerCase() })).toEqual({ ...first, replayed: true });
    expect(await room.code("phux_mail_send", { to: "@1", body: "other", idempotency_key: KEY })).toEqual([
      "idempotency_conflict",
      2,
    ]);
    expect(await read()).toMatchObject({ count: 1 });
  });

  test.each([["0".repeat(32)], ["12"], ["g".repeat(32)]])("%s is none", async (key) => {
    await open();
    const args = { to: "@1", body: "hi", idempotency_key: key };
    expect(await room.code("phux_mail_send", args)).toEqual(["invalid_idempotency_key", 2]);
    expect(room.asked).toEqual([]);
  });

  test("makes a lost connection good", async () => {
    await open({ faults: { dropReplies: { GET_METADATA: 1 } } });
    expect(await send({ idempotency_key: KEY })).toMatchObject({ seq: 1, replayed: true });
    expect(await read()).toMatchObject({ count: 1 });
  });

  test("does not send it to another server", async () => {
    await open({ faults: { dropReplies: { GET_METADATA: 1 }, freshServerId: true } });
    expect(await room.code("phux_mail_send", { to: "@1", body: "hi", idempotency_key: KEY })).toEqual([
      "server_disconnected",
      1,
    ]);
    expect(await read()).toMatchObject({ count: 1 });
  });
});

test("without a key a lost connection is told, and nothing is sent twice", async () => {
  await open({ faults: { dropReplies: { GET_METADATA: 1 } } });
  const text = await room.failure("phux_mail_send", { to: "@1", body: "hi" });
  expect(JSON.parse(text)).toMatchObject({
    error: { code: "server_disconnected" },
    remedy: expect.stringContaining("phux_mail_read"),
  });
  expect(await read()).toMatchObject({ count: 1 });
});

test("a mailbox ends with its pane", async () => {
  await open();
  const { pane } = await room.session("work");
  const { id } = await send({ to: pane });
  await room.witness.command({ tag: "KILL_RESOURCE", terminal_id: { tag: "local", id: Number(pane.slice(1)) } });
  await until("the pane is gone", async () => !(await room.owners()).includes(pane));
  expect(await room.code("phux_mail_read", { mailbox: pane })).toEqual(["no_such_target", 1]);
  expect(await room.code("phux_mail_send", { to: "@1", body: "?", reply_to: id })).toEqual(["no_such_message", 1]);
});

describe("who cannot be written to", () => {
  const cases: [what: string, tool: string, args: object, code: string, exit: number][] = [
    ["nobody", "phux_mail_send", { to: "@99", body: "hi" }, "no_such_target", 1],
    ["an unknown agent", "phux_mail_read", { mailbox: "%nobody" }, "no_such_target", 1],
    ["no selector", "phux_mail_ack", { mailbox: "=", ids: [NOWHERE] }, "invalid_selector", 2],
    ["no selector", "phux_mail_send", { to: "@", body: "hi" }, "invalid_selector", 2],
  ];
  test.each(cases)("%s: %s", async (_, tool, args, code, exit) => {
    await open();
    expect(await room.code(tool, { ...args })).toEqual([code, exit]);
  });

  test("several panes at once", async () => {
    await open();
    await room.pane("@1");
    const several = ["selector_not_single", 2] as const;
    expect(await room.code("phux_mail_send", { to: "main", body: "hi" })).toEqual([...several]);
    expect(await room.code("phux_mail_read", { mailbox: "." })).toEqual([...several]);
    expect(await room.code("phux_mail_ack", { mailbox: "main:0", ids: [NOWHERE] })).toEqual([...several]);
    expect(await read()).toMatchObject({ count: 0 });
  });

  test("another host's pane", async () => {
    const far = await LabRoom.open([], {});
    try {
      await open({ satellites: { lab: { socket: far.scene.lab.socket } } });
      expect(await room.code("phux_mail_send", { to: "lab/@1", body: "hi" })).toEqual(["satellite_target", 2]);
    } finally {
      await far.end();
    }
  });
});

describe("a server without mail", () => {
  const calls: [tool: string, args: object][] = [
    ["phux_mail_send", { to: "@1", body: "hi" }],
    ["phux_mail_read", { mailbox: "@1" }],
    ["phux_mail_ack", { mailbox: "@1", ids: [NOWHERE] }],
  ];
  const servers: [what: string, options: Partial<LabOptions>][] = [
    ["0.8", { version: "0.8" }],
    ["0.9", { version: "0.9" }],
    ["1.0, switched off", { version: "1.0", without: ["mail"] }],
  ];
  test.each(servers.flatMap(([what, options]) => calls.map(([tool, args]) => [what, tool, args, options] as const)))(
    "%s: %s",
    async (_, tool, args, options) => {
      // Whatever is asked stays without an answer: only a refusal before it gives one.
      await open({ ...options, faults: { silent: ["GET_STATE", "SET_METADATA", "GET_METADATA"] } });
      const text = await room.failure(tool, { ...args });
      expect(JSON.parse(text)).toMatchObject({ error: { code: "unsupported_server" }, exit_code: 2 });
      expect(text).toContain("feature mail");
    },
  );
});

const malformed: [tool: string, args: object, text: string][] = [
  ["phux_mail_send", { to: "@1", body: "" }, '"body" must have 1..4096 bytes'],
  ["phux_mail_send", { to: "@1", body: "x".repeat(4097) }, '"body" must have 1..4096 bytes'],
  ["phux_mail_send", { to: "@1", body: "x", subject: "é".repeat(129) }, '"subject" must have 1..256 bytes'],
  ["phux_mail_send", { to: "@1", body: "x", ttl_secs: 604_801 }, '"ttl_secs" must be a whole number, 1..604800'],
  ["phux_mail_send", { to: "@1", body: "x", ttl_secs: 0 }, '"ttl_secs" must be'],
  ["phux_mail_send", { to: "@1", body: "x", reply_to: KEY }, '"reply_to" must be 32 lowercase hex digits'],
  ["phux_mail_read", { mailbox: "@1", limit: 65 }, '"limit" must be a whole number, 1..64'],
  ["phux_mail_read", { mailbox: "@1", after: -1 }, '"after" must be a whole number, 0 or more'],
  ["phux_mail_read", { mailbox: "@1", unacked_only: "maybe" }, '"unacked_only" must be true or false'],
  ["phux_mail_ack", { mailbox: "@1", ids: [] }, '"ids" must have 1..64 entries'],
  ["phux_mail_ack", { mailbox: "@1", ids: Array.from({ length: 65 }, () => NOWHERE) }, '"ids" must have 1..64 entries'],
  ["phux_mail_ack", { mailbox: "@1", ids: ["x"] }, '"ids" entry 0 must be 32 lowercase hex digits'],
];
test.each(malformed)("%s refuses %j before anything is opened", async (tool, args, text) => {
  await open();
  expect(await room.failure(tool, { ...args })).toContain(text);
  expect(room.asked).toEqual([]);
});

test("values at the bounds", async () => {
  await open();
  const args = { body: "é".repeat(2048), subject: "é".repeat(128), ttl_secs: "604800" };
  expect(await send(args)).toMatchObject({ expires_at_ms: start + 604_800_000 });
  expect(rows(await read({ limit: 64, after: 0 }))).toMatchObject([{ body: args.body, subject: args.subject }]);
});

test("a page that is too long for the host says how to get the rest", async () => {
  await open();
  for (let sent = 0; sent < 12; sent += 1) await send({ body: "x".repeat(4000) });
  const codex = { host: "codex-mcp-client" };
  const { text } = await room.call("phux_mail_read", { mailbox: "@1", limit: 12 }, codex);
  const page = membersOf(JSON.parse(text));
  expect(page).toMatchObject({ truncated: true, truncated_reason: "result_limit", next_after: 12 });
  expect(String(page["truncated_hint"])).toContain("smaller limit");
  expect(rows(page).at(-1)).toMatchObject({ seq: 12 });
  const whole = await room.document("phux_mail_read", { mailbox: "@1", limit: 1 }, codex);
  expect(bodies(membersOf(whole))).toEqual(["x".repeat(4000)]);
});
