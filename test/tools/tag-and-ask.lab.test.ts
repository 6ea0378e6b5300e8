import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { ask } from "../../src/tools/question.ts";
import { organize, rename } from "../../src/tools/session.ts";
import { tag } from "../../src/tools/tag.ts";
import { stage } from "../lab/stage.ts";
import { LabRoom, on, releases } from "./lab-room.ts";

const KEY = "phux.tags/v1";

describe.each(releases)("tags on a %s server", (version) => {
  let room: LabRoom;

  beforeAll(async () => {
    room = await LabRoom.open([tag], { version });
    for (const pane of ["@2", "@3"]) expect(await room.pane("@1")).toBe(pane);
    await room.session("other");
  });
  beforeEach(async () => {
    for (const [pane, tags] of [
      ["@1", '["ci"]'],
      ["@2", '["build","ci"]'],
      ["@3", "{}"],
      ["@4", "[]"],
    ] as const) {
      await room.write(on(pane), KEY, tags);
    }
  });
  afterAll(() => room.end());

  const done: [args: Record<string, unknown>, shown: Record<string, string[]>, stored: Record<string, string>][] = [
    [{ action: "ls", target: "main" }, { "@1": ["ci"], "@2": ["build", "ci"], "@3": [] }, { "@3": "{}" }],
    [{ action: "ls", target: "#build" }, { "@2": ["build", "ci"] }, {}],
    [{ action: "ls", target: "other", tags: [] }, { "@4": [] }, {}],
    [{ action: "add", target: "@4", tags: ["#z", " a b ", "z", "#"] }, { "@4": ["a b", "z"] }, { "@4": '["a b","z"]' }],
    [{ action: "add", target: "@4", tags: ["é", "🦊", "#｡", "zz"] }, { "@4": ["zz", "é", "｡", "🦊"] }, {}],
    [{ action: "add", target: "#ci", tags: '["ci"]' }, { "@1": ["ci"], "@2": ["build", "ci"] }, { "@1": '["ci"]' }],
    [
      { action: "rm", target: "main", tags: ["#ci"] },
      { "@1": [], "@2": ["build"], "@3": [] },
      { "@1": "[]", "@3": "[]" },
    ],
    [{ action: "rm", target: "@4", tags: ["absent"] }, { "@4": [] }, { "@4": "[]" }],
  ];
  test.each(done)("%j", async (args, shown, stored) => {
    const terminals = Object.entries(shown).map(([terminal, tags]) => ({ terminal, tags }));
    expect(await room.document("phux_tag", args)).toEqual({ schema_version: 1, action: args["action"], terminals });
    for (const [pane, text] of Object.entries(stored)) expect(await room.text(on(pane), KEY)).toBe(text);
  });

  const coded: [args: Record<string, unknown>, code: string, exit: number][] = [
    [{ action: "ls", target: "@x" }, "invalid_selector", 1],
    [{ action: "ls", target: "@99" }, "no_such_target", 1],
    [{ action: "add", target: "#nobody", tags: ["x"] }, "no_such_target", 1],
    [{ action: "rm", target: "%nobody", tags: ["x"] }, "no_such_target", 1],
  ];
  test.each(coded)("%j is %s", async (args, code, exit) => {
    expect(await room.code("phux_tag", args)).toEqual([code, exit]);
  });

  const sentences: [args: Record<string, unknown>, says: string][] = [
    [{ action: "ls", target: "@1", tags: ["x"] }, "action ls"],
    [{ action: "add", target: "@1" }, "action add"],
    [{ action: "rm", target: "@1", tags: [] }, "action rm"],
    [{ action: "add", target: "@1", tags: ["#", " ", "# "] }, "action add"],
    [{ action: "add", target: "@1", tags: [""] }, '"tags" entry 0'],
    [{ action: "add", target: "@1", tags: Array(65).fill("x") }, '"tags"'],
    [{ action: "list", target: "@1" }, '"action"'],
  ];
  test.each(sentences)("%j is refused", async (args, says) => {
    const before = await room.text(on("@1"), KEY);
    expect(await room.failure("phux_tag", args)).toContain(says);
    expect(await room.text(on("@1"), KEY)).toBe(before);
  });
});

test("tags of another host's pane are not changed from here, nor those beside it", async () => {
  await using far = await stage();
  const room = await LabRoom.open([tag], { satellites: { devbox: { socket: far.lab.socket } } });
  try {
    expect(await room.document("phux_tag", { action: "ls", target: "devbox/@1" })).toMatchObject({
      terminals: [{ terminal: "devbox/@1", tags: [] }],
    });
    const args = { action: "add", target: "devbox/@1", tags: ["x"] };
    expect(await room.code("phux_tag", args)).toEqual(["satellite_target", 2]);
    expect(await room.code("phux_tag", { ...args, target: "attic/@1" })).toEqual(["no_such_target", 1]);
  } finally {
    await room.end();
  }
});

