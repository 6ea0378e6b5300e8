import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { detach, organize, rename } from "../../src/tools/session.ts";
import { ApprovalOutcome } from "../../src/wire/enums.ts";
import type { LabClient } from "../lab/client.ts";
import { withServer } from "../phux/dialled.ts";
import { jsonResult, requestId } from "../phux/fake-server.ts";
import { SmallPhux } from "../phux/small-phux.ts";
import { Bench } from "./calls.ts";
import { LabRoom, releases } from "./lab-room.ts";

const tools = [rename, organize, detach];
const GLOBAL = { tag: "global" } as const;

describe.each(releases)("sessions of a %s server", (version) => {
  let room: LabRoom;
  const sessions = async () => (await room.state()).sessions.map(({ id, name }) => `${id} ${name}`);

  beforeAll(async () => {
    room = await LabRoom.open(tools, { version });
    for (const name of ["two", "web.prod", "é", "🦊"]) await room.session(name);
  });
  afterAll(() => room.end());

  describe("rename", () => {
    test("changes the name and nothing else", async () => {
      const owners = await room.owners();
      expect(await room.document("phux_rename", { session: "two", new_name: "zwei und drei" })).toEqual({
        schema_version: 1,
        renamed: { from: "two", to: "zwei und drei" },
      });
      expect(await sessions()).toEqual(["1 main", "2 zwei und drei", "3 web.prod", "4 é", "5 🦊"]);
      await room.document("phux_rename", { session: "zwei und drei", new_name: "two" });
      expect(await room.owners()).toBe(owners);
    });

    test("to the name that it has is a success", async () => {
      expect(await room.document("phux_rename", { session: "two", new_name: "two" })).toMatchObject({
        renamed: { from: "two", to: "two" },
      });
    });

    const refused: [session: string, name: string, code: string][] = [
      ["nosuch", "x", "no_such_target"],
      ["Two", "x", "no_such_target"],
      ["two", "main", "session_exists"],
      ["two", " \t", "invalid_session_name"],
      ["two", ".", "invalid_session_name"],
      ["two", "=", "invalid_session_name"],
      ["two", "@3", "invalid_session_name"],
      ["two", "#ci", "invalid_session_name"],
      ["two", "%bot", "invalid_session_name"],
      ["two", "a:b", "invalid_session_name"],
      ["two", "a/@b", "invalid_session_name"],
      ["two", "a\0b", "invalid_session_name"],
    ];
    test.each(refused)("%j to %j is %s", async (session, name, code) => {
      const before = await sessions();
      expect(await room.code("phux_rename", { session, new_name: name })).toEqual([code, 2]);
      expect(await sessions()).toEqual(before);
    });

    test("an empty name, and one that is too long, name the argument", async () => {
      for (const name of ["", "x".repeat(4097), "é".repeat(2049)]) {
        expect(await room.failure("phux_rename", { session: "two", new_name: name })).toContain('"new_name"');
      }
    });
  });

  describe("organize", () => {
    const key = (id: number) => `phux.session.organize/v1/${id}`;
    const plain = { group: null, pinned: false, position: null };

    test("reads every session, sorted by the bytes of their names", async () => {
      expect(await room.document("phux_organize")).toEqual({
        schema_version: 1,
        sessions: [
          { session: "main", session_id: 1, ...plain },
          { session: "two", session_id: 2, ...plain },
          { session: "web.prod", session_id: 3, ...plain },
          { session: "é", session_id: 4, ...plain },
          { session: "🦊", session_id: 5, ...plain },
        ],
      });
    });

    const changes: [args: Record<string, unknown>, shown: Record<string, unknown>, stored: string | null][] = [
      [{ group: "client-a" }, { group: "client-a" }, '{"group":"client-a"}'],
      [
        { pinned: true, position: 0 },
        { group: "client-a", pinned: true, position: 0 },
        '{"group":"client-a","pinned":true,"position":0}',
      ],
      [
        { position: 65_535, group: null },
        { group: "client-a", pinned: true, position: 65_535 },
        '{"group":"client-a","pinned":true,"position":65535}',
      ],
      [{ pinned: "false" }, { group: "client-a", position: 65_535 }, '{"group":"client-a","position":65535}'],
      [{ group: "" }, { position: 65_535 }, '{"position":65535}'],
    ];
    test.each(changes)("%j", async (args, shown, stored) => {
      const row = { session: "two", session_id: 2, ...plain, ...shown };
      expect(await room.document("phux_organize", { session: "two", ...args })).toEqual({
        schema_version: 1,
        sessions: [row],
      });
      expect(await room.text(GLOBAL, key(2))).toBe(stored);
      expect(await room.document("phux_organize", { session: "two" })).toEqual({ schema_version: 1, sessions: [row] });
    });

    test("survives a rename, and goes when nothing is left to say", async () => {
      await room.document("phux_organize", { session: "web.prod", group: "x" });
      await room.document("phux_rename", { session: "web.prod", new_name: "web" });
      expect(await room.document("phux_organize", { session: "web" })).toMatchObject({ sessions: [{ group: "x" }] });
      await room.document("phux_organize", { session: "web", group: "" });
      expect(await room.text(GLOBAL, key(3))).toBeNull();
      await room.document("phux_rename", { session: "web", new_name: "web.prod" });
    });

    test("keeps what others store beside it, and takes what is no record for none", async () => {
      await room.write(GLOBAL, key(4), '{"color":"red","pinned":"yes","position":-1}');
      expect(await room.document("phux_organize", { session: "é" })).toMatchObject({ sessions: [plain] });
      await room.document("phux_organize", { session: "é", pinned: true });
      expect(await room.text(GLOBAL, key(4))).toBe('{"pinned":true,"color":"red"}');
      await room.document("phux_organize", { session: "é", pinned: false });
      expect(await room.text(GLOBAL, key(4))).toBe('{"color":"red"}');
      for (const odd of ["no JSON", "[1]", "null", ""]) {
        await room.write(GLOBAL, key(4), odd);
        expect(await room.document("phux_organize", { session: "é" })).toMatchObject({ sessions: [plain] });
      }
    });

    test("refuses a session that is not there, and a change of none", async () => {
      expect(await room.code("phux_organize", { session: "nosuch" })).toEqual(["no_such_target", 1]);
      expect(await room.code("phux_organize", { session: "nosuch", pinned: true })).toEqual(["no_such_target", 1]);
      for (const change of [{ group: "" }, { pinned: false }, { position: 1 }]) {
        expect(await room.failure("phux_organize", change)).toContain("needs session");
      }
      for (const change of [{ position: 65_536 }, { position: 1.5 }, { group: "é".repeat(2049) }]) {
        const [name] = Object.keys(change);
        expect(await room.failure("phux_organize", { session: "two", ...change })).toContain(`"${name}"`);
      }
    });
  });
});

