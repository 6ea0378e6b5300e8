import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { decodeLayout, type LayoutNode } from "../../../src/wire/layout-document.ts";
import { local } from "../answer.ts";
import { processRow, signalQuietly } from "../process-table.ts";
import { startLab } from "../server.ts";
import { PLUGIN_ROOT, SESSION_ID } from "./integration-template.ts";
import { installPlugin, writeConfig } from "./plugin-folder.ts";
import { errorOf, type Ran, until, Workbench } from "./workbench.ts";

setDefaultTimeout(30_000);

let bench: Workbench;
let root: string;
beforeAll(async () => {
  bench = await Workbench.open();
  root = realpathSync(bench.folder);
  // Says what it was given, and stays.
  const says = 'printf "%s|" "$0" "$@" "$PWD" "$PHUX_ECHO_SESSION_ID"; exec sleep 60';
  const session = [
    "[session_identity]",
    'mode = "native-or-phux"',
    'restore = "external-cli"',
    'native_env = "PHUX_ECHO_SESSION_ID"',
  ];
  const launch = ["[launch]", `command = ["sh", "-c", ${JSON.stringify(says)}, "${PLUGIN_ROOT}/bin"]`];
  installPlugin(join(bench.folder, "tools"), "com.example.tools", {
    plain: ['id = "plain"', 'kind = "terminal-agent"', 'display_name = "Plain"', ...launch],
    rooted: ['id = "rooted"', ...launch, 'working_directory = "plugin-root"'],
    fresh: [
      'id = "fresh"',
      ...launch,
      ...session,
      `resume_args = ["--resume", "${SESSION_ID}"]`,
      `fresh_args = ["--id", "${SESSION_ID}"]`,
      "[agent_identity]",
      'kind = "echo"',
    ],
    resumable: ['id = "resumable"', ...launch, ...session, `resume_args = ["${SESSION_ID}"]`],
    missing: ['id = "missing"', ...launch, 'required_executables = ["no-such-program"]'],
    gone: ['id = "gone"', "[launch]", 'command = ["/no/such/program"]'],
    described: ['id = "described"', 'display_name = "Not launchable"'],
  });
  installPlugin(join(bench.folder, "more"), "com.example.more", { plain: ['id = "plain"', ...launch] });
  installPlugin(join(bench.folder, "off"), "com.example.off", { hidden: ['id = "hidden"', ...launch] });
  configure();
});
afterAll(() => bench.close());
afterEach(() => {
  bench.lab.faults.silentSet = false;
  bench.lab.faults.refuse = {};
});

const configure = (...more: string[]) => writeConfig(bench.folder, ["tools", "more", ...more], ["off"]);
const launch = (...argv: string[]) => bench.phux(["launch", ...argv, "--json"]);
const documentOf = (ran: Ran) => {
  expect(ran).toMatchObject({ exit: 0, stderr: "" });
  return JSON.parse(ran.stdout);
};
const shownIn = async (pane: number, text: string): Promise<string> => {
  const screen = async () => (await bench.phux(["snapshot", "--unwrap", `@${pane}`])).stdout;
  await until(async () => (await screen()).includes(text));
  return (await screen()).trimEnd();
};
const originOf = (pane: number) => {
  const value = bench.lab.server.metadata.get({ tag: "resource", id: local(pane) }, "phux.agent-session/v1");
  return value === undefined ? null : JSON.parse(new TextDecoder().decode(value));
};
const treeOf = (key: string): LayoutNode | null => {
  const stored = bench.lab.server.metadata.get({ tag: "group", group: 1 }, key);
  const layout = stored && decodeLayout(stored, 3);
  return layout?.ok ? (layout.value.windows[0]?.root ?? null) : null;
};
const leaf = (pane: number): LayoutNode => ({ kind: "leaf", pane: local(pane) });
const split = (dir: "horizontal" | "vertical", ratio: number, left: LayoutNode, right: LayoutNode): LayoutNode => ({
  ...{ kind: "split", dir, ratio, left, right },
});

