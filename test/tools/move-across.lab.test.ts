import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { move } from "../../src/tools/layout.ts";
import { stage } from "../lab/stage.ts";
import { LabRoom, layoutKey, releases } from "./lab-room.ts";

const tools = [move];
const GROUP = { tag: "group", group: 1 } as const;

let room: LabRoom;
afterEach(() => room.end());

/** `main` (1) draws @1 and @2 in one tab and @3 in another; `other` (2) draws @4. @5 is in `main` and drawn nowhere. */
async function twoSessions(options: Parameters<typeof LabRoom.open>[1]): Promise<void> {
  room = await LabRoom.open(tools, options);
  for (const pane of ["@2", "@3"]) expect(await room.pane("@1")).toBe(pane);
  expect(await room.session("other")).toEqual({ id: 2, pane: "@4" });
  expect(await room.pane("@1")).toBe("@5");
  await room.draw(1, "*code: H(0.65; @1, @2) focus @1 | run: @3 focus @3");
  await room.draw(2, "*1: @4 focus @4");
}

const layouts = async () => [await room.drawn(1), await room.drawn(2)];
const document = { schema_version: 1, operation: "move-pane" };

describe.each(releases)("between sessions of a %s server", (version) => {
  beforeEach(() => twoSessions({ version }));

  test("a pane moves, is drawn there, and is gone from where it was", async () => {
    const { terminal } = room.scene.lab.server.panes.get(2) ?? { terminal: null };
    const moved = await room.document("phux_move_pane", {
      source: "@2",
      target: "@4",
      direction: "vertical",
      ratio: 0.3,
    });
    expect(JSON.stringify(moved)).toBe(
      JSON.stringify({
        ...document,
        ...{ session_id: 2, source_session_id: 1, source_terminal_id: 2, target_terminal_id: 4 },
        ...{ direction: "vertical", ratio: 0.30000001192092896, cross_session: true },
      }),
    );
    expect(await room.owners()).toBe("@1 main, @3 main, @5 main, @4 other, @2 other");
    expect(await layouts()).toEqual(["*code: @1 focus @1 | run: @3 focus @3", "*1: H(0.3; @4, @2) focus @2"]);
    // The same program runs on.
    expect(room.scene.lab.server.panes.get(2)?.terminal).toBe(terminal ?? expect.anything());
  });

  test("a session that loses its last pane goes, and its layout with it", async () => {
    expect(await room.document("phux_move_pane", { source: "other", target: "main:run" })).toMatchObject({
      ...{ session_id: 1, source_session_id: 2, source_terminal_id: 4, target_terminal_id: 3 },
    });
    expect(await room.owners()).toBe("@1 main, @2 main, @3 main, @5 main, @4 main");
    expect(await room.read(GROUP, layoutKey(2))).toBeNull();
    expect(await room.drawn(1)).toBe("code: H(0.65; @1, @2) focus @1 | *run: V(0.5; @3, @4) focus @4");
  });

  test("a pane that nobody drew leaves nothing to clean", async () => {
    expect(await room.document("phux_move_pane", { source: "@5", target: "@4" })).toMatchObject({
      cross_session: true,
    });
    expect(await layouts()).toEqual([
      "*code: H(0.65; @1, @2) focus @1 | run: @3 focus @3",
      "*1: V(0.5; @4, @5) focus @5",
    ]);
  });

  test("one projection for each session, in either order", async () => {
    await room.draw(1, "*p: H(0.5; @1, @2) focus @2", "mine.layout/v1/1");
    await room.draw(2, "*q: @4 focus @4", "mine.layout/v1/2");
    const before = await layouts();
    const projection = ["mine.layout/v1/2", "mine.layout/v1/1"];
    await room.document("phux_move_pane", { source: "@2", target: "@4", projection });
    expect(await room.drawn(1, "mine.layout/v1/1")).toBe("*p: @1 focus @1");
    expect(await room.drawn(2, "mine.layout/v1/2")).toBe("*q: V(0.5; @4, @2) focus @2");
    expect(await layouts()).toEqual(before);
  });

  test("a pane that cannot be drawn there is moved back", async () => {
    await room.draw(2, "*1: H(0.5; @4, @2) focus @4");
    const before = [await room.owners(), ...(await layouts())];
    expect(await room.code("phux_move_pane", { source: "@2", target: "@4" })).toEqual(["destination_layout_failed", 1]);
    expect(await layouts()).toEqual(before.slice(1));
    expect((await room.owners()).split(", ").toSorted()).toEqual(before[0]?.split(", ").toSorted() ?? []);
  });

  test("a pane that was alone cannot be moved back, and the error says what to do", async () => {
    await room.draw(1, "*1: @1 focus @1");
    const text = await room.failure("phux_move_pane", { source: "@4", target: "@3" });
    expect(JSON.parse(text)).toMatchObject({ error: { code: "destination_layout_failed" }, exit_code: 1 });
    expect(text).toContain("phux ls");
    expect(text).toContain("by hand");
    expect(await room.owners()).toContain("@4 main");
  });

  test("a session without a layout draws nothing, so nothing is moved there for good", async () => {
    room.scene.lab.server.deleteMetadata(GROUP, layoutKey(2));
    const text = await room.failure("phux_move_pane", { source: "@2", target: "@4" });
    expect(JSON.parse(text)).toMatchObject({ error: { code: "destination_layout_failed" } });
    expect(text).toContain("was moved back");
    expect(await room.owners()).toContain("@2 main");
  });

  test("a write that does not hold is seen", async () => {
    room.scene.lab.faults.silentSet = true;
    expect(await room.code("phux_move_pane", { source: "@2", target: "@4" })).toEqual(["destination_layout_failed", 1]);
    expect(await room.owners()).toContain("@2 main");
  });
});

