import { afterEach, describe, expect, test } from "bun:test";
import type { LabOptions } from "../lab/options.ts";
import { LabRoom } from "./lab-room.ts";
import { KEY, MailRoom, NOWHERE } from "./mail-room.ts";

let mail: MailRoom;
afterEach(() => mail.room.end());

async function open(options: Partial<LabOptions> = {}): Promise<void> {
  mail = await MailRoom.open(options);
}

describe("who cannot be written to", () => {
  const cases: [what: string, tool: string, args: object, code: string, exit: number][] = [
    ["nobody", "phux_mail_send", { to: "@99", body: "hi" }, "no_such_target", 1],
    ["an unknown agent", "phux_mail_read", { mailbox: "%nobody" }, "no_such_target", 1],
    ["no selector", "phux_mail_ack", { mailbox: "=", ids: [NOWHERE] }, "invalid_selector", 2],
    ["no selector", "phux_mail_send", { to: "@", body: "hi" }, "invalid_selector", 2],
  ];
  test.each(cases)("%s: %s", async (_, tool, args, code, exit) => {
    await open();
    expect(await mail.room.code(tool, { ...args })).toEqual([code, exit]);
  });

  test("several panes at once", async () => {
    await open();
    await mail.room.pane("@1");
    const several = ["selector_not_single", 2] as const;
    expect(await mail.room.code("phux_mail_send", { to: "main", body: "hi" })).toEqual([...several]);
    expect(await mail.room.code("phux_mail_read", { mailbox: "." })).toEqual([...several]);
    expect(await mail.room.code("phux_mail_ack", { mailbox: "main:0", ids: [NOWHERE] })).toEqual([...several]);
    expect(await mail.read()).toMatchObject({ count: 0 });
  });

  test("another host's pane", async () => {
    const far = await LabRoom.open([], {});
    try {
      await open({ satellites: { lab: { socket: far.scene.lab.socket } } });
      expect(await mail.room.code("phux_mail_send", { to: "lab/@1", body: "hi" })).toEqual(["satellite_target", 2]);
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
      const text = await mail.room.failure(tool, { ...args });
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
  expect(await mail.room.failure(tool, { ...args })).toContain(text);
  expect(mail.room.asked).toEqual([]);
});
