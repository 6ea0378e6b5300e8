import { afterEach, describe, expect, test } from "bun:test";
import type { LabOptions } from "../lab/options.ts";
import { until } from "../lab/until.ts";
import { Bench } from "./calls.ts";
import { membersOf } from "./lab-bench.ts";
import { bodies, KEY, MailRoom, NOWHERE, rows, START, tools } from "./mail-room.ts";

const ID = /^[0-9a-f]{32}$/;
const GLOBAL = { tag: "global" } as const;

let mail: MailRoom;
afterEach(() => mail.room.end());

async function open(options: Partial<LabOptions> = {}): Promise<void> {
  mail = await MailRoom.open(options);
}

test("a message is left, read, acknowledged and then passed over", async () => {
  await open();
  const { text } = await mail.room.call("phux_mail_send", { to: "@1", body: "look at the diff", subject: "review" });
  const sent = JSON.parse(text);
  expect(Object.keys(sent).join()).toBe("schema_version,sent,id,to,seq,sent_at_ms,expires_at_ms,replayed");
  expect(sent).toEqual({
    ...{ schema_version: 1, sent: true, id: expect.stringMatching(ID), to: "@1", seq: 1 },
    ...{ sent_at_ms: START, expires_at_ms: START + 86_400_000, replayed: false },
  });

  mail.clock.now += 2_000;
  const { text: page } = await mail.room.call("phux_mail_read", { mailbox: "main" });
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
        ...{ sent_at_ms: START, read_at_ms: START + 2_000, acked_at_ms: null },
      },
    ],
  });

  // Reading again keeps the first time and removes nothing.
  mail.clock.now += 1_000;
  expect(rows(await mail.read())[0]).toMatchObject({ read_at_ms: START + 2_000 });

  const acked = { schema_version: 1, mailbox: "@1", acked: [sent.id], unknown: [] };
  expect(await mail.ack([sent.id])).toEqual(acked);
  expect(await mail.ack([sent.id, sent.id])).toEqual(acked);
  expect(await mail.ack([NOWHERE, sent.id])).toMatchObject({ acked: [sent.id], unknown: [NOWHERE] });
  expect(await mail.read()).toEqual({
    schema_version: 1,
    mailbox: "@1",
    messages: [],
    count: 0,
    next_after: 0,
    more: false,
  });
  expect(rows(await mail.read({ unacked_only: false }))).toMatchObject([{ id: sent.id, acked_at_ms: START + 3_000 }]);
});

test("nothing is typed, and nothing of it can be listed or read by others", async () => {
  await open();
  await mail.send({ body: "echo oops\n" });
  expect(await screen()).not.toContain("oops");
  const keys = await metadataKeys();
  expect(keys.filter((key) => key.includes("mail"))).toEqual([]);
  expect(await mail.room.read(GLOBAL, "phux.mail.send/v1")).toBeNull();
});

async function screen(): Promise<string> {
  const terminal_id = { tag: "local", id: 1 } as const;
  const result = await mail.room.witness.command({ tag: "GET_SCREEN", terminal_id, request_scrollback: 0 });
  if (result.tag !== "ok_with" || result.value.tag !== "json") throw new Error(Bun.inspect(result));
  return result.value.json;
}

async function metadataKeys(): Promise<readonly string[]> {
  mail.room.witness.send({ name: "LIST_METADATA", value: { request_id: 5, scope: GLOBAL } });
  return (await mail.room.witness.next("METADATA_KEYS")).keys ?? [];
}

test("pages go on where the last ended", async () => {
  await open();
  for (const body of ["a", "b", "c"]) await mail.send({ body });
  const first = await mail.read({ limit: 2 });
  expect(first).toMatchObject({ count: 2, next_after: 2, more: true });
  expect(bodies(first)).toEqual(["a", "b"]);
  const rest = await mail.read({ after: first["next_after"], limit: 2 });
  expect(rest).toMatchObject({ count: 1, next_after: 3, more: false });
  expect(bodies(rest)).toEqual(["c"]);
  expect(await mail.read({ after: 3 })).toMatchObject({ count: 0, next_after: 3, more: false });
});