describe.each(releases)("detach on a %s server", (version) => {
  let room: LabRoom;
  afterEach(() => room.end());

  /** A person who looks at a session. */
  async function viewer(session: string): Promise<LabClient> {
    const client = await room.scene.connect("viewer");
    const viewport = { cols: 80, rows: 24, pixel_w: null, pixel_h: null };
    client.send({ name: "ATTACH", value: { attach_id: 1, target: { tag: "by_name", name: session }, viewport } });
    await client.next("ATTACH_READY");
    return client;
  }

  test("ejects the viewers of one session, then all that are left, and nobody's program", async () => {
    room = await LabRoom.open(tools, { version });
    await room.session("work");
    const [first, second, third] = [await viewer("main"), await viewer("work"), await viewer("work")];
    const owners = await room.owners();
    expect(await room.document("phux_detach", { session: "work", confirm: true })).toEqual({
      schema_version: 1,
      detached: 2,
      session: "work",
    });
    for (const gone of [second, third]) expect(await gone.next("DETACHED")).toMatchObject({ reason: 0 });
    expect((await room.state()).sessions.map(({ attached_client_count }) => attached_client_count)).toEqual([1, 0]);
    expect(await room.document("phux_detach", { confirm: true })).toEqual({
      schema_version: 1,
      detached: 1,
      session: null,
    });
    expect(await first.next("DETACHED")).toMatchObject({ reason: 0 });
    expect(await room.document("phux_detach", { confirm: true })).toMatchObject({ detached: 0 });
    expect(await room.owners()).toBe(owners);
  });

  test("a session that is not there is a miss, but for 0.8, which counts nobody", async () => {
    room = await LabRoom.open(tools, { version });
    const args = { session: "nosuch", confirm: true };
    if (version === "0.8") expect(await room.document("phux_detach", args)).toMatchObject({ detached: 0 });
    else expect(await room.code("phux_detach", args)).toEqual(["no_such_target", 1]);
  });

  test("an end of the connection is a failure: detaching ends no server", async () => {
    room = await LabRoom.open(tools, { version, faults: { dropBeforeReply: ["DETACH_CLIENTS"] } });
    expect(await room.code("phux_detach", { confirm: true })).toEqual(["server_disconnected", 1]);
  });

  test("nothing is sent without the human's yes", async () => {
    room = await LabRoom.open(tools, { version });
    const watching = await viewer("main");
    for (const confirm of [undefined, false, "true", 1]) {
      expect(await room.failure("phux_detach", { session: "main", confirm })).toContain("confirm: true");
    }
    expect((await room.state()).sessions[0]?.attached_client_count).toBe(1);
    expect(watching.received.map((one) => one?.frame.name)).not.toContain("DETACHED");
  });
});

