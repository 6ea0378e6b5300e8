// Groups of a lab, and terminals that go from one into another, seen by another client.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { groupTools } from "../../src/guard/tools/group-tools.ts";
import { terminalTools } from "../../src/guard/tools/terminal-tools.ts";
import { on } from "../tools/lab-room.ts";
import { TerminalRoom, until } from "./terminal-room.ts";

const tools = [...terminalTools, ...groupTools];
const MOVED = "phux-mcp.moved-by-agent/v1";

describe("groups", () => {
  let room: TerminalRoom;
  beforeAll(async () => {
    room = await TerminalRoom.open(tools);
  });
  afterAll(() => room.end());

  const groups = async () => {
    const { groups } = await room.bench.document("list_groups");
    return Array.isArray(groups) ? groups : [];
  };

  test("one is made with a shell that finds the guard", async () => {
    const made = await room.bench.document("create_group", { name: "tests & co", color: "red", icon: "🧪" });
    expect(made["group"]).toEqual({
      id: "2",
      name: "tests & co",
      icon: "🧪",
      color: "red",
      terminals: ["@2"],
      attached: 0,
    });
    await room.prompt("@2");
    room.type("@2", 'echo "<$PHUX_MCP_SOCKET>"\r');
    await room.shows("@2", /^<\/nowhere\/guard\.sock>$/m);
    expect(await groups()).toHaveLength(2);
  });

  test("looks change and clear, the name is phux's own", async () => {
    const group = { group: "2", name: "checks", icon: "" };
    expect(await room.bench.document("update_group", group)).toMatchObject({
      group: { id: "2", name: "checks", icon: null, color: "red" },
    });
    expect((await room.lab.state()).sessions.map(({ name }) => name)).toEqual(["main", "checks"]);
    await room.bench.document("update_group", { group: "checks", color: "" });
    expect((await groups())[1]).toMatchObject({ color: null, icon: null });
  });

  test("what was kept for another group of the same number is not taken over", async () => {
    await room.lab.write({ tag: "global" }, "phux-mcp.look/v1/2", '{"color":"blue","created":"5"}');
    expect((await groups())[1]).toMatchObject({ color: null });
  });

  const wrong: [tool: string, args: Record<string, unknown>, message: RegExp][] = [
    ["create_group", { name: "main" }, /already/],
    ["create_group", { name: "a:b" }, /colon/],
    ["create_group", { name: "up\u001b[A" }, /must be one line/],
    ["create_group", { name: "x", color: "mauve" }, /must be "" or one of black/],
    ["update_group", { group: "main" }, /give name, color or icon/],
    ["update_group", { group: "nobody", color: "red" }, /no group "nobody"/],
    ["update_group", { group: "main", name: "checks" }, /named "checks"/],
    ["move_to_group", { terminal: "main", group: "2" }, /no terminal's id/],
    ["move_to_group", { terminal: "@1", group: "9" }, /no group "9"/],
    ["update_terminal", { terminal: "@1" }, /give name, icon or color/],
    ["update_terminal", { terminal: "@1", name: "\u202eevil" }, /must be one line/],
    ["create_terminal", { working_directory: "relative" }, /absolute path/],
    ["create_terminal", { working_directory: "/nowhere/at/all" }, /is no folder/],
    ["create_terminal", { working_directory: "/tmp/../etc" }, /must be written without/],
    ["create_terminal", { working_directory: "/tmp", worktree: "/tmp" }, /one of the two/],
    ["create_terminal", { group: "nobody" }, /no group/],
  ];
  test.each(wrong)("%s %j is refused", async (tool, args, message) => {
    const before = (await room.lab.state()).resources.length;
    expect((await room.bench.refusal(tool, args)).message).toMatch(message);
    expect((await room.lab.state()).resources).toHaveLength(before);
  });

  test("a text that is one group's id and another's name names neither", async () => {
    await room.lab.session("1");
    const refusal = await room.bench.refusal("move_to_group", { terminal: "@1", group: "1" });
    expect(refusal).toMatchObject({ code: "selector_not_single" });
    expect(refusal.message).toContain('1 ("main"), 3 ("1")');
  });

  test("the palette has sixteen colours", async () => {
    const { colors } = await room.bench.document("list_theme_colors");
    expect(colors).toHaveLength(16);
  });

  test("a terminal gets a name, an icon and a colour, and loses them", async () => {
    const look = { name: "api server", icon: "🚀", color: "bright-blue" };
    expect(await room.bench.document("update_terminal", { terminal: "@1", ...look })).toMatchObject(look);
    await room.bench.document("update_terminal", { terminal: "@1", name: "", icon: "" });
    const { terminals } = await room.bench.document("list_terminals");
    expect(terminals).toMatchObject([{ id: "@1", name: null, icon: null, color: "bright-blue" }, {}, {}]);
  });

  test("focus is nobody's to move: the terminal is marked", async () => {
    const answer = await room.bench.document("focus_terminal", { terminal: "@2" });
    expect(answer).toMatchObject({ focused: false, tag: "attention" });
    expect(answer["note"]).toContain("each attached person");
    expect(await room.lab.text(on("@2"), "phux.tags/v1")).toBe('["attention"]');
  });
  test("nothing of all this asked the person", () => expect(room.bench.requests).toEqual([]));
});

describe("a new terminal", () => {
  let room: TerminalRoom;
  beforeAll(async () => {
    room = await TerminalRoom.open(tools);
  });
  afterAll(() => room.end());

  test("stands in the caller's group and folder, in a tab of its own, and finds the guard", async () => {
    mkdirSync(join(room.folder, "deep"));
    room.type("@1", "cd deep\r");
    await until(async () => {
      const { terminals } = await room.bench.document("list_terminals");
      return JSON.stringify(terminals).includes("/deep");
    });
    const made = await room.bench.document("create_terminal");
    const directory = join(room.folder, "deep");
    expect(made).toMatchObject({ terminal: "@2", group: { id: "1", name: "main" }, directory, agent: null });
    expect(await room.lab.drawn(1)).toBe("*1: @1 focus @1 | 2: @2 focus @2");
    await room.prompt("@2");
    room.type("@2", 'pwd; echo "<$PHUX_MCP_SOCKET>"\r');
    await room.shows("@2", /\/deep\n<\/nowhere\/guard\.sock>$/m);
  });

  test("stands where it is told", async () => {
    const { id } = await room.session("other");
    room.bench.asker = { ...room.bench.asker, tab: null };
    const made = await room.bench.document("create_terminal", { working_directory: room.folder, group: "other" });
    expect(made).toMatchObject({ terminal: "@4", group: { id: String(id) }, directory: room.folder });
    expect(await room.lab.owners()).toContain("@4 other");
    const third = await room.bench.document("create_terminal", { group: String(id) });
    expect(await room.lab.drawn(id)).toBe("*1: @3 focus @3 | 2: @4 focus @4 | 3: @5 focus @5");
    expect(third["directory"]).toBeNull();
  });
});

describe.each(["0.8", "0.9", "1.0"] as const)("a move into another group, on %s", (version) => {
  let room: TerminalRoom;
  let pane: string;
  let other: { readonly id: number; readonly pane: string };
  beforeAll(async () => {
    room = await TerminalRoom.open(tools, { version });
    pane = await room.lab.pane("@1");
    await room.lab.draw(1, `*1: H(0.5; @1, ${pane}) focus @1`);
    other = await room.session("other");
  });
  afterAll(() => room.end());

  test("it is drawn there and no longer here, and marked", async () => {
    expect(await room.bench.document("move_to_group", { terminal: pane, group: "other" })).toMatchObject({
      ...{ terminal: pane, moved: true, group: { id: String(other.id), name: "other" } },
    });
    expect(await room.lab.owners()).toContain(`${pane} other`);
    expect(await room.lab.drawn(1)).toBe("*1: @1 focus @1");
    expect(await room.lab.drawn(other.id)).toContain(`V(0.5; ${other.pane}, ${pane})`);
    expect(await room.lab.text(on(pane), MOVED)).not.toBeNull();
  });

  test("no grant for a group reaches it any more, also where it came from", async () => {
    await room.bench.document("read_output", { terminal: pane });
    expect(room.bench.requests.at(-1)?.target).toMatchObject({ terminal: pane, group: null });
    await room.bench.document("move_to_group", { terminal: pane, group: "main" });
    await room.bench.document("read_output", { terminal: pane });
    expect(room.bench.requests.at(-1)?.target?.group).toBeNull();
  });

  test("where it is already, nothing happens", async () => {
    expect(await room.bench.document("move_to_group", { terminal: "@1", group: "main" })).toMatchObject({
      moved: false,
    });
    expect(await room.lab.text(on("@1"), MOVED)).toBeNull();
  });

  test("the last terminal takes its group with it", async () => {
    await room.bench.document("move_to_group", { terminal: other.pane, group: "main" });
    await until(async () => (await room.lab.state()).sessions.length === 1);
  });
});

describe("a move that fails", () => {
  test("leaves the terminal unmarked where it stayed", async () => {
    const refuse = { MOVE_RESOURCE: { code: 200, message: "not today" } };
    const room = await TerminalRoom.open(tools, { faults: { refuse } });
    try {
      await room.session("other");
      const refusal = await room.bench.refusal("move_to_group", { terminal: "@1", group: "other" });
      expect(refusal.message).toContain("not today");
      expect(await room.lab.text(on("@1"), MOVED)).toBeNull();
      expect(await room.lab.owners()).toBe("@1 main, @2 other");
    } finally {
      await room.end();
    }
  });

  test("a server that cannot keep the mark moves nothing", async () => {
    const room = await TerminalRoom.open(tools, {});
    try {
      await room.session("other");
      await room.lab.draw(2, "*1: @2 focus @2");
      room.lab.scene.lab.faults.silentSet = true;
      const refusal = await room.bench.refusal("move_to_group", { terminal: "@1", group: "other" });
      expect(refusal.message).toContain("it was not moved");
      expect(await room.lab.owners()).toBe("@1 main, @2 other");
    } finally {
      await room.end();
    }
  });
});
