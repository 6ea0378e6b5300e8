import { describe, expect, test } from "bun:test";
import { type Approval, holdsOf, parseApproval } from "../../src/phux/approvals.ts";

const ID = "0b5e4c1f7a2d4d0e9c3b8f6a5d2e1c40";
const bytes = (value: unknown) => new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));

const record = {
  schema_version: 1,
  id: ID,
  requester: { client: 12, credential_id: "laptop", client_name: "phux-mcp/0.1.0" },
  method: "SIGNAL_TERMINAL",
  signal: "kill",
  subjects: ["terminal:7", "terminal:dev/box/9", "session:work", "global", "@3"],
  requested_at_ms: 1_790_000_000_000,
  expires_at_ms: 1_790_000_060_000,
};

describe("a record", () => {
  test("is shown with its panes as selectors", () => {
    const { schema_version: _, ...shown } = record;
    expect(parseApproval(ID, bytes({ ...record, later: true }))).toEqual({
      ...shown,
      subjects: ["@7", "dev/box/@9", "session:work", "global", "@3"],
    });
  });

  test("leaves out what it does not have", () => {
    const { signal: _, ...unsigned } = record;
    const parsed = parseApproval(ID, bytes({ ...unsigned, requester: { client: 3, credential_id: null } }));
    expect(Object.keys(parsed ?? {})).toEqual([
      ...["id", "requester", "method", "subjects", "requested_at_ms", "expires_at_ms"],
    ]);
    expect(parsed?.requester).toEqual({ client: 3 });
  });

  test.each([
    ["nothing", null],
    ["no JSON", bytes("{")],
    ["no UTF-8", new Uint8Array([0xff])],
    ["a list", bytes([])],
    ["no method", bytes({ ...record, method: 1 })],
    ["no subjects", bytes({ ...record, subjects: [1] })],
    ["no requester", bytes({ ...record, requester: "me" })],
    ["no times", bytes({ ...record, expires_at_ms: null })],
  ])("%s is none", (_, value) => expect(parseApproval(ID, value)).toBeNull());

  test("under a key that is no id is none", () => expect(parseApproval(ID.toUpperCase(), bytes(record))).toBeNull());
});

describe("whose hold it is", () => {
  const hold = (id: string, method: string, ...subjects: string[]): Approval => ({
    ...{ id, requester: { client: 1 }, method, subjects, requested_at_ms: 1, expires_at_ms: 2 },
  });
  const records = [
    hold("a", "KILL_RESOURCE", "@1"),
    hold("b", "KILL_RESOURCE", "@1"),
    hold("c", "KILL_RESOURCES", "@2", "@1"),
  ];
  const kill = (...subjects: string[]) => ({ method: "KILL_RESOURCE", subjects });

  test.each([
    [[kill("@1")], ["a"]],
    [
      [kill("@1"), kill("@1"), kill("@1")],
      ["a", "b", null],
    ],
    [[{ method: "KILL_RESOURCES", subjects: ["@1", "@2"] }], ["c"]],
    [[{ method: "KILL_RESOURCES", subjects: ["@1"] }], [null]],
    [
      [kill("@2"), null, { method: "SIGNAL_TERMINAL", subjects: ["@1"] }],
      [null, null, null],
    ],
  ])("%p", (asked, ids) => expect(holdsOf(asked, records).map((found) => found?.id ?? null)).toEqual(ids));
});
