import { afterEach, describe, expect, test } from "bun:test";
import { claimList, claimRelease, claimRenew, claimTake } from "../../src/tools/claim.ts";
import type { LabOptions } from "../lab/options.ts";
import { until } from "../lab/until.ts";
import { Bench } from "./calls.ts";
import { membersOf } from "./lab-bench.ts";
import { LabRoom } from "./lab-room.ts";

const tools = [claimTake, claimRenew, claimRelease, claimList];
const GLOBAL = { tag: "global" } as const;
const NAME = "repo:src/main";
const OTHER_TOKEN = "f".repeat(32);

let room: LabRoom;
/** The lab's clock runs with ours and may be put forward: the client leaves out by its own what has expired. */
let ahead = 0;
afterEach(() => room.end());

async function open(options: Partial<LabOptions> = {}): Promise<LabRoom> {
  ahead = 0;
  room = await LabRoom.open(tools, { now: () => Date.now() + ahead, ...options });
  return room;
}

const take = async (args: object = {}) =>
  membersOf(membersOf(await room.document("phux_claim_take", { name: NAME, ...args }))["claim"]);
const list = async (args: object = {}) => membersOf(await room.document("phux_claim_list", { ...args }));
const names = async (args: object = {}) => {
  const { claims } = await list(args);
  return Array.isArray(claims) ? claims.map((claim) => membersOf(claim)["name"]) : [];
};

test("a claim is taken, listed without its token, renewed and released", async () => {
  await open();
  const before = Date.now();
  const { text } = await room.call("phux_claim_take", { name: NAME, note: "refactor", ttl_secs: 60 });
  const taken = JSON.parse(text);
  expect(Object.keys(taken).join()).toBe("schema_version,claim");
  const { claim } = taken;
  expect(Object.keys(claim).join()).toBe("name,holder,token,taken_at_ms,expires_at_ms,note");
  expect(claim).toMatchObject({ name: NAME, holder: "mcp", note: "refactor" });
  expect(claim.token).toMatch(/^[0-9a-f]{32}$/);
  expect(claim.taken_at_ms).toBeWithin(before, Date.now() + 1);
  expect(claim.expires_at_ms).toBe(claim.taken_at_ms + 60_000);

  // The public record is what the list shows, and neither has the token.
  const { token, ...shown } = claim;
  expect(JSON.parse((await room.text(GLOBAL, `phux.claim/v1/${NAME}`)) ?? "null")).toEqual(shown);
  expect(await list()).toEqual({ schema_version: 1, claims: [shown], count: 1 });

  ahead = 1_000;
  const renewed = membersOf(await room.document("phux_claim_renew", { name: NAME, token, ttl_secs: 5 }));
  const again = membersOf(renewed["claim"]);
  expect(again).toMatchObject({ name: NAME, token, taken_at_ms: claim.taken_at_ms, note: "refactor" });
  // Sooner than before, because a lease counts from now.
  expect(Number(again["expires_at_ms"])).toBeLessThan(claim.expires_at_ms);

  const release = { name: NAME, token };
  expect(await room.document("phux_claim_release", release)).toEqual({
    ...{ schema_version: 1, released: true, name: NAME, was_held: true },
  });
  expect(await room.read(GLOBAL, `phux.claim/v1/${NAME}`)).toBeNull();
  expect(await room.document("phux_claim_release", release)).toMatchObject({ released: true, was_held: false });
  expect(await list()).toEqual({ schema_version: 1, claims: [], count: 0 });
});

test("a live claim refuses everyone, its holder included, and says who and until when", async () => {
  await open();
  const { expires_at_ms: expiry } = await take({ holder: "@3" });
  const text = await room.failure("phux_claim_take", { name: NAME, holder: "@3" });
  expect(JSON.parse(text)).toMatchObject({ error: { code: "claim_held" }, exit_code: 2 });
  expect(text).toContain("@3");
  expect(text).toContain(new Date(Number(expiry)).toISOString());
});

const lost: [what: string, tool: string, prepare: () => Promise<unknown>][] = [
  ["another token", "phux_claim_renew", () => take()],
  ["another token", "phux_claim_release", () => take()],
  ["never taken", "phux_claim_renew", async () => null],
  [
    "expired",
    "phux_claim_renew",
    async () => {
      await take({ ttl_secs: 1 });
      ahead += 1_000;
    },
  ],
];
test.each(lost)("%s: %s is claim_lost", async (_, tool, prepare) => {
  await open();
  await prepare();
  const text = await room.failure(tool, { name: NAME, token: OTHER_TOKEN });
  expect(JSON.parse(text)).toMatchObject({ error: { code: "claim_lost" }, exit_code: 2 });
  expect(text).not.toContain(OTHER_TOKEN);
});

