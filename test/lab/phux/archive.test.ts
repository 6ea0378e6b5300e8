import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeLayout, type LayoutDocument } from "../../../src/wire/layout-document.ts";
import { local } from "../answer.ts";
import { LabClient } from "../client.ts";
import type { ReleaseName } from "../release.ts";
import { installPlugin, writeConfig } from "./plugin-folder.ts";
import { type Ran, until, Workbench } from "./workbench.ts";

setDefaultTimeout(30_000);

const GROUP = { tag: "group", group: 1 } as const;
const leaf = (pane: number) => ({ kind: "leaf", pane: local(pane) }) as const;
const SESSION_ID = "$" + "{PHUX_AGENT_SESSION_ID}";

let bench: Workbench;
let root: string;
let file: string;
beforeAll(async () => {
  bench = await Workbench.open();
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
afterEach(async () => {
  for (const { name } of [...bench.lab.server.store.sessions]) if (name !== "main") await bench.phux(["kill", name]);
  await until(() => bench.lab.server.store.sessions.length === 1);
});

const saved = async (...argv: string[]) => {
  const ran = await bench.phux(["archive", "save", ...argv]);
  expect(ran).toMatchObject({ exit: 0, stderr: "" });
  return JSON.parse(ran.stdout);
};
const savedTo = async (path: string) => {
  expect(await bench.phux(["archive", "save", "-o", path])).toEqual({ exit: 0, stdout: "", stderr: "" });
  return JSON.parse(readFileSync(path, "utf8"));
};
const imported = async (archive: object): Promise<Ran & { readonly summary: Record<string, unknown> }> => {
  writeFileSync(file, JSON.stringify({ schema_version: 2, ...archive }));
  const ran = await bench.phux(["archive", "import", file]);
  return { ...ran, summary: ran.stdout === "" ? {} : JSON.parse(ran.stdout) };
};
const panesOf = (name: string): readonly number[] => {
  const session = bench.lab.server.store.sessionNamed(name);
  return session ? bench.lab.server.store.panesOf(session) : [];
};
const shown = async (pane: number | undefined, text: string) => {
  const screen = async () => (await bench.phux(["snapshot", "--unwrap", `@${pane}`])).stdout;
  await until(async () => (await screen()).includes(text));
};
const spawnIn = async (owner: number, ...command: string[]): Promise<number> => {
  const client = await LabClient.open(bench.lab.socket, bench.lab.server.release.version);
  const request = { request_id: 1, group: 1, command, owner_terminal: local(owner) };
  client.send({ name: "SPAWN_RESOURCE", value: request });
  const { result } = await client.next("RESOURCE_SPAWNED");
  client.close();
  return result.tag === "ok" ? result.id.id : 0;
};

/** A session with two tabs, of which the second is the active one and draws three panes. */
async function twoTabs(name: string, prefix = "phux.tui"): Promise<readonly number[]> {
  await bench.session(name, "/bin/sh");
  const [first = 0] = panesOf(name);
  const more = [
    await spawnIn(first, "sleep", "60"),
    await spawnIn(first, "sleep", "61"),
    await spawnIn(first, "sleep", "62"),
  ];
  const [a = 0, b = 0, c = 0] = more;
  const layout: LayoutDocument = {
    version: 3,
    focused_window_index: 1,
    windows: [
      { id: "1".repeat(32), name: "code", root: leaf(first), focused_terminal: local(first) },
      {
        id: "2".repeat(32),
        name: "run",
        focused_terminal: local(c),
        root: {
          ...{ kind: "split", dir: "horizontal", ratio: 0.25, left: leaf(a) },
          right: { kind: "split", dir: "vertical", ratio: 0.5, left: leaf(b), right: leaf(c) },
        },
      },
    ],
  };
  const id = bench.lab.server.store.sessionNamed(name)?.id;
  bench.lab.server.writeMetadata(GROUP, `${prefix}.layout/v1/${id}`, encodeLayout(layout, 3));
  return [first, ...more];
}

const drawing = {
  ...{ kind: "split", dir: "horizontal", ratio: 0.25, left: { kind: "pane", pane: 0 } },
  right: {
    kind: "split",
    dir: "vertical",
    ratio: 0.5,
    left: { kind: "pane", pane: 1 },
    right: { kind: "pane", pane: 2 },
  },
};

describe("archive save", () => {
  test("captures what the server counts where no layout is stored", async () => {
    expect(await saved()).toEqual({
      schema_version: 2,
      sessions: [
        {
          ...{ name: "main", active: true },
          windows: [
            { name: "window-0", active: true, panes: [{ active: true, cwd: bench.folder, cols: 80, rows: 24 }] },
          ],
        },
      ],
    });
  });

  test("captures the tabs of a layout, their trees, and the panes that none draws", async () => {
    const [first = 0] = await twoTabs("tabs");
    await spawnIn(first, "sleep", "63");
    const [, session] = (await saved()).sessions;
    expect(session).toMatchObject({ name: "tabs", active: false });
    const pane = (active: boolean) => ({ active, cwd: expect.any(String), cols: 80, rows: 24 });
    expect(session.windows).toEqual([
      { name: "code", active: false, layout: { kind: "pane", pane: 0 }, panes: [pane(true), pane(false)] },
      { name: "run", active: true, layout: drawing, panes: [pane(false), pane(false), pane(true)] },
    ]);
  });

  test("leaves out what has gone, and the splits that held it", async () => {
    const [, a, b] = await twoTabs("less");
    await bench.phux(["kill", `@${a}`]);
    await bench.phux(["kill", `@${b}`]);
    await until(() => panesOf("less").length === 2);
    const [, session] = (await saved()).sessions;
    expect(session.windows[1]).toMatchObject({
      name: "run",
      layout: { kind: "pane", pane: 0 },
      panes: [{ active: true }],
    });
  });

  test("reads the layouts of another prefix", async () => {
    await twoTabs("mine", "own.view");
    expect((await saved()).sessions[1].windows).toHaveLength(1);
    for (const prefix of ["own.view", "own.view.layout/v1"]) {
      expect((await saved("--projection", prefix)).sessions[1].windows).toHaveLength(2);
    }
    const wrong = await bench.phux(["archive", "save", "--projection", "own.view.layout/v1/3"]);
    expect(wrong).toMatchObject({ exit: 2, stdout: "", stderr: expect.stringContaining("prefix") });
  });

  test("writes a file for its owner alone, in place of the one that was there", async () => {
    const path = join(bench.folder, "saved.json");
    writeFileSync(path, "old", { mode: 0o644 });
    expect(await bench.phux(["archive", "save", "-o", "saved.json"])).toEqual({ exit: 0, stdout: "", stderr: "" });
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(await saved());
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const files = readdirSync(bench.folder).filter((name) => name.startsWith("saved.json"));
    expect(files).toEqual(["saved.json"]);
  });

  test.each([
    [["-o", "/no/such/folder/x.json"], 1],
    [["-o", "-"], 2],
    [["--json"], 2],
    [["--socket", "/no/such.sock"], 1],
  ])("%j fails in prose", async (argv, exit) => {
    const ran = await bench.phux(["archive", "save", ...argv]);
    expect(ran).toMatchObject({ exit, stdout: "", stderr: expect.stringMatching(/^(phux|error): /) });
  });
});

describe("archive import", () => {
  test("makes again what was saved, and nothing that is there", async () => {
    await twoTabs("again");
    const [, before] = (await savedTo(file)).sessions;
    await bench.phux(["kill", "again"]);
    await until(() => panesOf("again").length === 0);
    const ran = await bench.phux(["archive", "import", file]);
    expect(ran).toMatchObject({ exit: 0, stderr: "" });
    expect(JSON.parse(ran.stdout)).toEqual({ schema_version: 2, restored: ["again"], skipped_existing: ["main"] });
    expect((await saved()).sessions[1]).toEqual(before);
    const panes = panesOf("again");
    expect(panes).toHaveLength(4);
    const second = await bench.phux(["archive", "import", file]);
    expect(JSON.parse(second.stdout)).toEqual({
      schema_version: 2,
      restored: [],
      skipped_existing: ["main", "again"],
    });
    expect(panesOf("again")).toEqual(panes);
    expect((await bench.document(["ls", "--json"]))["sessions"]).toMatchObject([{ windows: 1 }, { windows: 2 }]);
  });

  test("starts programs where they ran, and at their size", async () => {
    const cwd = join(root, "work");
    mkdirSync(cwd, { recursive: true });
    const command = ["sh", "-c", 'printf "%s|" "$PWD" "$0"; exec sleep 60', "a b"];
    const panes = [{ cwd, command, cols: 132, rows: 40 }, { command: ["sh", "-c", "pwd; exec sleep 60"] }];
    const ran = await imported({ sessions: [{ name: "where", cwd: "/usr", windows: [{ name: "w", panes }] }] });
    expect(ran).toMatchObject({ exit: 0, stderr: "", summary: { restored: ["where"] } });
    const [first, second] = panesOf("where");
    await shown(first, `${cwd}|a b|`);
    await shown(second, "/usr");
    expect(await bench.document(["snapshot", "--json", `@${first}`])).toMatchObject({ cols: 132, rows: 40 });
  });

  test("a session without panes is a shell, or its own command", async () => {
    const ran = await imported({
      sessions: [{ name: "bare" }, { name: "own", command: ["sleep", "60"], windows: [] }],
    });
    expect(ran.summary["restored"]).toEqual(["bare", "own"]);
    const commands = ["bare", "own"].map((name) => bench.lab.server.launches.get(panesOf(name)[0] ?? 0)?.spec.command);
    expect(commands).toEqual([undefined, ["sleep", "60"]]);
  });

  test("resumes an agent by what its integration says today", async () => {
    const origin = { plugin_id: "com.example.tools", integration_id: "echo", native_id: "s 1" };
    const agent = { command: ["sh", "-c", "echo archived; exec sleep 60"], agent_session: origin };
    const archive = { sessions: [{ name: "agents", windows: [{ name: "w", panes: [agent, agent] }] }] };
    const ran = await imported(archive);
    expect(ran).toMatchObject({ exit: 0, stderr: "" });
    expect(ran.summary).toEqual({ schema_version: 2, restored: ["agents"], skipped_existing: [] });
    for (const pane of panesOf("agents")) await shown(pane, "--resume|s 1|s 1|");
    const [, session] = (await saved()).sessions;
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
    const [, pane = 0] = panesOf("shells");
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
    expect(panesOf("lost")).toHaveLength(2);
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
    await twoTabs("carried");
    const carried = await savedTo(file);
    const ran = await other.phux(["archive", "import", file]);
    expect(JSON.parse(ran.stdout)).toEqual({ schema_version: 2, restored: ["carried"], skipped_existing: ["main"] });
    const there = await other.document(["archive", "save"]);
    expect(there["sessions"]).toMatchObject([{ name: "main" }, carried.sessions[1]]);
  } finally {
    await other.close();
  }
});