test("a layout that cannot lose its only pane is said to be wrong, and the pane has moved", async () => {
  await twoSessions({});
  await room.draw(1, "*1: @2 focus @2");
  const text = await room.failure("phux_move_pane", { source: "@2", target: "@4" });
  expect(JSON.parse(text)).toMatchObject({ error: { code: "source_layout_failed" }, exit_code: 1 });
  expect(await room.owners()).toContain("@2 other");
  expect(await layouts()).toEqual(["*1: @2 focus @2", "*1: V(0.5; @4, @2) focus @2"]);
});

test("a server that cannot move panes is not asked to", async () => {
  await twoSessions({ without: ["move_resource"] });
  const before = [await room.owners(), ...(await layouts())];
  const text = await room.failure("phux_move_pane", { source: "@2", target: "@4" });
  expect(JSON.parse(text)).toMatchObject({ error: { code: "server_too_old" }, exit_code: 1 });
  expect(text).toContain("move_resource");
  expect([await room.owners(), ...(await layouts())]).toEqual(before);
  // Within a session it needs no such feature.
  expect(await room.document("phux_move_pane", { source: "@2", target: "@3" })).toMatchObject({ session_id: 1 });
});

test("a pane of another host is moved by nobody here", async () => {
  await using far = await stage();
  await twoSessions({ satellites: { devbox: { socket: far.lab.socket }, attic: { unreachable: "no route" } } });
  expect((await room.state()).resources.map(({ id }) => id)).toContainEqual({
    tag: "satellite",
    host: "devbox",
    id: 1,
  });
  for (const [source, target] of [
    ["devbox/@1", "@1"],
    ["@1", "devbox/@1"],
  ]) {
    expect(await room.code("phux_move_pane", { source, target })).toEqual(["satellite_target", 2]);
  }
  // A miss in a view that may be incomplete does not claim that the pane is nowhere.
  const text = await room.failure("phux_move_pane", { source: "attic/@1", target: "@1" });
  expect(JSON.parse(text)).toMatchObject({ error: { code: "selector_miss" }, exit_code: 2 });
  expect(text).toContain("did not answer");
  expect(await room.document("phux_move_pane", { source: "@2", target: "@4" })).toMatchObject({ cross_session: true });
  expect(room.remarks.join()).toContain("attic");
});