test("an expired claim counts as absent", async () => {
  await open();
  const { token } = await take({ ttl_secs: 100 });
  ahead += 60_000;
  expect(await names()).toEqual([NAME]);
  ahead += 40_000;
  expect(await names()).toEqual([]);
  expect(await room.document("phux_claim_release", { name: NAME, token })).toMatchObject({ was_held: false });
  await take({ holder: "next" });
  expect(await list()).toMatchObject({ claims: [{ holder: "next" }] });
});

test("those who follow a claim hear of its beginning, its change and its end", async () => {
  await open();
  const key = `phux.claim/v1/${NAME}`;
  room.witness.send({ name: "SUBSCRIBE_METADATA", value: { scope: GLOBAL, key } });
  await room.read(GLOBAL, key);
  const heard = async () => (await room.witness.next("METADATA_CHANGED")).value;
  const { token } = await take({ ttl_secs: 100 });
  expect(JSON.parse(new TextDecoder().decode(await heard()))).toMatchObject({ name: NAME });
  await room.document("phux_claim_renew", { name: NAME, token, ttl_secs: 200 });
  expect(await heard()).toBeDefined();
  ahead += 200_000;
  // Nobody asks: the lab notices by itself, or with the next look at global keys.
  await room.read(GLOBAL, "anything");
  expect(await heard()).toBeUndefined();
});

test("the end of a short lease is told without anyone asking", async () => {
  await open();
  const key = `phux.claim/v1/${NAME}`;
  room.witness.send({ name: "SUBSCRIBE_METADATA", value: { scope: GLOBAL, key } });
  await room.read(GLOBAL, key);
  await take({ ttl_secs: 1 });
  const told = () => room.witness.received.filter((one) => one?.frame.name === "METADATA_CHANGED").length;
  await until("the end was told", () => told() === 2);
});

test("the list is sorted by bytes, and filtered", async () => {
  await open();
  for (const [name, holder] of [
    ["repo:b", "@1"],
    ["repo:a", "@2"],
    ["Repo:a", "@1"],
    ["disk", "@1"],
  ]) {
    await take({ name, holder });
  }
  expect(await names()).toEqual(["Repo:a", "disk", "repo:a", "repo:b"]);
  expect(await names({ prefix: "repo:" })).toEqual(["repo:a", "repo:b"]);
  expect(await names({ holder: "@1" })).toEqual(["Repo:a", "disk", "repo:b"]);
  expect(await names({ prefix: "repo:", holder: "@1" })).toEqual(["repo:b"]);
  expect(await names({ prefix: "nothing" })).toEqual([]);
  expect(await names({ holder: "nobody" })).toEqual([]);
});

test("a server with no claim at all", async () => {
  await open();
  expect(await list()).toEqual({ schema_version: 1, claims: [], count: 0 });
});

test("what does not read as a claim, or belongs to another key, or has expired by our clock, is passed over", async () => {
  await open();
  const { writeMetadata } = room.scene.lab.server;
  const put = (name: string, record: unknown) =>
    writeMetadata.call(
      room.scene.lab.server,
      GLOBAL,
      `phux.claim/v1/${name}`,
      new TextEncoder().encode(typeof record === "string" ? record : JSON.stringify(record)),
    );
  const record = { name: "a", holder: "@1", taken_at_ms: 1, expires_at_ms: Date.now() + 60_000, note: null };
  put("a", record);
  put("b", record);
  put("c", { ...record, name: "c", expires_at_ms: Date.now() - 1 });
  put("d", "no json");
  put("e", { ...record, name: "e", holder: 3 });
  put("f", { ...record, name: "f", token: OTHER_TOKEN });
  const { text } = await room.call("phux_claim_list");
  expect(await names()).toEqual(["a", "f"]);
  expect(text).not.toContain("token");
});

test.each([
  [{}, {}, "mcp"],
  [{ PHUX_TERMINAL_ID: "12" }, {}, "@12"],
  [{ PHUX_TERMINAL_ID: "12" }, { holder: "me" }, "me"],
])("in %j with %j the holder is %s", async (environment, args, holder) => {
  await open();
  const bench = new Bench(room.scene.lab.socket, { environment }, tools);
  expect(await bench.document("phux_claim_take", { name: NAME, ...args })).toMatchObject({ claim: { holder } });
});

