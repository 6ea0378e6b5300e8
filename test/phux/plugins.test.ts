import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { configPath, readPluginEntries } from "../../src/phux/config-file.ts";
import { logRun, type PluginRun, stateFolder } from "../../src/phux/plugin-log.ts";
import { parseManifest } from "../../src/phux/plugin-manifest.ts";
import { findAction, loadPlugins, selectProfiles } from "../../src/phux/plugins.ts";
import { MAX_TOML_BYTES, readToml } from "../../src/phux/toml-file.ts";
import { errorIn, valueIn } from "./dialled.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "plugins-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a file under the test's folder and gives its path. */
function write(name: string, text: string | Uint8Array): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

describe("where things are", () => {
  const configs: [environment: Record<string, string>, path: string | null][] = [
    [{ XDG_CONFIG_HOME: "/c", HOME: "/h" }, "/c/phux/config.toml"],
    [{ XDG_CONFIG_HOME: "", HOME: "/h" }, "/h/.config/phux/config.toml"],
    [{ HOME: "/h", PHUX_PROFILE: "dev" }, "/h/.config/phux/config.toml"],
    [{}, null],
  ];
  test.each(configs)("the configuration in %j is %p", (environment, path) => {
    expect(configPath(environment)).toBe(path);
  });

  const states: [environment: Record<string, string>, path: string | null][] = [
    [{ XDG_STATE_HOME: "/s", HOME: "/h" }, "/s/phux"],
    [{ HOME: "/h" }, "/h/.local/state/phux"],
    [{ HOME: "/h", PHUX_PROFILE: "a/b" }, "/h/.local/state/phux-a-b"],
    [{ XDG_STATE_HOME: "" }, null],
  ];
  test.each(states)("the state in %j is %p", (environment, path) => {
    expect(stateFolder(environment)).toBe(path);
  });
});

describe("a TOML file", () => {
  const faults: [what: string, path: () => string, reason: string, absent: boolean][] = [
    ["absent", () => join(folder, "no.toml"), "does not exist (ENOENT)", true],
    ["under a file", () => join(write("file", ""), "x.toml"), "does not exist (ENOTDIR)", true],
    ["a folder", () => folder, "is no regular file", false],
    ["broken", () => write("broken.toml", "a = "), "is no TOML: Missing value", false],
    ["a key twice", () => write("twice.toml", "a = 1\na = 2"), "is no TOML: Cannot redefine", false],
    ["not UTF-8", () => write("latin.toml", Uint8Array.of(0x61, 0xff)), "is no TOML", false],
    ["too large", () => write("large.toml", "#".repeat(MAX_TOML_BYTES + 1)), "bytes, and more than", false],
    ["nested beyond measure", () => write("deep.toml", `a=${"[".repeat(100_000)}`), "is no TOML", false],
    ["with a NUL in its name", () => "a\0b", "cannot be read", false],
  ];
  test.each(faults)("%s", async (_, path, reason, absent) => {
    expect(errorIn(await readToml(path()))).toEqual({ reason: expect.stringContaining(reason), absent });
  });

  test("a named pipe, which nobody will ever write to", async () => {
    const path = join(folder, "pipe");
    expect(Bun.spawnSync(["mkfifo", path]).exitCode).toBe(0);
    expect(errorIn(await readToml(path))).toMatchObject({ reason: "is no regular file" });
  });

  test("exactly 1 MiB", async () => {
    expect(valueIn(await readToml(write("whole.toml", `a=1\n${"#".repeat(MAX_TOML_BYTES - 4)}`)))).toEqual({ a: 1 });
  });
});