test("a detach that is held answers pending, and happens when somebody has agreed", async () => {
  const room = await LabRoom.open(tools, { hold: ["DETACH_CLIENTS"] });
  try {
    const args = { session: "main", confirm: true };
    expect(await room.document("phux_detach", args)).toEqual({
      schema_version: 1,
      status: "pending",
      operation_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      tool: "phux_detach",
    });
    room.witness.send({ name: "LIST_METADATA", value: { request_id: 9, scope: GLOBAL } });
    const { keys = [] } = await room.witness.next("METADATA_KEYS");
    const id = keys
      .find((key) => key.startsWith("phux.approval/v1/"))
      ?.split("/")
      .at(-1);
    expect(await room.text(GLOBAL, `phux.approval/v1/${id}`)).toContain('"method":"DETACH_CLIENTS"');
    await room.write(GLOBAL, `phux.approval.decide/v1/${id}`, "approve");
    expect(await room.text(GLOBAL, `phux.approval/v1/${id}`)).toBeNull();
  } finally {
    await room.end();
  }
});

test("a cancel before that withdraws the hold", async () => {
  const room = await LabRoom.open(tools, { hold: ["DETACH_CLIENTS"] });
  try {
    const cancel = new AbortController();
    room.witness.send({ name: "SUBSCRIBE_EVENTS", value: {} });
    const call = room.call("phux_detach", { confirm: true }, { signal: cancel.signal });
    // The pane's own shell makes events too.
    const told = (tag: string) =>
      room.witness.take((one) => one?.frame.name === "EVENT" && one.frame.value.event.tag === tag);
    expect(await told("approval_requested")).toBeDefined();
    cancel.abort();
    expect((await call).isError).toBe(true);
    expect((await told("approval_decided"))?.frame.value).toMatchObject({
      event: { outcome: ApprovalOutcome.withdrawn },
    });
  } finally {
    await room.end();
  }
});

test.each(["2.5", '"2"', "-1", "", "[]", "9999999999999999999"])("%j is no count of viewers", (said) =>
  withServer({ script: (frame, client) => client.send(jsonResult(requestId(frame), said)) }, async (server) => {
    const text = await new Bench(server.socket, {}, tools).failure("phux_detach", { confirm: true });
    expect(text).toContain("no count");
  }),
);

describe("a rename that the server does not carry out", () => {
  const outcomes: [what: string, now: string | null, says: string][] = [
    ["keeps the name", "home", "kept the name"],
    ["gave it another name", "third", 'is now "third"'],
    ["lost the session", null, "ended meanwhile"],
  ];
  test.each(outcomes)("the server %s", (_what, now, says) => {
    const phux = new SmallPhux();
    phux.override = (frame) => {
      if (frame.name !== "SET_METADATA") return false;
      const sessions = phux.state.sessions.flatMap((row) =>
        row.name !== "home" ? [row] : now === null ? [] : [{ ...row, name: now }],
      );
      phux.state = { ...phux.state, sessions };
      return true;
    };
    return withServer({ script: phux.script }, async (server) => {
      const text = await new Bench(server.socket, {}, tools).failure("phux_rename", {
        session: "home",
        new_name: "new",
      });
      expect(text).toContain(says);
    });
  });
});
