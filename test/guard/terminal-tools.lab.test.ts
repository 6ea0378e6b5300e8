// What guarded terminals show, and what may be typed into them, with real shells.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { terminalTools } from "../../src/guard/tools/terminal-tools.ts";
import { refusalText, sentence } from "../../src/phux/errors.ts";
import { on } from "../tools/lab-room.ts";
import { no, yes } from "./guard-call.ts";
import { TerminalRoom, until } from "./terminal-room.ts";

describe("one server, several shells", () => {
  let room: TerminalRoom;
  let spare: string;
  beforeAll(async () => {
    room = await TerminalRoom.open(terminalTools);
    ({ pane: spare } = await room.session("spare"));
  });
  afterAll(() => room.end());
  beforeEach(() => {
    room.bench.person = yes;
    room.bench.requests.length = 0;
  });

  const row = async (id: string) => {
    const { terminals } = await room.bench.document("list_terminals");
    return (Array.isArray(terminals) ? terminals : []).find((one) => one.id === id);
  };

  test("a shell at its prompt is listed with what is known of it", async () => {
    expect(await row("@1")).toMatchObject({
      ...{ id: "@1", mine: true, directory: room.folder, process: "sh", idle: true, port: null },
      ...{ group: { id: "1", name: "main" }, worktree: null, agent: null, name: null, attention: false },
    });
    expect(room.bench.requests).toEqual([]);
  });

  test("who listens on a port in a terminal, in which checkout, is seen", async () => {
    mkdirSync(join(room.folder, "project", ".git"), { recursive: true });
    mkdirSync(join(room.folder, "project", "deep"));
    const server = 'const s=Bun.listen({hostname:"127.0.0.1",port:0,socket:{data(){}}});console.log("port",s.port)';
    room.type(spare, `cd project/deep && BUN_BE_BUN=1 ${process.execPath} -e '${server}; setTimeout(()=>{},1e6)'\r`);
    await room.shows(spare, /^port [0-9]+$/m);
    const [, port] = /^port ([0-9]+)$/m.exec(await room.screen(spare)) ?? [];
    expect(await row(spare)).toMatchObject({
      ...{ idle: false, port: Number(port), worktree: join(room.folder, "project") },
      ...{ directory: join(room.folder, "project", "deep") },
    });
    room.type(spare, "\u0003");
    await until(async () => (await row(spare))?.idle === true);
  });

  test("a command is typed once the person has seen it, exactly", async () => {
    const command = "echo $((6*7))-done; echo 'a  b'";
    expect(await room.bench.document("run_command", { terminal: spare, command })).toMatchObject({
      typed: true,
      command,
    });
    await room.shows(spare, /^42-done\na {2}b$/m);
    expect(room.bench.requests).toMatchObject([
      { capability: "run", act: command, target: { terminal: spare, group: "2", process: "sh" } },
    ]);
    await room.prompt(spare);
  });

  test("words that name keys elsewhere are typed as they stand", async () => {
    await room.bench.document("run_command", { terminal: spare, command: "echo Enter; echo C-c" });
    await room.shows(spare, /^Enter\nC-c$/m);
    await room.prompt(spare);
  });

  test.each([
    ["two\nlines"],
    ["a return\rhidden"],
    ["escape \u001b[2J"],
    ["tab\there"],
    ["turned \u202e around"],
    ["tag \u{e0041}"],
    ["line separator \u2028"],
    [""],
  ])("%j is refused before anybody is asked", async (command) => {
    expect((await room.bench.refusal("run_command", { terminal: spare, command })).message).toContain('"command" must');
    expect(room.bench.requests).toEqual([]);
  });

  test.each([["main"], ["."], ["#tag"], ["%agent"], ["host/@1"]])("%s is no terminal's id", async (terminal) => {
    for (const name of ["run_command", "read_output"]) {
      const args = name === "run_command" ? { terminal, command: "true" } : { terminal };
      expect((await room.bench.refusal(name, args)).code).toBe("invalid_selector");
    }
    expect(room.bench.requests).toEqual([]);
  });

  test("a terminal that is not there", async () => {
    expect((await room.bench.refusal("read_output", { terminal: "@99" })).code).toBe("no_such_target");
  });

  test("a no types nothing", async () => {
    room.bench.person = no;
    const before = await room.screen(spare);
    expect((await room.bench.refusal("run_command", { terminal: spare, command: "echo NEVER" })).message).toContain(
      "said no",
    );
    expect(await room.screen(spare)).toBe(before);
  });

  test("busy is found after the permit, and names the process", async () => {
    room.type(spare, "sleep 100\r");
    await until(async () => (await row(spare))?.process === "sleep");
    const refusal = await room.bench.refusal("run_command", { terminal: spare, command: "echo NEVER" });
    expect(refusalText(refusal)).toContain("sleep runs in it");
    expect(room.bench.requests).toHaveLength(1);
    room.bench.person = no;
    const asked = await room.bench.refusal("run_command", { terminal: spare, command: "echo NEVER" });
    expect(asked.message).not.toContain("sleep");
    room.type(spare, "\u0003");
    await room.prompt(spare);
    expect(await room.screen(spare)).not.toContain("NEVER");
  });

  test("a script in the shell's own process group is busy, though a shell is in front", async () => {
    room.type(spare, "exec sh -c 'sleep 100; exec sh'\r");
    await until(async () => (await row(spare))?.idle === false);
    const refusal = await room.bench.refusal("run_command", { terminal: spare, command: "echo NEVER" });
    expect(refusal.message).toContain("sleep runs in it");
    expect(await row(spare)).toMatchObject({ process: "sh", idle: false });
  });

  test("what the last lines say, newest last, cleaned and without empty rows", async () => {
    const { pane } = await room.session("words");
    room.type(pane, "printf 'x\\302\\233y\\n\\342\\200\\256end\\n'; seq 1 300\r");
    await room.shows(pane, /^300$/m);
    await room.prompt(pane);
    const all = await room.bench.document("read_output", { terminal: pane });
    const lines = Array.isArray(all["lines"]) ? all["lines"] : [];
    expect(lines).toHaveLength(200);
    expect(lines.slice(-2)).toEqual(["300", "$"]);
    const some = await room.bench.document("read_output", { terminal: pane, lines: 400 });
    expect(JSON.stringify(some)).not.toMatch(/[\u0080-\u009f\u202e]/);
    expect(some["lines"]).toContain("\\u202eend");
    expect(room.bench.requests).toMatchObject([
      { capability: "read", act: "the last 200 lines", target: { terminal: pane } },
      { act: "the last 400 lines" },
    ]);
    for (const lines of [0, 5_001, 1.5]) {
      expect((await room.bench.refusal("read_output", { terminal: pane, lines })).message).toContain("1..5000");
    }
  });

  test("a no shows nothing", async () => {
    room.bench.person = no;
    expect((await room.bench.refusal("read_output", { terminal: "@1" })).message).toContain("said no");
  });

  test("a terminal that became another one while the question was open is left alone", async () => {
    const { pane } = await room.session("changing");
    const before = await room.lab.state();
    room.bench.person = async () => {
      await room.lab.write(on(pane), "phux-mcp.moved-by-agent/v1", "{}");
      return null;
    };
    const refusal = await room.bench.refusal("run_command", { terminal: pane, command: "echo NEVER" });
    expect(refusal.message).toContain("changed its group");
    expect(await room.screen(pane)).not.toContain("NEVER");
    room.bench.person = () => sentence("not now");
    await room.bench.refusal("read_output", { terminal: pane });
    expect(room.bench.requests.at(-1)?.target?.group).toBeNull();
    expect((await room.lab.state()).sessions).toHaveLength(before.sessions.length);
  });
});

describe("a connection that breaks while typing", () => {
  test("the line arrives once when the answer is lost", async () => {
    const room = await TerminalRoom.open(terminalTools, { faults: { dropReplies: { APPLY_INPUT: 1 } } });
    try {
      await room.bench.document("run_command", { terminal: "@1", command: "echo on''ce" });
      await room.shows("@1", /^once$/m);
      expect((await room.screen("@1")).match(/^once$/gm)).toHaveLength(1);
    } finally {
      await room.end();
    }
  });

  test("a server without acknowledged input is not typed into piece by piece", async () => {
    const room = await TerminalRoom.open(terminalTools, { without: ["acknowledged_input"] });
    try {
      expect((await room.bench.refusal("run_command", { terminal: "@1", command: "echo x" })).code).toBe(
        "unsupported_server",
      );
    } finally {
      await room.end();
    }
  });

  test("0.8 says who is in front too", async () => {
    const room = await TerminalRoom.open(terminalTools, { version: "0.8" });
    try {
      await room.bench.document("run_command", { terminal: "@1", command: "echo ei''ght" });
      await room.shows("@1", /^eight$/m);
    } finally {
      await room.end();
    }
  });
});