describe("plugin entries", () => {
  const entriesOf = async (path: string, mayBeAbsent = false) => valueIn(await readPluginEntries(path, mayBeAbsent));
  const refusalOf = async (path: string) => errorIn(await readPluginEntries(path, false));

  test("relative to their file, enabled unless said otherwise, in order", async () => {
    const path = write(
      "one/config.toml",
      '[keybindings]\nprefix = "C-a"\n[[plugins]]\nmanifest = "p/phux-plugin.toml"\n[[plugins]]\nmanifest = "/abs/x"\nenabled = false\n',
    );
    expect(await entriesOf(path)).toEqual([
      { manifest: join(folder, "one/p/phux-plugin.toml"), enabled: true },
      { manifest: "/abs/x", enabled: false },
    ]);
  });

  test("none at all", async () => {
    expect(await entriesOf(write("empty.toml", ""))).toEqual([]);
    expect(await entriesOf(join(folder, "absent.toml"), true)).toEqual([]);
    expect(await refusalOf(join(folder, "absent.toml"))).toMatchObject({ code: "invalid_config", exitCode: 2 });
  });

  test("layers come first, a list takes their place, -append adds to it", async () => {
    write("layered/layers/base.toml", '[[plugins]]\nmanifest = "base"\n');
    write("layered/team/t.toml", 'extends = ["../layers/base.toml"]\n[[plugins-append]]\nmanifest = "team"\n');
    const added = write(
      "layered/added.toml",
      'extends = ["base", "team/t.toml", "./layers/base.toml"]\n[[plugins-append]]\nmanifest = "own"\n',
    );
    const places = (await entriesOf(added)).map(({ manifest }) => manifest.slice(folder.length));
    expect(places).toEqual(["/layered/layers/base", "/layered/team/team", "/layered/own"]);
    const replaced = write("layered/replaced.toml", 'extends = ["base"]\n[[plugins]]\nmanifest = "own"\n');
    expect((await entriesOf(replaced)).map(({ manifest }) => manifest)).toEqual([join(folder, "layered/own")]);
  });

  const wrong: [text: string, says: string][] = [
    ["plugins = 3", "plugins must be a list of tables"],
    ['plugins = ["a"]', "plugins.0 must be a table with a manifest"],
    ["[[plugins]]\nenabled = true", "plugins.0.manifest is missing"],
    ['[[plugins]]\nmanifest = ""', "plugins.0.manifest must be a path"],
    ['[[plugins]]\nmanifest = "a"\nenabled = 1', "plugins.0.enabled must be true or false"],
    ['extends = "base"', "extends must be a list"],
    ['extends = ["nowhere"]', "layers/nowhere.toml does not exist"],
    ['extends = ["wrong.toml"]', "extends itself"],
    ["a = ", "is no TOML"],
  ];
  test.each(wrong)("%j is refused, the file named", async (text, says) => {
    const path = write("wrong/wrong.toml", text);
    const { code, exitCode, message } = await refusalOf(path);
    expect([code, exitCode]).toEqual(["invalid_config", 2]);
    expect(message).toContain(says);
    expect(message).toContain(join(folder, "wrong"));
  });

  test("four layers are the most", async () => {
    for (let at = 1; at <= 5; at += 1) write(`deep/${at}.toml`, at === 5 ? "" : `extends = ["${at + 1}.toml"]`);
    expect(await entriesOf(write("deep/four.toml", 'extends = ["2.toml"]'))).toEqual([]);
    expect(await refusalOf(write("deep/five.toml", 'extends = ["1.toml"]'))).toMatchObject({
      message: expect.stringContaining("4 are the most"),
    });
  });
});

const bench = {
  id: "example.bench",
  name: "Agent Bench",
  actions: [{ id: "drive", command: ["sh", "-c", "exit 0"] }],
  profiles: [
    {
      ...{ id: "agent-bench", title: "Agent Bench", agents: ["codex"], actions: ["drive"], events: ["idle"] },
      panes: [{ role: "driver", pane: "bench", id: "bench-role" }],
    },
  ],
};

describe("a manifest", () => {
  test("what is not declared is there all the same, in the order of the document", () => {
    const { profiles } = valueIn(parseManifest(bench));
    expect(JSON.stringify(profiles)).toBe(
      '[{"id":"agent-bench","title":"Agent Bench","description":null,"contexts":[],"agents":["codex"],"actions":["drive"],"events":["idle"],"panes":[{"id":"bench-role","pane":"bench","role":"driver","description":null}]}]',
    );
  });

  test("texts are trimmed, and what others read is passed over", () => {
    const parsed = parseManifest({
      ...bench,
      ...{ id: " example.bench\n", version: "1", min_phux_version: "99", sidebar: [{}], panes: "odd" },
      profiles: [{ id: "a", title: " A ", description: "  ", platforms: ["linux"] }],
    });
    expect(valueIn(parsed)).toMatchObject({
      id: "example.bench",
      profiles: [{ id: "a", title: "A", description: null }],
    });
  });

  test("workspaces is the older name of profiles", () => {
    const { profiles, ...older } = bench;
    expect(valueIn(parseManifest({ ...older, workspaces: profiles })).profiles).toHaveLength(1);
  });

  const wrong: [change: object, says: string][] = [
    [{ id: undefined }, "id is missing"],
    [{ id: " " }, "id must be a text"],
    [{ name: 3 }, "name must be a text"],
    [{ actions: {} }, "actions must be a list of tables"],
    [{ actions: [3] }, "actions.0 must be a table"],
    [{ actions: [{ id: "a" }] }, "actions.0.command is missing"],
    [{ actions: [{ id: "a", command: [] }] }, "actions.0.command must begin with a program"],
    [{ actions: [{ id: "a", command: [""] }] }, "actions.0.command must begin with a program"],
    [{ actions: [{ id: "a", command: "ls -l" }] }, "actions.0.command must be a list of texts"],
    [{ actions: [{ id: "a", command: ["ls", 1] }] }, "actions.0.command.1 must be a text"],
    [{ actions: [bench.actions[0], bench.actions[0]] }, 'the action "drive" twice'],
    [{ workspaces: bench.profiles }, 'the profile "agent-bench" twice'],
    [{ profiles: [{ id: "a" }] }, "profiles.0.title is missing"],
    [{ profiles: [{ id: "a", title: "A", agents: "codex" }] }, "profiles.0.agents must be a list of texts"],
    [{ profiles: [{ id: "a", title: "A", panes: [{ id: "p", pane: "p" }] }] }, "profiles.0.panes.0.role is missing"],
  ];
  test.each(wrong)("%j", (change, says) => {
    expect(errorIn(parseManifest({ ...bench, ...change }))).toContain(says);
  });

  test("any value is a manifest or a fault, never an exception", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom("id", "name", "actions", "profiles"), (value, name) => {
        for (const given of [value, { ...bench, [name]: value }]) expect(parseManifest(given)).toHaveProperty("ok");
      }),
    );
  });
});

