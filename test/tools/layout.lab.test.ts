import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { insert, move, swap } from "../../src/tools/layout.ts";
import { ResourceKind } from "../../src/wire/enums.ts";
import { LabRoom, layoutKey, on, releases } from "./lab-room.ts";

const tools = [insert, move, swap];

describe.each(releases)("panes in the layout of a %s server", (version) => {
  let room: LabRoom;
  const drawnAtFirst = "*code: H(0.65; @1, @2) focus @1 | run: @3 focus @3";

  beforeAll(async () => {
    room = await LabRoom.open(tools, { version });
    // @2, @3 and @4 in the window of @1, of which @4 is drawn nowhere; @5 in a session without a layout.
    for (const pane of ["@2", "@3", "@4"]) expect(await room.pane("@1")).toBe(pane);
    expect(await room.session("other")).toEqual({ id: 2, pane: "@5" });
    await room.write(on("@4"), "phux.tags/v1", '["fresh"]');
    for (const pane of ["@1", "@2"]) await room.write(on(pane), "phux.tags/v1", '["both"]');
  });
  beforeEach(() => room.draw(1, drawnAtFirst));
  afterAll(() => room.end());

  const panes = { session_id: 1 };
  const placed = { direction: "horizontal", ratio: 0.5 };
  const done: [tool: string, args: Record<string, unknown>, document: Record<string, unknown>, after: string][] = [
    [
      "phux_insert_pane",
      { target: "@3", new_pane: "@4" },
      { operation: "insert-pane", ...panes, target_terminal_id: 3, new_terminal_id: 4, ...placed },
      "code: H(0.65; @1, @2) focus @1 | *run: V(0.5; @3, @4) focus @4",
    ],
    [
      "phux_insert_pane",
      { target: "main:code.1", new_pane: "#fresh", direction: "vertical", ratio: 0.3 },
      {
        ...{ operation: "insert-pane", ...panes, target_terminal_id: 2, new_terminal_id: 4 },
        ...{ direction: "vertical", ratio: 0.30000001192092896 },
      },
      "*code: H(0.65; @1, H(0.3; @2, @4)) focus @4 | run: @3 focus @3",
    ],
    [
      "phux_move_pane",
      { source: "@3", target: "@1", ratio: "0.25" },
      { operation: "move-pane", ...panes, source_terminal_id: 3, target_terminal_id: 1, ...placed, ratio: 0.25 },
      "*code: H(0.65; V(0.25; @1, @3), @2) focus @3",
    ],
    [
      "phux_move_pane",
      { source: "main:0.0", target: "main:run", direction: "vertical" },
      {
        ...{ operation: "move-pane", ...panes, source_terminal_id: 1, target_terminal_id: 3 },
        ...{ direction: "vertical", ratio: 0.5 },
      },
      "code: @2 focus @2 | *run: H(0.5; @3, @1) focus @1",
    ],
    [
      "phux_swap_pane",
      { first: "@3", second: "@2", projection: [] },
      { operation: "swap-pane", ...panes, first_terminal_id: 3, second_terminal_id: 2 },
      "*code: H(0.65; @1, @3) focus @1 | run: @2 focus @3",
    ],
  ];
  test.each(done)("%s %j", async (tool, args, document, after) => {
    const owners = await room.owners();
    expect(await room.document(tool, args)).toEqual({ schema_version: 1, ...document });
    expect(await room.drawn(1)).toBe(after);
    // Only the picture changed: every pane lives where it lived.
    expect(await room.owners()).toBe(owners);
  });

  const refused: [tool: string, args: Record<string, unknown>, code: string][] = [
    ["phux_insert_pane", { target: "@1", new_pane: "@2" }, "pane_already_in_layout"],
    ["phux_insert_pane", { target: "@4", new_pane: "@3" }, "pane_already_in_layout"],
    ["phux_insert_pane", { target: "@1", new_pane: "@4", ratio: 0 }, "invalid_ratio"],
    ["phux_insert_pane", { target: "@1", new_pane: "@4", ratio: "1e-60" }, "invalid_ratio"],
    ["phux_insert_pane", { target: "@x", new_pane: "@4" }, "invalid_selector"],
    ["phux_insert_pane", { target: "@1", new_pane: "=" }, "invalid_selector"],
    ["phux_insert_pane", { target: "@1", new_pane: "@99" }, "selector_miss"],
    ["phux_insert_pane", { target: "%reviewer", new_pane: "@4" }, "selector_miss"],
    ["phux_insert_pane", { target: "devbox/@1", new_pane: "@4" }, "selector_miss"],
    ["phux_insert_pane", { target: "main", new_pane: "@4" }, "selector_not_single"],
    ["phux_insert_pane", { target: "#both", new_pane: "@4" }, "selector_not_single"],
    ["phux_insert_pane", { target: "@4", new_pane: "@4" }, "same_pane"],
    ["phux_insert_pane", { target: "@1", new_pane: "other" }, "cross_session"],
    ["phux_insert_pane", { target: "@1", new_pane: "@4", projection: ["x.layout/v1/2"] }, "projection_invalid"],
    ["phux_insert_pane", { target: "@1", new_pane: "@4", projection: ["x"] }, "projection_invalid"],
    ["phux_insert_pane", { target: "@1", new_pane: "@4", projection: ["x.layout/v1/1"] }, "layout_missing"],
    [
      "phux_insert_pane",
      { target: "@1", new_pane: "@4", projection: ["x.layout/v1/1", "y.layout/v1/1"] },
      "projection_arity",
    ],
    ["phux_move_pane", { source: "@4", target: "@1" }, "pane_not_in_layout"],
    ["phux_move_pane", { source: "@1", target: "@1" }, "same_pane"],
    ["phux_move_pane", { source: "@1", target: "@3", ratio: 1.5 }, "invalid_ratio"],
    ["phux_move_pane", { source: "@1", target: "@5", projection: ["x.layout/v1/1"] }, "projection_arity"],
    [
      "phux_move_pane",
      { source: "@1", target: "@5", projection: ["x.layout/v1/1", "y.layout/v1/1"] },
      "projection_invalid",
    ],
    [
      "phux_move_pane",
      { source: "@1", target: "@5", projection: ["x.layout/v1/1", "y.layout/v1/3"] },
      "projection_invalid",
    ],
    ["phux_swap_pane", { first: "@1", second: "@4" }, "pane_not_in_layout"],
    ["phux_swap_pane", { first: "@1", second: "@5" }, "cross_session"],
    ["phux_swap_pane", { first: "main:0.0", second: "@1" }, "same_pane"],
  ];
  test.each(refused)("%s %j is %s", async (tool, args, code) => {
    expect(await room.code(tool, args)).toEqual([code, 2]);
    expect(await room.drawn(1)).toBe(drawnAtFirst);
  });

  test("the role that is wrong is named", async () => {
    const failures = [
      await room.failure("phux_insert_pane", { target: "@1", new_pane: "@x" }),
      await room.failure("phux_move_pane", { source: "@99", target: "@1" }),
      await room.failure("phux_swap_pane", { first: "@1", second: "main" }),
    ];
    const roles = ["new-pane", "source", "second"];
    expect(failures.map((text, at) => text.includes(`"message":"${roles[at]}: `))).toEqual([true, true, true]);
  });

  test("what is in no window of this server has no place in a layout", async () => {
    const parent = { tag: "local", id: 1 } as const;
    const value = { request_id: 1, group: 1, kind: ResourceKind.agent_session, parent, provider: "claude" };
    room.witness.send({ name: "SPAWN_RESOURCE", value });
    const { result } = await room.witness.next("RESOURCE_SPAWNED");
    // 0.8 knows panes alone, and starts one.
    if (version === "0.8" || result.tag !== "ok") return;
    const session = `@${result.id.id}`;
    expect(await room.code("phux_insert_pane", { target: "@1", new_pane: session })).toEqual([
      "unknown_terminal_session",
      2,
    ]);
  });

  test("what swap has no use for is no argument of it", async () => {
    expect(await room.failure("phux_swap_pane", { first: "@1", second: "@2", ratio: 0.5 })).toContain('"ratio"');
    expect(await room.failure("phux_swap_pane", { first: "@1", second: "@2", direction: "vertical" })).toContain(
      '"direction"',
    );
  });

  test("a tree that is as deep as one can be takes no further split", async () => {
    const deepest = "H(0.5; @3, ".repeat(507);
    const deep = `*1: ${deepest}@1${")".repeat(507)} focus @1`;
    await room.draw(1, deep);
    expect(await room.code("phux_insert_pane", { target: "@1", new_pane: "@4" })).toEqual(["layout_rejected", 2]);
    expect(await room.drawn(1)).toBe(deep);
  });

  test("a projection is edited in place of the session's own layout", async () => {
    await room.draw(1, "*p: @1 focus @1", "mine.layout/v1/1");
    const args = { target: "@1", new_pane: "@4", projection: ["mine.layout/v1/1"] };
    expect(await room.document("phux_insert_pane", args)).toMatchObject({ session_id: 1, new_terminal_id: 4 });
    expect(await room.drawn(1, "mine.layout/v1/1")).toBe("*p: V(0.5; @1, @4) focus @4");
    expect(await room.drawn(1)).toBe(drawnAtFirst);
  });

  test("a layout of the other version, or none, is left alone", async () => {
    const group = { tag: "group", group: 1 } as const;
    const bytes = Uint8Array.from(room.layoutBytes(drawnAtFirst));
    // The version is the value of the first member: {"version": 3, ...}.
    bytes[9] = bytes[9] === 3 ? 2 : 3;
    for (const odd of [bytes, new TextEncoder().encode("no CBOR")]) {
      await room.write(group, layoutKey(1), odd);
      expect(await room.code("phux_insert_pane", { target: "@1", new_pane: "@4" })).toEqual(["layout_rejected", 2]);
      expect(await room.read(group, layoutKey(1))).toEqual(odd);
    }
  });
});
