import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pluginAction, pluginProfile } from "../../src/tools/plugin.ts";
import { until } from "../lab/until.ts";
import { Bench } from "./calls.ts";
import { membersOf } from "./lab-bench.ts";

const tools = [pluginAction, pluginProfile];

let folder = "";
let plugin = "";
let environment: Record<string, string> = {};
let bench: Bench;

/** Writes a file under the test's folder and gives its path. */
function write(name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode: 0o755 });
  return path;
}

const action = (id: string, ...command: string[]) =>
  `[[actions]]\nid = "${id}"\ntitle = "T"\ncommand = ${JSON.stringify(command)}\n`;
const shell = (id: string, script: string) => action(id, "sh", "-c", script);

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "plugin-")));
  plugin = join(folder, "config", "phux", "acme");
  write(
    "config/phux/acme/phux-plugin.toml",
    [
      'id = "acme.tools"\nname = "Acme tools"\nversion = "1.0.0"\nmin_phux_version = "0.1"\n',
      shell("ok", "printf out; printf err >&2"),
      shell("fails", "printf half; exit 7"),
      shell("killed", "kill -TERM $$"),
      shell(
        "where",
        'printf "%s|%s|%s|%s|%s" "$PWD" "$PHUX_PLUGIN_ID" "$PHUX_PLUGIN_ACTION_ID" "$PHUX_PLUGIN_ROOT" "$MARK"',
      ),
      action("plain", "printf", "%s.", "a b", "$HOME", "*", "-n"),
      action("own", "./run.sh", "x"),
      action("input", "cat"),
      shell("bytes", "printf 'a\\377b'"),
      shell("sleeps", 'printf early; sleep 60 & echo $! > "$MARK/child"; echo $$ > "$MARK/self"; wait'),
      shell("floods", "yes"),
      shell("grumbles", "yes >&2"),
      shell("leaves", "sleep 60 & echo $!"),
      action("absent", "no-such-program-here"),
      action("relative", "bin/no-such-program"),
      `[[actions]]\nid = "elsewhere"\ntitle = "T"\ncwd = "sub"\ncommand = ["pwd"]\n`,
      '[[profiles]]\nid = "review"\ntitle = "Review"\nagents = ["claude"]\n',
      '[[profiles.panes]]\nid = "main"\npane = "left"\nrole = "editor"\n',
    ].join("\n"),
  );
  write("config/phux/acme/run.sh", '#!/bin/sh\nprintf \'%s from %s\' "$1" "$PWD"\n');
  mkdirSync(join(plugin, "sub"));
  write(
    "config/phux/off.toml",
    `id = "acme.off"\nname = "Off"\n${shell("ok", "true")}[[profiles]]\nid = "spare"\ntitle = "S"\n`,
  );
  write(
    "config/phux/config.toml",
    '[[plugins]]\nmanifest = "acme"\n\n[[plugins]]\nmanifest = "off.toml"\nenabled = false\n',
  );
  environment = {
    ...{ PATH: process.env["PATH"] ?? "/usr/bin:/bin", MARK: folder, HOME: folder },
    ...{ XDG_CONFIG_HOME: join(folder, "config"), XDG_STATE_HOME: join(folder, "state") },
  };
  bench = new Bench(null, { environment }, tools);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = async (action_id: string, args: object = {}) =>
  membersOf(await bench.document("phux_plugin_action", { plugin_id: "acme.tools", action_id, ...args }));
const refused = (args: object) =>
  bench.failure("phux_plugin_action", { plugin_id: "acme.tools", action_id: "ok", ...args });

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A dead child of this process stays until it is reaped.
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}
const pidIn = (name: string) => Number(readFileSync(join(folder, name), "utf8"));