test("a write that the server does not keep is said, whatever was written", async () => {
  const room = await LabRoom.open([tag, organize, rename], { faults: { silentSet: true } });
  try {
    const failures = [
      await room.failure("phux_tag", { action: "add", target: "@1", tags: ["x"] }),
      await room.failure("phux_organize", { session: "main", pinned: true }),
      await room.failure("phux_rename", { session: "main", new_name: "x" }),
    ];
    expect(failures[0]).toContain("@1");
    expect(failures[1]).toContain("somebody else");
    expect(failures[2]).toContain("kept the name");
  } finally {
    await room.end();
  }
});

describe.each(releases)("a question on a %s server", (version) => {
  let room: LabRoom;
  afterEach(() => room.end());
  beforeEach(async () => {
    room = await LabRoom.open([ask], { version });
    room.witness.send({ name: "SUBSCRIBE_EVENTS", value: {} });
    await room.state();
  });

  /** The next question that the server told its subscribers. */
  async function asked() {
    const found = await room.witness.take(
      (one) => one?.frame.name === "EVENT" && one.frame.value.event.tag === "asked",
    );
    return found?.frame.name === "EVENT" ? found.frame.value : null;
  }

  test("reaches everyone who follows events", async () => {
    const question = { id: "deploy", question: "Deploy now?", suggestions: ["Yes", "No"], elapsed_seconds: 7 };
    expect(JSON.stringify(await room.document("phux_ask", { target: "main", ...question }))).toBe(
      JSON.stringify({ schema_version: 1, event: "asked", terminal: "@1", ...question }),
    );
    const { suggestions: suggestion, ...told } = question;
    expect(await asked()).toMatchObject({
      terminal: { tag: "local", id: 1 },
      event: { tag: "asked", ...told, suggestion, elapsed_seconds: 7n },
    });
    // On 0.8 the event is the only trace of it.
    expect(await room.text(on("@1"), "phux.agent.asked/v1")).toBe(version === "0.8" ? null : "1");
  });

  test("without choices or a time", async () => {
    expect(await room.document("phux_ask", { target: ".", id: "q", question: "?", suggestions: [] })).toEqual({
      ...{ schema_version: 1, event: "asked", terminal: "@1", id: "q", question: "?" },
      ...{ suggestions: [], elapsed_seconds: null },
    });
    expect((await asked())?.event).toEqual({ tag: "asked", id: "q", question: "?" });
  });

  const fine = { target: "@1", id: "q", question: "?" };
  const refusals: [change: Record<string, unknown>, says: string][] = [
    [{ question: "" }, "invalid command"],
    [{ question: "x".repeat(4097) }, "invalid command"],
    [{ id: "é".repeat(65) }, "invalid command"],
    [{ suggestions: Array(17).fill("x") }, "invalid command"],
    [{ suggestions: [" "] }, "invalid command"],
    [{ id: "" }, '"id"'],
    [{ id: null }, '"id"'],
    [{ elapsed_seconds: -1 }, '"elapsed_seconds"'],
    [{ elapsed_seconds: 1.5 }, '"elapsed_seconds"'],
    [{ elapsed_seconds: 2 ** 53 }, '"elapsed_seconds"'],
    [{ suggestions: "yes" }, '"suggestions"'],
    [{ target: "@x" }, "invalid_selector"],
    [{ target: "nosuch" }, "no_such_target"],
  ];
  test("what the server or the contract refuses", async () => {
    for (const [change, says] of refusals) {
      expect(await room.failure("phux_ask", { ...fine, ...change })).toContain(says);
    }
    expect(
      room.witness.received.some((one) => one?.frame.name === "EVENT" && one.frame.value.event.tag === "asked"),
    ).toBe(false);
  });
});

test("a miss while part of the fleet is silent is exit 1 here", async () => {
  const room = await LabRoom.open([ask, tag], { satellites: { attic: { unreachable: "no route to attic" } } });
  try {
    expect(await room.code("phux_ask", { target: "attic/@1", id: "q", question: "?" })).toEqual(["partial_view", 1]);
    expect(await room.code("phux_tag", { action: "ls", target: "attic/@1" })).toEqual(["partial_view", 3]);
  } finally {
    await room.end();
  }
});