test("addresses: an agent's name, a pane of a session, and mailboxes that are apart", async () => {
  await open();
  const other = await mail.room.session("work");
  await mail.room.document("phux_agent_set", { target: other.pane, name: "builder", state: "idle" });
  expect(await mail.send({ to: "%builder" })).toMatchObject({ to: other.pane, seq: 1 });
  expect(await mail.send({ to: "work" })).toMatchObject({ to: other.pane, seq: 2 });
  expect(await mail.read()).toMatchObject({ count: 0 });
  expect(await mail.read({ mailbox: other.pane })).toMatchObject({ count: 2 });
});

const labels: [environment: Record<string, string>, args: object, from: string][] = [
  [{}, {}, "mcp"],
  [{ PHUX_TERMINAL_ID: "3" }, {}, "@3"],
  [{ PHUX_TERMINAL_ID: "" }, {}, "mcp"],
  [{ PHUX_TERMINAL_ID: "3" }, { from: "me" }, "me"],
];
test.each(labels)("in %j with %j the sender is %s", async (environment, args, from) => {
  await open();
  const bench = new Bench(mail.room.scene.lab.socket, { environment }, tools);
  await bench.document("phux_mail_send", { to: "@1", body: "hi", ...args });
  expect(rows(await mail.read())).toMatchObject([{ from }]);
});

test("an answer names what it answers", async () => {
  await open();
  const { id } = await mail.send();
  await mail.send({ body: "yes", reply_to: id });
  expect(rows(await mail.read())).toMatchObject([{ reply_to: null }, { reply_to: id }]);
  expect(await mail.room.code("phux_mail_send", { to: "@1", body: "?", reply_to: NOWHERE })).toEqual([
    "no_such_message",
    1,
  ]);
});

describe("time", () => {
  test("what nobody read in time is gone, what was read stays", async () => {
    await open();
    await mail.send({ body: "read", ttl_secs: 10 });
    await mail.read();
    await mail.send({ body: "unread", ttl_secs: 10 });
    mail.clock.now += 9_999;
    expect(bodies(await mail.read({ after: 1 }))).toEqual(["unread"]);
    await mail.send({ body: "late", ttl_secs: 1 });
    mail.clock.now += 1_000;
    expect(bodies(await mail.read())).toEqual(["read", "unread"]);
  });
});

describe("a full mailbox", () => {
  test("256 messages", async () => {
    await open();
    const ids: unknown[] = [];
    for (let sent = 0; sent < 256; sent += 1) ids.push((await mail.send())["id"]);
    expect(await mail.room.code("phux_mail_send", { to: "@1", body: "hi" })).toEqual(["mailbox_full", 1]);
    // Reading does not help, acknowledging does.
    await mail.read();
    expect(await mail.room.code("phux_mail_send", { to: "@1", body: "hi" })).toEqual(["mailbox_full", 1]);
    await mail.ack(ids.slice(3, 4));
    expect(await mail.send()).toMatchObject({ seq: 257 });
    expect(await mail.read({ limit: 64, unacked_only: false })).toMatchObject({ count: 64, more: true });
    expect(await mail.ack(ids.slice(3, 4))).toMatchObject({ acked: [], unknown: [ids[3]] });
  });

  test("1 MiB", async () => {
    await open();
    const body = "x".repeat(4096);
    for (let sent = 0; sent < 255; sent += 1) await mail.send({ body, from: "f" });
    expect(await mail.room.code("phux_mail_send", { to: "@1", body, from: "f".repeat(2) })).toEqual([
      "mailbox_full",
      1,
    ]);
  });
});

