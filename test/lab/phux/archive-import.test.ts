import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ReleaseName } from "../release.ts";
import { ArchiveRoom } from "./archive-room.ts";
import { SESSION_ID } from "./integration-template.ts";
import { installPlugin, writeConfig } from "./plugin-folder.ts";
import { type Ran, until, Workbench } from "./workbench.ts";

setDefaultTimeout(30_000);

let bench: Workbench;
let room: ArchiveRoom;
let root: string;
let file: string;
beforeAll(async () => {
  bench = await Workbench.open();
  room = new ArchiveRoom(bench);
  root = realpathSync(bench.folder);
  file = join(bench.folder, "archive.json");
  installPlugin(join(bench.folder, "tools"), "com.example.tools", {
    echo: [
      'id = "echo"',
      "[launch]",
      'command = ["sh", "-c", "printf \\"%s|\\" \\"$@\\" \\"$PHUX_ECHO_SESSION_ID\\"; exec sleep 60", "echo"]',
      "[session_identity]",
      'mode = "native-or-phux"',
      'restore = "external-cli"',
      'native_env = "PHUX_ECHO_SESSION_ID"',
      `resume_args = ["--resume", "${SESSION_ID}"]`,
      `fresh_args = ["--id", "${SESSION_ID}"]`,
    ],
    once: ['id = "once"', "[launch]", 'command = ["sleep", "60"]'],
  });
  writeConfig(bench.folder, ["tools"]);
});
afterAll(() => bench.close());
afterEach(() => room.clear());

const imported = async (archive: object): Promise<Ran & { readonly summary: Record<string, unknown> }> => {
  writeFileSync(file, JSON.stringify({ schema_version: 2, ...archive }));
  const ran = await bench.phux(["archive", "import", file]);
  return { ...ran, summary: ran.stdout === "" ? {} : JSON.parse(ran.stdout) };
};
const shown = async (pane: number | undefined, text: string) => {
  const screen = async () => (await bench.phux(["snapshot", "--unwrap", `@${pane}`])).stdout;
  await until(async () => (await screen()).includes(text));
};