describe("launch --list", () => {
  test("shows what enabled plugins can start, and remarks what is in the way", async () => {
    const ran = await launch("--list");
    expect(JSON.parse(ran.stdout)).toEqual({
      schema_version: 1,
      integrations: [
        ...["fresh", "gone", "plain", "resumable", "rooted"].map((integration) => ({
          ...{ integration, plugin: "com.example.tools" },
          display_name: integration === "plain" ? "Plain" : null,
          kind: integration === "plain" ? "terminal-agent" : null,
          agent_kind: integration === "fresh" ? "echo" : null,
        })),
        { integration: "plain", plugin: "com.example.more", display_name: null, kind: null, agent_kind: null },
      ],
    });
    expect(ran).toMatchObject({ exit: 0, stderr: expect.stringContaining("needs no-such-program") });
  });

  test("needs no server, and no configuration either", async () => {
    const nowhere = { HOME: join(bench.folder, "empty"), PHUX_SOCKET: join(bench.folder, "none.sock") };
    const ran = await bench.phux(["launch", "--list", "--json"], { env: nowhere });
    expect(ran).toEqual({ exit: 0, stdout: '{"schema_version":1,"integrations":[]}\n', stderr: "" });
  });

  test.each([
    [["--socket", "/s"], "--socket"],
    [["--cwd", "/"], "--cwd"],
    [["--target", "@1"], "--target"],
    [["--split", "vertical"], "--split"],
    [["--", "x"], "arguments"],
    [["plain"], "INTEGRATION"],
  ])("goes alone, without %j", async (more, named) => {
    const ran = await bench.phux(["launch", "--list", "--json", ...more]);
    expect(ran).toMatchObject({ exit: 2, stdout: "", stderr: expect.stringContaining(named) });
  });
});