describe("configured plugins", () => {
  const manifest = (id: string) => `id = "${id}"\nname = "N"\n[[actions]]\nid = "go"\ncommand = ["true"]\n`;
  const profile = '[[profiles]]\nid = "p"\ntitle = "P"\n';

  async function load(entries: readonly [path: string, enabled?: boolean][]) {
    return loadPlugins(entries.map(([path, enabled = true]) => ({ manifest: path, enabled })));
  }

  test("a folder stands for its manifest, and links are followed to the root", async () => {
    const path = write("real/phux-plugin.toml", manifest("a"));
    symlinkSync(dirname(path), join(folder, "link"));
    const loaded = await load([[join(folder, "link")], [path]]);
    expect(loaded.map((plugin) => valueIn(plugin).root)).toEqual([join(folder, "real"), join(folder, "real")]);
  });

  test("an action of an enabled plugin, whatever is wrong with others", async () => {
    const good = write("good/phux-plugin.toml", manifest("good"));
    const loaded = await load([[join(folder, "gone.toml")], [good], [good, false]]);
    expect(valueIn(findAction(loaded, "good", "go"))).toMatchObject({ plugin: { id: "good" }, action: { id: "go" } });
    expect(errorIn(findAction(loaded, "good", "stop")).message).toContain('no action "stop"; it has go');
    const unknown = errorIn(findAction(loaded, "other", "go")).message;
    expect(unknown).toContain('no plugin "other" is configured; configured: good, good');
    expect(unknown).toContain(`${join(folder, "gone.toml")} does not exist`);
    expect(errorIn(findAction(await load([[good, false]]), "good", "go")).message).toContain("is disabled");
    expect(errorIn(findAction([], "x", "go")).message).toContain("configured: none");
  });

  test("profiles of all, of one plugin, of one id", async () => {
    const one = write(
      "p1/phux-plugin.toml",
      manifest("one") + profile + profile.replaceAll("p", "q").replace("qrofiles", "profiles"),
    );
    const two = write("p2/phux-plugin.toml", manifest("two") + profile);
    const none = write("p3/phux-plugin.toml", manifest("three"));
    const loaded = await load([[two, false], [one], [none]]);
    const ids = (plugin?: string, id?: string) =>
      valueIn(selectProfiles(loaded, plugin, id)).map((row) => `${row.plugin_id}/${row.profile.id} ${row.enabled}`);
    expect(ids()).toEqual(["two/p false", "one/p true", "one/q true"]);
    expect(ids("one")).toEqual(["one/p true", "one/q true"]);
    expect(ids(undefined, "p")).toEqual(["two/p false", "one/p true"]);
    expect(ids("one", "q")).toEqual(["one/q true"]);
    expect(errorIn(selectProfiles(loaded, "three", undefined)).message).toContain('no profile of plugin "three"');
    expect(errorIn(selectProfiles(loaded, undefined, "r")).message).toContain("declared: two/p, one/p, one/q");
    expect(valueIn(selectProfiles(await load([[none]]), undefined, undefined))).toEqual([]);
    const broken = await load([[one], [write("p4/phux-plugin.toml", "id = 3")]]);
    expect(errorIn(selectProfiles(broken, "one", undefined)).message).toContain("p4/phux-plugin.toml is not valid");
  });
});

describe("the run log", () => {
  const run = (at: number): PluginRun => ({
    ...{ started_at_ms: at, plugin_id: "p", action_id: "a", cwd: "/w", outcome: "completed" },
    ...{ exit_code: 0, duration_ms: 1 },
  });
  const linesIn = (place: string) => readFileSync(join(place, "plugin-runs.jsonl"), "utf8").trimEnd().split("\n");

  test("keeps the newest hundred, whole lines only, for this user alone", () => {
    const place = join(folder, "state", "phux");
    for (let at = 0; at < 103; at += 1) expect(logRun(place, run(at))).toBeNull();
    const lines = linesIn(place).map((line) => JSON.parse(line));
    expect(lines).toHaveLength(100);
    expect(lines[0]).toEqual(run(3));
    expect(lines.at(-1)).toEqual(run(102));
    expect(readdirSync(place)).toEqual(["plugin-runs.jsonl"]);
    expect(statSync(place).mode & 0o777).toBe(0o700);
    expect(statSync(join(place, "plugin-runs.jsonl")).mode & 0o777).toBe(0o600);
  });

  test("a name without end does not fill it", () => {
    const place = join(folder, "long");
    logRun(place, { ...run(1), cwd: "x".repeat(100_000) });
    expect(statSync(join(place, "plugin-runs.jsonl")).size).toBeLessThan(2_000);
  });

  test("a place that cannot be written is told, not thrown", () => {
    expect(logRun(write("a-file", ""), run(1))).toContain("was not written");
  });
});