describe("archive import", () => {
  test("makes again what was saved, and nothing that is there", async () => {
    await room.twoTabs("again");
    const [, before] = (await room.savedTo(file)).sessions;
    await room.end("again");
    const ran = await bench.phux(["archive", "import", file]);
    expect(ran).toMatchObject({ exit: 0, stderr: "" });
    expect(JSON.parse(ran.stdout)).toEqual({ schema_version: 2, restored: ["again"], skipped_existing: ["main"] });
    expect((await room.saved()).sessions[1]).toEqual(before);
    const panes = room.panesOf("again");
    expect(panes).toHaveLength(4);
    const second = await bench.phux(["archive", "import", file]);
    expect(JSON.parse(second.stdout)).toEqual({
      schema_version: 2,
      restored: [],
      skipped_existing: ["main", "again"],
    });
    expect(room.panesOf("again")).toEqual(panes);
    expect((await bench.document(["ls", "--json"]))["sessions"]).toMatchObject([
      { name: "again", windows: 2 },
      { name: "main", windows: 1 },
    ]);
  });

  test("starts programs where they ran, and at their size", async () => {
    const cwd = join(root, "work");
    mkdirSync(cwd, { recursive: true });
    const command = ["sh", "-c", 'printf "%s|" "$PWD" "$0"; exec sleep 60', "a b"];
    const panes = [{ cwd, command, cols: 132, rows: 40 }, { command: ["sh", "-c", "pwd; exec sleep 60"] }];
    const ran = await imported({ sessions: [{ name: "where", cwd: "/usr", windows: [{ name: "w", panes }] }] });
    expect(ran).toMatchObject({ exit: 0, stderr: "", summary: { restored: ["where"] } });
    const [first, second] = room.panesOf("where");
    await shown(first, `${cwd}|a b|`);
    await shown(second, "/usr");
    expect(await bench.document(["snapshot", "--json", `@${first}`])).toMatchObject({ cols: 132, rows: 40 });
  });

  test("a session without panes is a shell, or its own command", async () => {
    const ran = await imported({
      sessions: [{ name: "bare" }, { name: "own", command: ["sleep", "60"], windows: [] }],
    });
    expect(ran.summary["restored"]).toEqual(["bare", "own"]);
    const commands = ["bare", "own"].map(
      (name) => bench.lab.server.launches.get(room.panesOf(name)[0] ?? 0)?.spec.command,
    );
    expect(commands).toEqual([undefined, ["sleep", "60"]]);
  });

  test("resumes an agent by what its integration says today", async () => {
    const origin = { plugin_id: "com.example.tools", integration_id: "echo", native_id: "s 1" };
    const agent = { command: ["sh", "-c", "echo archived; exec sleep 60"], agent_session: origin };
    const archive = { sessions: [{ name: "agents", windows: [{ name: "w", panes: [agent, agent] }] }] };
    const ran = await imported(archive);
    expect(ran).toMatchObject({ exit: 0, stderr: "" });
    expect(ran.summary).toEqual({ schema_version: 2, restored: ["agents"], skipped_existing: [] });
    for (const pane of room.panesOf("agents")) await shown(pane, "--resume|s 1|s 1|");
    const [, session] = (await room.saved()).sessions;
    expect(session.windows[0].panes).toMatchObject([{ agent_session: origin }, { agent_session: origin }]);
  });

  test.each([
    ["that nobody has", { integration_id: "nothing" }],
    ["of another plugin", { plugin_id: "com.example.more" }],
    ["that resumes nothing", { integration_id: "once" }],
  ])("gives a shell in place of an integration %s", async (_, changed) => {
    const origin = { plugin_id: "com.example.tools", integration_id: "echo", native_id: "s", ...changed };
    const panes = [{ command: ["sleep", "60"] }, { command: ["sh", "-c", "exit 1"], agent_session: origin }];
    const ran = await imported({ sessions: [{ name: "shells", windows: [{ name: "w", panes }] }] });
    expect(ran).toMatchObject({ exit: 0, stderr: "" });
    expect(ran.summary).toEqual({
      ...{ schema_version: 2, restored: ["shells"], skipped_existing: [] },
      warnings: [{ session: "shells", message: expect.stringMatching(/^pane 1 of window 0 got a shell/) }],
    });
    const [, pane = 0] = room.panesOf("shells");
    expect(bench.lab.server.launches.get(pane)?.spec.command).toBeUndefined();
  });

  test("goes on behind a session that cannot be made, and its exit says so", async () => {
    const sessions = [
      { name: "gone", command: ["/no/such/program"] },
      { name: "a:b" },
      { name: "short", command: ["true"] },
      {
        name: "fine",
        windows: [{ name: "w", panes: [{ command: ["sleep", "60"] }, { command: ["/no/such/program"] }] }],
      },
    ];
    const ran = await imported({ sessions });
    expect(ran).toMatchObject({ exit: 1, stderr: "" });
    expect(ran.summary).toMatchObject({
      skipped_existing: [],
      warnings: [{ session: "fine", message: expect.stringContaining("pane 1 of window 0 could not be started") }],
    });
    const { failed, restored } = ran.summary;
    // A program that ends at once may do so before we look, or after.
    expect(failed).toEqual(
      expect.arrayContaining(["gone", "a:b"].map((name) => ({ name, reason: expect.stringMatching(/./) }))),
    );
    expect(restored).toContain("fine");
  });

  test("tells of a folder that is not there any more, and of tabs that were not drawn", async () => {
    const window = { name: "w", panes: [{ cwd: "/no/such/folder", command: ["sleep", "60"] }] };
    const { summary } = await imported({ sessions: [{ name: "lost", windows: [window, { ...window, name: "x" }] }] });
    const warnings = [
      expect.stringContaining("/no/such/folder"),
      expect.stringContaining("/no/such/folder"),
      expect.stringContaining("in no tab"),
    ];
    expect(summary["warnings"]).toEqual(warnings.map((message) => ({ session: "lost", message })));
    expect(room.panesOf("lost")).toHaveLength(2);
  });

  test.each([
    ["that is not there", "none.json", null, 1],
    ["that is a folder", ".", null, 1],
    ["that is no archive", "bad.json", "{", 1],
    ["of a later version", "later.json", '{"schema_version":3,"sessions":[]}', 1],
    ["with a nameless session", "nameless.json", '{"schema_version":2,"sessions":[{"name":" "}]}', 1],
    ["from standard input", "-", null, 2],
  ])("reads nothing from a file %s", async (_, name, text, exit) => {
    if (text !== null) writeFileSync(join(bench.folder, name), text);
    const ran = await bench.phux(["archive", "import", name]);
    expect(ran).toMatchObject({ exit, stdout: "", stderr: expect.stringMatching(/^(phux|error): /) });
  });

  test("starts no server", async () => {
    writeFileSync(file, '{"schema_version":2,"sessions":[]}');
    const socket = join(bench.folder, "none.sock");
    const ran = await bench.phux(["archive", "import", file, "--socket", socket]);
    expect(ran).toMatchObject({ exit: 1, stdout: "", stderr: expect.stringContaining("no phux server") });
    expect(existsSync(socket)).toBe(false);
  });
});

test.each<ReleaseName>(["0.8", "0.9"])("what was saved comes back on a server of %s", async (version) => {
  const other = await Workbench.open({ version });
  try {
    await room.twoTabs("carried");
    const carried = await room.savedTo(file);
    const ran = await other.phux(["archive", "import", file]);
    expect(JSON.parse(ran.stdout)).toEqual({ schema_version: 2, restored: ["carried"], skipped_existing: ["main"] });
    const there = await other.document(["archive", "save"]);
    expect(there["sessions"]).toMatchObject([{ name: "main" }, carried.sessions[1]]);
  } finally {
    await other.close();
  }
});
