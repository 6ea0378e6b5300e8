import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { leavesOf } from "../../src/phux/resolve.ts";
import { formatResource } from "../../src/phux/selector.ts";
import { insert, move, swap } from "../../src/tools/layout.ts";
import { layoutOf } from "../phux/layout-text.ts";
import { LabRoom, layoutKey } from "./lab-room.ts";

const tools = [insert, move, swap];
const GROUP = { tag: "group", group: 1 } as const;
const key = layoutKey(1);

let room: LabRoom;

beforeAll(async () => {
  room = await LabRoom.open(tools);
  for (let id = 2; id <= 8; id += 1) expect(await room.pane("@1")).toBe(`@${id}`);
});
beforeEach(() => room.draw(1, "*a: H(0.5; @1, @2) focus @1 | b: V(0.5; @3, @4) focus @3"));
afterAll(() => room.end());

/** The panes that the stored layout draws, in order. */
async function panes(): Promise<string[]> {
  const line = await room.drawn(1);
  const { windows } = layoutOf(line ?? "");
  return windows.flatMap(({ root }) => leavesOf(root).map(formatResource));
}

describe("somebody writes right after us, from what they had read before", () => {
  const edits: [tool: string, args: Record<string, unknown>][] = [
    ["phux_insert_pane", { target: "@1", new_pane: "@5" }],
    ["phux_move_pane", { source: "@3", target: "@2" }],
    ["phux_swap_pane", { first: "@1", second: "@4" }],
  ];
  test.each(edits)("%s is told, and theirs stands", async (tool, args) => {
    const theirs = "*a: H(0.5; @1, V(0.5; @2, @6)) focus @6 | b: V(0.5; @3, @4) focus @3";
    const rival = await room.scene.connect("rival");
    rival.send({ name: "SUBSCRIBE_METADATA", value: { scope: GROUP, key } });
    await rival.command({ tag: "GET_STATE", scope: 0 });
    const call = room.call(tool, args);
    await rival.next("METADATA_CHANGED");
    rival.send({ name: "SET_METADATA", value: { request_id: 1, scope: GROUP, key, value: room.layoutBytes(theirs) } });
    await rival.next("METADATA_CHANGED");
    const { text, isError } = await call;
    expect(isError).toBe(true);
    expect(JSON.parse(text)).toMatchObject({ error: { code: "layout_rejected" }, exit_code: 2 });
    // The rival's layout is untouched, with every pane that was drawn before, and our edit can simply be made again.
    expect(await room.drawn(1)).toBe(theirs);
    expect(await room.document(tool, args)).toMatchObject({ schema_version: 1 });
    expect((await panes()).toSorted()).toEqual(
      ["@1", "@2", "@3", "@4", "@6", ...(tool === "phux_insert_pane" ? ["@5"] : [])].toSorted(),
    );
  });
});

describe("two callers at once", () => {
  test("whoever is told that it worked finds the pane drawn, and no pane is lost", async () => {
    const other = room.beside(tools);
    let told = 0;
    for (let round = 0; round < 12; round += 1) {
      await room.draw(1, "*a: H(0.5; @1, @2) focus @1 | b: V(0.5; @3, @4) focus @3");
      const [ours, theirs] = await Promise.all([
        room.call("phux_insert_pane", { target: "@1", new_pane: "@5" }),
        other.call("phux_insert_pane", { target: "@3", new_pane: "@6" }),
      ]);
      const drawn = await panes();
      expect([drawn.includes("@5"), drawn.includes("@6")]).toEqual([!ours.isError, !theirs.isError]);
      expect(ours.isError && theirs.isError).toBe(false);
      for (const { text } of [ours, theirs].filter(({ isError }) => isError)) {
        told += 1;
        expect(JSON.parse(text)).toMatchObject({ error: { code: "layout_rejected" } });
      }
      expect(drawn.filter((pane) => !["@5", "@6"].includes(pane)).toSorted()).toEqual(["@1", "@2", "@3", "@4"]);
    }
    expect(told).toBeGreaterThan(0);
  });

  test("moves and swaps keep every pane exactly once, whoever wins", async () => {
    const other = room.beside(tools);
    for (let round = 0; round < 8; round += 1) {
      await Promise.all([
        room.call("phux_move_pane", { source: "@1", target: round % 2 === 0 ? "@4" : "@2" }),
        other.call("phux_swap_pane", { first: "@2", second: "@3" }),
        other.call("phux_move_pane", { source: "@4", target: "@3", direction: "vertical" }),
      ]);
      expect((await panes()).toSorted()).toEqual(["@1", "@2", "@3", "@4"]);
    }
  });
});