describe("arguments", () => {
  const fine: string[] = ["a", "0", "A.b_c/d:e@f-g", `a${"b".repeat(127)}`];
  test.each(fine)("%s is a name", async (name) => {
    await open();
    expect(await take({ name, ttl_secs: 86_400, note: "é".repeat(256) })).toMatchObject({ name });
  });

  const wrong: [tool: string, args: object, text: string][] = [
    ["phux_claim_take", { name: "" }, '"name" must be 1..128'],
    ["phux_claim_take", { name: ".a" }, '"name" must be 1..128'],
    ["phux_claim_take", { name: "a b" }, '"name" must be 1..128'],
    ["phux_claim_take", { name: "é" }, '"name" must be 1..128'],
    ["phux_claim_take", { name: "a\n" }, '"name" must be 1..128'],
    ["phux_claim_take", { name: `a${"b".repeat(128)}` }, '"name" must be 1..128'],
    ["phux_claim_take", { name: "a", ttl_secs: 0 }, '"ttl_secs" must be a whole number, 1..86400'],
    ["phux_claim_take", { name: "a", ttl_secs: 86_401 }, '"ttl_secs" must be'],
    ["phux_claim_take", { name: "a", note: "é".repeat(257) }, '"note" must have 1..512 bytes'],
    ["phux_claim_renew", { name: "a", token: "x" }, '"token" must be 32 lowercase hex digits'],
    ["phux_claim_renew", { name: "a" }, 'needs the argument "token"'],
    ["phux_claim_release", { name: "a", token: "A".repeat(32) }, '"token" must be 32 lowercase hex digits'],
    ["phux_claim_list", { prefix: "" }, '"prefix" must have 1..128 bytes'],
    ["phux_claim_list", { prefix: "x".repeat(129) }, '"prefix" must have 1..128 bytes'],
  ];
  test.each(wrong)("%s refuses %j before anything is opened", async (tool, args, text) => {
    await open();
    expect(await room.failure(tool, { ...args })).toContain(text);
    expect(room.asked).toEqual([]);
  });
});

describe("a server without claims", () => {
  const calls: [tool: string, args: object][] = [
    ["phux_claim_take", { name: NAME }],
    ["phux_claim_renew", { name: NAME, token: OTHER_TOKEN }],
    ["phux_claim_release", { name: NAME, token: OTHER_TOKEN }],
    ["phux_claim_list", {}],
  ];
  const servers: [what: string, options: Partial<LabOptions>][] = [
    ["0.8", { version: "0.8" }],
    ["0.9", { version: "0.9" }],
    ["1.0, switched off", { without: ["claims"] }],
  ];
  test.each(servers.flatMap(([what, options]) => calls.map(([tool, args]) => [what, tool, args, options] as const)))(
    "%s: %s",
    async (_, tool, args, options) => {
      // Whatever is asked stays without an answer: only a refusal before it gives one.
      await open({ ...options, faults: { silent: ["LIST_METADATA", "SET_METADATA", "GET_METADATA"] } });
      const text = await room.failure(tool, { ...args });
      expect(JSON.parse(text)).toMatchObject({ error: { code: "unsupported_server" }, exit_code: 2 });
      expect(text).toContain("feature claims");
    },
  );
});

describe("what a server may do wrong", () => {
  test("it takes the write and leaves no receipt", async () => {
    await open({ faults: { silentSet: true } });
    for (const [tool, args] of [
      ["phux_claim_take", { name: NAME }],
      ["phux_claim_renew", { name: NAME, token: OTHER_TOKEN }],
      ["phux_claim_release", { name: NAME, token: OTHER_TOKEN }],
    ] as const) {
      expect(await room.failure(tool, args)).toContain("left no receipt");
    }
  });

  test("it refuses the write", async () => {
    await open({ faults: { refuse: { SET_METADATA: { code: 201, message: "no grant" } } } });
    expect(await room.code("phux_claim_take", { name: NAME })).toEqual(["permission_denied", 2]);
  });

  test("it closes before the receipt", async () => {
    await open({ faults: { dropReplies: { GET_METADATA: 1 } } });
    expect(await room.code("phux_claim_take", { name: NAME })).toEqual(["server_disconnected", 1]);
    expect(await names()).toEqual([NAME]);
  });
});

test("a receipt is read once, and by nobody else", async () => {
  await open();
  const token = "a1".repeat(16);
  const value = new TextEncoder().encode(JSON.stringify({ token, name: NAME, holder: "me", ttl_secs: 9 }));
  const other = await room.scene.connect("other");
  room.witness.send({
    name: "SET_METADATA",
    value: { request_id: 7, scope: GLOBAL, key: "phux.claim.take/v1", value },
  });
  await room.read(GLOBAL, "phux.claim.take/v1");
  const key = `phux.claim.receipt/v1/${token}`;
  other.send({ name: "GET_METADATA", value: { request_id: 1, scope: GLOBAL, key } });
  expect((await other.next("METADATA_VALUE")).value).toBeUndefined();
  expect(JSON.parse((await room.text(GLOBAL, key)) ?? "null")).toMatchObject({ token, claim: { name: NAME } });
  expect(await room.read(GLOBAL, key)).toBeNull();
});