describe("an action", () => {
  test("answers with what it did", async () => {
    const { text } = await bench.call("phux_plugin_action", { plugin_id: "acme.tools", action_id: "ok" });
    const answer = JSON.parse(text);
    expect(Object.keys(answer).join()).toBe(
      "schema_version,plugin_id,action_id,command,cwd,outcome,exit_code,stdout,stderr,duration_ms",
    );
    expect(answer).toEqual({
      ...{ schema_version: 1, plugin_id: "acme.tools", action_id: "ok" },
      ...{ command: ["sh", "-c", "printf out; printf err >&2"], cwd: plugin, outcome: "completed", exit_code: 0 },
      ...{ stdout: "out", stderr: "err", duration_ms: expect.any(Number) },
    });
    expect(Number.isInteger(answer.duration_ms)).toBe(true);
    expect(bench.progress.at(-1)).toBe("running ok of acme.tools");
    expect(bench.asked).toEqual([]);
  });

  const outcomes: [action: string, answer: object][] = [
    ["fails", { outcome: "completed", exit_code: 7, stdout: "half" }],
    ["killed", { outcome: "completed", exit_code: null }],
    ["plain", { stdout: "a b.$HOME.*.-n.", exit_code: 0 }],
    ["input", { stdout: "", exit_code: 0 }],
    ["bytes", { stdout: "a\ufffdb" }],
  ];
  test.each(outcomes)("%s", async (id, answer) => {
    expect(await run(id)).toMatchObject(answer);
  });

  test("knows who it is, and inherits the environment", async () => {
    expect(await run("where")).toMatchObject({ stdout: `${plugin}|acme.tools|where|${plugin}|${folder}` });
  });

  const places: [args: object, place: () => string][] = [
    [{}, () => plugin],
    [{ cwd: "sub" }, () => join(plugin, "sub")],
    [{ cwd: ".." }, () => dirname(plugin)],
    [{ cwd: "/" }, () => "/"],
    [{ cwd: "" }, () => plugin],
  ];
  test.each(places)("with %j it runs where it should", async (args, place) => {
    const { stdout, cwd } = await run("where", args);
    expect(cwd).toBe(place());
    expect(String(stdout).split("|")[0]).toBe(place());
  });

  test("has a folder of its own when its manifest says so", async () => {
    expect(await run("elsewhere")).toMatchObject({ cwd: join(plugin, "sub"), stdout: `${join(plugin, "sub")}\n` });
    expect(await run("elsewhere", { cwd: "/" })).toMatchObject({ stdout: "/\n" });
  });

  test("a program beside the manifest", async () => {
    expect(await run("own")).toMatchObject({ stdout: `x from ${plugin}`, command: ["./run.sh", "x"] });
  });

  test("a grandchild that stays does not hold the call", async () => {
    const { stdout, outcome } = await run("leaves");
    expect(outcome).toBe("completed");
    const pid = Number(stdout);
    expect(isAlive(pid)).toBe(true);
    process.kill(pid, "SIGKILL");
  });
});

describe("an end from outside", () => {
  test("the time limit ends everything it started, and nothing it printed is kept", async () => {
    const began = performance.now();
    expect(await run("sleeps", { timeout_secs: 1 })).toMatchObject({
      ...{ outcome: "timed_out", exit_code: null, stdout: "", stderr: "" },
    });
    expect(performance.now() - began).toBeLessThan(3_000);
    for (const name of ["self", "child"]) await until(`${name} is dead`, () => !isAlive(pidIn(name)));
  });

  test("a limit of 0 is over at once", async () => {
    expect(await run("sleeps", { timeout_secs: "0" })).toMatchObject({ outcome: "timed_out" });
  });

  test("a cancel ends everything it started", async () => {
    rmSync(join(folder, "self"), { force: true });
    const ending = new AbortController();
    const args = { plugin_id: "acme.tools", action_id: "sleeps" };
    const call = bench.call("phux_plugin_action", args, { signal: ending.signal });
    await until("it runs", () => existsSync(join(folder, "self")) && pidIn("self") > 0);
    ending.abort();
    expect(await call).toMatchObject({ isError: true });
    for (const name of ["self", "child"]) await until(`${name} is dead`, () => !isAlive(pidIn(name)));
  });

  test.each([
    ["floods", "1048576 bytes on stdout"],
    ["grumbles", "65536 bytes on stderr"],
  ])("%s without end", async (action_id, says) => {
    expect(await refused({ action_id })).toContain(says);
  });
});