describe("launch", () => {
  test("starts the command line as the template says, the plugin's folder filled in", async () => {
    const cwd = join(root, "work");
    mkdirSync(cwd, { recursive: true });
    const argv = ["launch", "com.example.tools/plain", "--json", "-c", cwd, "--", "a b", "--x", "'\"$(id)"];
    const document = documentOf(await bench.phux(argv));
    expect(document).toEqual({
      ...{ schema_version: 1, terminal_id: expect.any(Number), integration: "plain", plugin: "com.example.tools" },
      argv: ["sh", "-c", expect.any(String), join(root, "tools", "bin"), "a b", "--x", "'\"$(id)"],
    });
    const shown = await shownIn(document.terminal_id, `${cwd}|`);
    expect(shown).toBe(`${join(root, "tools", "bin")}|a b|--x|'"$(id)|${cwd}||`);
    expect(originOf(document.terminal_id)).toBeNull();
  });

  test("runs where it was typed, or in the folder of its plugin", async () => {
    const here = documentOf(await bench.phux(["launch", "com.example.more/plain", "--json"], { cwd: "/usr" }));
    await shownIn(here.terminal_id, "|/usr|");
    const rooted = await bench.phux(["launch", "rooted", "--json", "--cwd", "/usr"]);
    expect(rooted).toMatchObject({ exit: 0, stderr: expect.stringContaining("folder of its plugin") });
    await shownIn(JSON.parse(rooted.stdout).terminal_id, `|${join(root, "tools")}|`);
  });

  test("gives an agent that takes one a session id, and keeps where it comes from with the pane", async () => {
    const { terminal_id, argv } = documentOf(await launch("fresh"));
    const [flag, id] = argv.slice(-2);
    expect([flag, id]).toEqual(["--id", expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    await shownIn(terminal_id, `|--id|${id}|`);
    expect(await shownIn(terminal_id, `|${id}|`)).toEndWith(`|${id}|`);
    expect(originOf(terminal_id)).toEqual({ plugin_id: "com.example.tools", integration_id: "fresh", native_id: id });
  });

  test("resumes the session that the environment names", async () => {
    const env = { PHUX_ECHO_SESSION_ID: "mine" };
    const { terminal_id, argv } = documentOf(await bench.phux(["launch", "fresh", "--json", "--", "x"], { env }));
    expect(argv.slice(-3)).toEqual(["x", "--resume", "mine"]);
    expect(originOf(terminal_id)).toMatchObject({ native_id: "mine" });
    const none = documentOf(await launch("resumable"));
    expect(none.argv).toHaveLength(4);
    expect(originOf(none.terminal_id)).toBeNull();
    const bad = await bench.phux(["launch", "fresh", "--json"], { env: { PHUX_ECHO_SESSION_ID: "-rf" } });
    expect(bad).toMatchObject({ exit: 2, stdout: "", stderr: expect.stringContaining("PHUX_ECHO_SESSION_ID") });
  });

  test.each([
    ["plain", "ambiguous_integration", 2],
    ["nothing", "unknown_integration", 2],
    ["hidden", "unknown_integration", 2],
    ["described", "unknown_integration", 2],
    ["missing", "unknown_integration", 2],
    ["gone", "spawn_failed", 1],
  ])("%s is refused: %s", async (name, code, exit) => {
    const before = bench.lab.server.panes.size;
    const ran = await launch(name);
    expect(ran).toMatchObject({ exit, stdout: "" });
    expect(errorOf(ran)).toEqual({ code, exit });
    expect(bench.lab.server.panes.size).toBe(before);
  });

  test.each([
    [["--json"]],
    [["rooted", "--json", "--split", "vertical"]],
    [["rooted", "--json", "--ratio", "0.5"]],
    [["rooted", "--json", "--projection", "x"]],
    [["rooted", "--json", "--target", "@1", "--ratio", "half"]],
    [["rooted", "--json", "--target", "@1", "--split", "left"]],
  ])("%j is no way to ask", async (argv) => {
    expect(await bench.phux(["launch", ...argv])).toMatchObject({
      exit: 2,
      stdout: "",
      stderr: expect.stringMatching(/^error: /),
    });
  });
});

describe("launch --target", () => {
  test("draws the pane beside its owner, the first time and after", async () => {
    await bench.session("placed", "/bin/sh");
    const { sessions } = bench.lab.server.store;
    const session = sessions.find(({ name }) => name === "placed");
    const owner = session ? (bench.lab.server.store.panesOf(session)[0] ?? 0) : 0;
    const key = `phux.tui.layout/v1/${session?.id}`;
    const below = documentOf(await launch("rooted", "--target", "placed")).terminal_id;
    expect(treeOf(key)).toEqual(split("vertical", 0.5, leaf(owner), leaf(below)));
    const right = documentOf(
      await launch("rooted", "--target", `@${below}`, "--split", "vertical", "--ratio", "0.25"),
    ).terminal_id;
    const pair = split("horizontal", 0.25, leaf(below), leaf(right));
    expect(treeOf(key)).toEqual(split("vertical", 0.5, leaf(owner), pair));
    const aside = documentOf(
      await launch("rooted", "--target", `@${owner}`, "--projection", `mine.layout/v1/${session?.id}`),
    ).terminal_id;
    expect(treeOf(`mine.layout/v1/${session?.id}`)).toMatchObject({ left: leaf(owner), right: leaf(aside) });
    expect(errorOf(await launch("rooted", "--target", `@${aside}`))).toEqual({ code: "pane_not_in_layout", exit: 2 });
    expect(errorOf(await launch("rooted", "--target", "placed"))).toEqual({ code: "selector_not_single", exit: 2 });
  });

  test.each([
    [["--target", "nowhere"], "selector_miss", 2],
    [["--target", "@999"], "selector_miss", 2],
    [["--target", "="], "invalid_selector", 2],
    [["--target", "@1", "--ratio", "0"], "invalid_ratio", 2],
    [["--target", "@1", "--ratio", "1"], "invalid_ratio", 2],
    [["--target", "@1", "--projection", "mine.layout/v1/77"], "projection_invalid", 2],
  ])("%j is refused, and nothing is started: %s", async (where, code, exit) => {
    const before = bench.lab.server.panes.size;
    expect(errorOf(await launch("rooted", ...where))).toEqual({ code, exit });
    expect(bench.lab.server.panes.size).toBe(before);
  });

  test("a stored layout that nobody can read is left alone", async () => {
    const scope = { tag: "group", group: 1 } as const;
    bench.lab.server.writeMetadata(scope, "odd.layout/v1/1", Uint8Array.of(1, 2, 3));
    const ran = await launch("rooted", "--target", "@1", "--projection", "odd.layout/v1/1");
    expect(errorOf(ran)).toEqual({ code: "layout_rejected", exit: 2 });
  });

  test("a pane that cannot be drawn is removed again", async () => {
    const before = [...bench.lab.server.panes.keys()];
    bench.lab.faults.silentSet = true;
    const ran = await launch("rooted", "--target", "@1", "--projection", "new.layout/v1/1");
    expect(errorOf(ran)).toEqual({ code: "spawn_failed", exit: 1 });
    expect(ran.stderr).toContain("removed again");
    expect([...bench.lab.server.panes.keys()]).toEqual(before);
  });

  test("is for this host", async () => {
    const far = await startLab({ socket: join(bench.folder, "far.sock"), session: "far", shell: "/bin/sh" });
    const hub = await Workbench.open({ satellites: { box: { socket: far.socket } } });
    const env = { HOME: bench.folder };
    const ran = await hub.phux(["launch", "rooted", "--json", "--target", "box/@1"], { env });
    await hub.close();
    await far.stop();
    expect(errorOf(ran)).toEqual({ code: "satellite_target", exit: 2 });
  });
});

describe("plugins that cannot be read", () => {
  afterEach(() => configure());

  test("are remarked, and the others launched all the same", async () => {
    mkdirSync(join(bench.folder, "broken"), { recursive: true });
    writeFileSync(join(bench.folder, "broken", "phux-plugin.toml"), "id = ");
    configure("broken");
    const listed = await launch("--list");
    expect(JSON.parse(listed.stdout).integrations).toHaveLength(6);
    expect(listed.stderr).toContain(join("broken", "phux-plugin.toml"));
    expect(await launch("rooted")).toMatchObject({ exit: 0 });
    // It may be what was meant.
    const ran = await launch("nothing");
    expect(errorOf(ran)).toEqual({ code: "unknown_integration", exit: 1 });
    expect(ran.stderr).toContain(join("broken", "phux-plugin.toml"));
  });

  test("are no excuse for a configuration that cannot be", async () => {
    writeFileSync(join(bench.folder, ".config", "phux", "config.toml"), "[[plugins]]\nmanifest = 7\n");
    expect(errorOf(await launch("--list"))).toEqual({ code: "invalid_config", exit: 2 });
    expect(errorOf(await launch("rooted"))).toEqual({ code: "invalid_config", exit: 2 });
  });
});

describe("without a server", () => {
  test("one is started, unless the pane is to stand beside another", async () => {
    const socket = join(bench.folder, "own", "phux.sock");
    const here = (...argv: string[]) => bench.phux(argv, { env: { PHUX_SOCKET: socket } });
    const beside = await here("launch", "rooted", "--json", "--target", "@1");
    expect(errorOf(beside)).toEqual({ code: "no_server", exit: 1 });
    const { terminal_id } = documentOf(await here("launch", "rooted", "--json"));
    const { pid } = JSON.parse((await here("status", "--json")).stdout);
    expect((await here("snapshot", `@${terminal_id}`)).exit).toBe(0);
    signalQuietly(pid, "SIGTERM");
    await until(() => processRow(pid) === null);
  });

  test("it says when none can be started", async () => {
    const ran = await bench.phux(["launch", "rooted", "--json"], { env: { PHUX_SOCKET: "/proc/phux.sock" } });
    expect(errorOf(ran)).toEqual({ code: "server_start_failed", exit: 1 });
  });
});
