import { describe, expect, test } from "bun:test";
import { parseClaim, takeClaim } from "../../src/phux/claim.ts";
import { callerLabel } from "../../src/phux/label.ts";
import { acknowledgeMail, readMail } from "../../src/phux/mail.ts";
import { askForReceipt } from "../../src/phux/receipt.ts";
import type { AnyFrame } from "../../src/wire/frame.ts";
import { errorIn, valueIn, withConnection } from "./dialled.ts";
import { type Client, metadataValue } from "./fake-server.ts";

const PANE = { tag: "local", id: 4 } as const;
const ID = "c0ffee00112233445566778899aabbcc";
const bytes = (value: unknown) => new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));

/** A server that takes every write and leaves what `receiptOf` makes of it. */
function leaving(receiptOf: (request: Record<string, unknown>) => unknown) {
  let request: Record<string, unknown> = {};
  return (frame: AnyFrame, client: Client) => {
    if (frame.name === "SET_METADATA") request = JSON.parse(new TextDecoder().decode(frame.value.value));
    if (frame.name !== "GET_METADATA") return;
    const receipt = receiptOf(request);
    client.send(metadataValue(frame.value.request_id ?? 0, receipt === undefined ? undefined : bytes(receipt)));
  };
}

const withReceipt = (
  receiptOf: (request: Record<string, unknown>) => unknown,
  body: Parameters<typeof withConnection>[1],
) => withConnection({ script: leaving(receiptOf) }, body);

describe("a write and its receipt", () => {
  test("the frames: the token names the receipt, and no two requests share one", () =>
    withReceipt(
      (request) => ({ ...request, done: true }),
      async (connection, server) => {
        const ask = () => askForReceipt(connection, "mail", "ack", { mailbox: "@4", ids: [ID], left_out: undefined });
        const [one, other] = [valueIn(await ask()), valueIn(await ask())];
        expect(one).toEqual({ token: expect.stringMatching(/^[0-9a-f]{32}$/), mailbox: "@4", ids: [ID], done: true });
        expect(other["token"]).not.toBe(one["token"]);
        expect(server.frames.slice(0, 2)).toMatchObject([
          { name: "SET_METADATA", value: { scope: { tag: "global" }, key: "phux.mail.ack/v1" } },
          { name: "GET_METADATA", value: { scope: { tag: "global" }, key: `phux.mail.receipt/v1/${one["token"]}` } },
        ]);
      },
    ));

  const odd: [what: string, receipt: unknown, text: string][] = [
    ["none", undefined, "left no receipt"],
    ["no JSON", "nope", "no JSON object"],
    ["a list", [], "no JSON object"],
    ["another request's", { token: "0".repeat(32) }, "the receipt of another request"],
    ["one without a token", {}, "the receipt of another request"],
  ];
  test.each(odd)("%s", (_, receipt, text) =>
    withReceipt(
      () => receipt,
      async (connection) => {
        const { refusal } = errorIn(await askForReceipt(connection, "claim", "take", {}));
        expect(refusal).toMatchObject({ code: null, message: expect.stringContaining(text) });
      },
    ),
  );

  test("one that says too little", () =>
    withReceipt(
      ({ token }) => ({ token, messages: [{ id: ID }], more: false, acked: ["x"], unknown: [], claim: { name: "a" } }),
      async (connection) => {
        const short = { code: null, message: expect.stringContaining("lacks what it should say") };
        expect(errorIn(await readMail(connection, PANE, 0, 20, true))).toMatchObject(short);
        expect(errorIn(await acknowledgeMail(connection, PANE, [ID]))).toMatchObject(short);
        const claim = { name: "a", holder: "h", ttlSeconds: 1, note: undefined };
        expect(errorIn(await takeClaim(connection, claim))).toMatchObject(short);
      },
    ));

  test("members that nobody knows yet are left out of the documents", () =>
    withReceipt(
      ({ token }) => ({
        token,
        messages: [
          {
            ...{ thread: 3, acked_at_ms: null, read_at_ms: 2, sent_at_ms: 1, reply_to: null, body: "b" },
            ...{ subject: null, from: "f", seq: 7, id: ID },
          },
        ],
        more: true,
      }),
      async (connection) => {
        const page = valueIn(await readMail(connection, PANE, 3, 1, true));
        expect(JSON.stringify(page)).toBe(
          `{"messages":[{"id":"${ID}","seq":7,"from":"f","subject":null,"body":"b","reply_to":null,"sent_at_ms":1,"read_at_ms":2,"acked_at_ms":null}],"next_after":7,"more":true}`,
        );
      },
    ));
});

describe("a public claim", () => {
  const record = { name: "a", holder: "@1", taken_at_ms: 1, expires_at_ms: 2, note: null };
  const cases: [what: string, value: unknown, reads: boolean][] = [
    ["whole", record, true],
    ["of another name", { ...record, name: "b" }, false],
    ["without a note", { ...record, note: undefined }, false],
    ["with an odd time", { ...record, expires_at_ms: 1.5 }, false],
    ["no JSON", "{", false],
    ["a text", '"a"', false],
  ];
  test.each(cases)("%s", (_, value, reads) => {
    const claim = parseClaim("a", bytes(value));
    expect(claim === null).toBe(!reads);
  });
  test("absent", () => expect(parseClaim("a", null)).toBeNull());
});

const labels: [id: string | undefined, label: string][] = [
  [undefined, "mcp"],
  ["", "mcp"],
  ["3", "@3"],
  ["4294967295", "@4294967295"],
  ["@3", "mcp"],
  ["3\n", "mcp"],
  ["lab/@3", "mcp"],
];
test.each(labels)("PHUX_TERMINAL_ID %p makes us %s", (id, label) =>
  expect(callerLabel({ PHUX_TERMINAL_ID: id })).toBe(label),
);