describe("refusals", () => {
  const cases: [args: object, says: string][] = [
    [{ plugin_id: "nobody" }, 'no plugin "nobody" is configured; configured: acme.tools, acme.off'],
    [{ plugin_id: "acme.off" }, 'the plugin "acme.off" is disabled'],
    [{ action_id: "nothing" }, 'the plugin "acme.tools" has no action "nothing"; it has ok, fails'],
    [{ action_id: "absent" }, "cannot be started: no-such-program-here is not on PATH"],
    [{ action_id: "relative" }, "there is no such file (ENOENT)"],
    [{ cwd: "nowhere" }, "its working folder"],
    [{ config: "" }, '"config" is empty'],
    [{ timeout_secs: -1 }, '"timeout_secs" must be a whole number, 0 or more'],
    [{ timeout_secs: 1.5 }, '"timeout_secs" must be a whole number'],
    [{ confirm: true }, 'no argument "confirm"'],
    [{ plugin_id: undefined }, 'needs the argument "plugin_id"'],
    [{ action_id: undefined }, 'needs the argument "action_id"'],
  ];
  test.each(cases)("%j", async (args, says) => expect(await refused(args)).toContain(says));

  test("a configuration that is not there, or not right", async () => {
    for (const config of [join(folder, "absent.toml"), write("bad.toml", "plugins = 1")]) {
      const text = await refused({ config });
      expect(JSON.parse(text)).toMatchObject({ error: { code: "invalid_config" }, exit_code: 2 });
      expect(text).toContain(config);
    }
  });

  test("no home", async () => {
    const homeless = new Bench(null, { environment: { PATH: "/bin" } }, tools);
    expect(await homeless.failure("phux_plugin_profile")).toContain("pass config");
  });

  test("a manifest that cannot be read is named", async () => {
    const config = write("other.toml", '[[plugins]]\nmanifest = "gone/phux-plugin.toml"\n');
    const says = `${join(folder, "gone/phux-plugin.toml")} does not exist`;
    expect(await refused({ config })).toContain(says);
    expect(await bench.failure("phux_plugin_profile", { config })).toContain(says);
  });
});

test("runs are logged, without what they printed", async () => {
  await run("fails");
  const path = join(folder, "state", "phux", "plugin-runs.jsonl");
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  expect(JSON.parse(lines.at(-1) ?? "")).toEqual({
    ...{ started_at_ms: expect.any(Number), plugin_id: "acme.tools", action_id: "fails", cwd: plugin },
    ...{ outcome: "completed", exit_code: 7, duration_ms: expect.any(Number) },
  });
  expect(lines.length).toBeLessThanOrEqual(100);
});

test("a log that cannot be written is remarked, and the run counts all the same", async () => {
  const blocked = { ...environment, XDG_STATE_HOME: write("no-folder", "") };
  const other = new Bench(null, { environment: blocked }, tools);
  const args = { plugin_id: "acme.tools", action_id: "ok" };
  expect(await other.document("phux_plugin_action", args)).toMatchObject({ exit_code: 0 });
  expect(other.remarks.join()).toContain("was not written");
});

describe("profiles", () => {
  test("of every plugin, disabled ones included", async () => {
    const { text } = await bench.call("phux_plugin_profile");
    expect(JSON.stringify(JSON.parse(text))).toBe(
      JSON.stringify({
        profiles: [
          {
            ...{ plugin_id: "acme.tools", plugin_name: "Acme tools", enabled: true },
            profile: {
              ...{ id: "review", title: "Review", description: null, contexts: [], agents: ["claude"] },
              ...{ actions: [], events: [] },
              panes: [{ id: "main", pane: "left", role: "editor", description: null }],
            },
          },
          {
            ...{ plugin_id: "acme.off", plugin_name: "Off", enabled: false },
            profile: {
              ...{ id: "spare", title: "S", description: null, contexts: [], agents: [], actions: [], events: [] },
              panes: [],
            },
          },
        ],
        count: 2,
      }),
    );
  });

  const filters: [args: object, ids: string[]][] = [
    [{ plugin_id: "acme.off" }, ["spare"]],
    [{ profile_id: "review" }, ["review"]],
    [{ plugin_id: "acme.tools", profile_id: "review" }, ["review"]],
  ];
  test.each(filters)("%j", async (args, ids) => {
    const { profiles, count } = membersOf(await bench.document("phux_plugin_profile", { ...args }));
    if (!Array.isArray(profiles)) throw new Error("no profiles");
    expect(profiles.map((row) => membersOf(membersOf(row)["profile"])["id"])).toEqual(ids);
    expect(count).toBe(ids.length);
  });

  test.each([
    [{ plugin_id: "nobody" }],
    [{ profile_id: "nothing" }],
    [{ plugin_id: "acme.off", profile_id: "review" }],
  ])("%j matches nothing", async (args) => {
    expect(await bench.failure("phux_plugin_profile", args)).toContain("is declared; declared: acme.tools/review");
  });

  test("no configuration at all is no profile, and no error", async () => {
    const bare = new Bench(null, { environment: { HOME: join(folder, "nowhere") } }, tools);
    expect(await bare.document("phux_plugin_profile")).toEqual({ profiles: [], count: 0 });
    expect(existsSync(join(folder, "nowhere"))).toBe(false);
  });
});