describe("a retry key", () => {
  test("delivers once, in either case, and only the same message", async () => {
    await open();
    const first = await mail.send({ idempotency_key: KEY });
    expect(first).toMatchObject({ replayed: false });
    expect(await mail.send({ idempotency_key: KEY.toLowerCase() })).toEqual({ ...first, replayed: true });
    expect(await mail.room.code("phux_mail_send", { to: "@1", body: "other", idempotency_key: KEY })).toEqual([
      "idempotency_conflict",
      2,
    ]);
    expect(await mail.read()).toMatchObject({ count: 1 });
  });

  test.each([["0".repeat(32)], ["12"], ["g".repeat(32)]])("%s is none", async (key) => {
    await open();
    const args = { to: "@1", body: "hi", idempotency_key: key };
    expect(await mail.room.code("phux_mail_send", args)).toEqual(["invalid_idempotency_key", 2]);
    expect(mail.room.asked).toEqual([]);
  });

  test("makes a lost connection good", async () => {
    await open({ faults: { dropReplies: { GET_METADATA: 1 } } });
    expect(await mail.send({ idempotency_key: KEY })).toMatchObject({ seq: 1, replayed: true });
    expect(await mail.read()).toMatchObject({ count: 1 });
  });

  test("does not send it to another server", async () => {
    await open({ faults: { dropReplies: { GET_METADATA: 1 }, freshServerId: true } });
    expect(await mail.room.code("phux_mail_send", { to: "@1", body: "hi", idempotency_key: KEY })).toEqual([
      "server_disconnected",
      1,
    ]);
    expect(await mail.read()).toMatchObject({ count: 1 });
  });
});

test("without a key a lost connection is told, and nothing is sent twice", async () => {
  await open({ faults: { dropReplies: { GET_METADATA: 1 } } });
  const text = await mail.room.failure("phux_mail_send", { to: "@1", body: "hi" });
  expect(JSON.parse(text)).toMatchObject({
    error: { code: "server_disconnected" },
    remedy: expect.stringContaining("phux_mail_read"),
  });
  expect(await mail.read()).toMatchObject({ count: 1 });
});

test("a mailbox ends with its pane", async () => {
  await open();
  const { pane } = await mail.room.session("work");
  const { id } = await mail.send({ to: pane });
  await mail.room.witness.command({ tag: "KILL_RESOURCE", terminal_id: { tag: "local", id: Number(pane.slice(1)) } });
  await until("the pane is gone", async () => !(await mail.room.owners()).includes(pane));
  expect(await mail.room.code("phux_mail_read", { mailbox: pane })).toEqual(["no_such_target", 1]);
  expect(await mail.room.code("phux_mail_send", { to: "@1", body: "?", reply_to: id })).toEqual(["no_such_message", 1]);
});

test("values at the bounds", async () => {
  await open();
  const args = { body: "é".repeat(2048), subject: "é".repeat(128), ttl_secs: "604800" };
  expect(await mail.send(args)).toMatchObject({ expires_at_ms: START + 604_800_000 });
  expect(rows(await mail.read({ limit: 64, after: 0 }))).toMatchObject([{ body: args.body, subject: args.subject }]);
});

test("a page that is too long for the host says how to get the rest", async () => {
  await open();
  for (let sent = 0; sent < 12; sent += 1) await mail.send({ body: "x".repeat(4000) });
  const codex = { host: "codex-mcp-client" };
  const { text } = await mail.room.call("phux_mail_read", { mailbox: "@1", limit: 12 }, codex);
  const page = membersOf(JSON.parse(text));
  expect(page).toMatchObject({ truncated: true, truncated_reason: "result_limit", next_after: 12 });
  expect(String(page["truncated_hint"])).toContain("smaller limit");
  expect(rows(page).at(-1)).toMatchObject({ seq: 12 });
  const whole = await mail.room.document("phux_mail_read", { mailbox: "@1", limit: 1 }, codex);
  expect(bodies(membersOf(whole))).toEqual(["x".repeat(4000)]);
});
