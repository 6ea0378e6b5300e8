import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ErrorCode } from "../../../src/wire/error-code.ts";
import { agentConfig } from "../agent/plugin.ts";
import { stage } from "../stage.ts";
import { agentSession, openAgentRoom, paneOf, recordOf, typeInto } from "./agent-room.ts";
import { launchLine } from "./launch-line.ts";
import { installPlugin } from "./plugin-folder.ts";
import { errorOf, type Ran, until, type Workbench } from "./workbench.ts";

setDefaultTimeout(30_000);

let bench: Workbench;
beforeAll(async () => {
  bench = await openAgentRoom();
  const ofKind = (kind: string, command: readonly string[], ...more: string[]) => [
    "[launch]",
    `command = ${JSON.stringify(command)}`,
    ...more,
    "[agent_identity]",
    `kind = "${kind}"`,
  ];
  // A program of the agent's name that shows nothing at all.
  const mute = join(bench.folder, "mute", "lab-agent");
  mkdirSync(join(bench.folder, "mute"));
  symlinkSync("/bin/sleep", mute);
  installPlugin(join(bench.folder, "odd"), "com.example.odd", {
    mute: ['id = "mute"', ...ofKind("lab", [mute, "600"])],
    missing: ['id = "missing"', ...ofKind("lab", ["/no/such/program"])],
    another: ['id = "another"', ...ofKind("lab", ["sleep", "600"])],
    brief: ['id = "brief"', ...ofKind("lab", [join(bench.bin, "lab-agent"), "exit"])],
    rooted: ['id = "rooted"', ...ofKind("lab", [join(bench.bin, "lab-agent")], 'working_directory = "plugin-root"')],
    unseen: ['id = "unseen"', ...ofKind("unseen", ["sleep", "600"])],
  });
  configure();
});
afterAll(() => bench.close());
afterEach(() => {
  bench.lab.faults.refuse = {};
  bench.lab.faults.dropReplies = {};
});

const path = () => join(bench.folder, ".config", "phux", "config.toml");
const configure = (before = "") => {
  const odd = `[[plugins]]\nmanifest = ${JSON.stringify(join(bench.folder, "odd"))}\n`;
  writeFileSync(path(), before + agentConfig(bench.bin) + odd);
};

const start = (name: string, target: string, ...words: string[]) => {
  const at = words.indexOf("--");
  const [options, args] = at < 0 ? [words, []] : [words.slice(0, at), words.slice(at)];
  const kind = options.includes("--kind") ? [] : ["--kind", "lab"];
  const limit = options.includes("--timeout") ? [] : ["--timeout", "15"];
  return bench.phux(["agent", "start", ...kind, "--target", target, ...limit, ...options, "--json", name, ...args]);
};
const only = ["--integration", "lab.agents/lab"];
const shown = async (target: string) => (await bench.phux(["snapshot", target])).stdout;

function documentOf(ran: Ran): Record<string, unknown> {
  expect(ran).toMatchObject({ exit: 0, stderr: "" });
  return JSON.parse(ran.stdout);
}

const shells: [name: string, ...argv: string[]][] = [
  ["sh", "/bin/sh"],
  ["bash", "bash", "--norc", "--noprofile"],
  ["zsh", "zsh", "-f"],
];

describe("a lab agent in a shell", () => {
  for (const [shell, ...argv] of shells) {
    // The build machine promises to have them all: there a missing one is a failure.
    const here = Bun.which(argv[0] ?? "") !== null || process.env["PHUX_MCP_SKIP_NOTHING"] === "1";
    test.skipIf(!here)(`${shell}: is started, named and ready`, async () => {
      await bench.session(shell, ...argv);
      const document = documentOf(await start(`in-${shell}`, shell, ...only));
      expect(document).toMatchObject({
        ...{ schema_version: 1, terminal: `@${paneOf(bench, shell)}`, name: `in-${shell}`, kind: "lab" },
        ...{ integration: "lab", started: true, ready: true, state: "idle", shell_check: "occupant" },
      });
      expect(document["readiness"]).toEqual({
        ...{ identity: "kernel-foreground-pgid", transition: { from: "unknown", to: "idle", via: "push" } },
        ...{ state_source: "rule", matched_rule: "prompt-box", fallback_reason: null, manifest_asserts_idle: true },
        ...{ evaluated_client_side: true, latency_ms: expect.any(Number) },
        observations: { edges: 1, pushes: expect.any(Number), polls: expect.any(Number) },
      });
      expect(recordOf(bench, shell)).toEqual({ name: `in-${shell}`, kind: "lab", state: "idle" });
      const prompted = await bench.document(["agent", "prompt", "--wait", "--json", "--", `%in-${shell}`, "say hi"]);
      expect(prompted).toMatchObject({ agent: { name: `in-${shell}` }, transition_observed: true });
    });

    test.skipIf(!here)(`${shell}: arguments arrive as they are`, async () => {
      const session = `words-${shell}`;
      await bench.session(session, ...argv);
      const text = 'it\'s "a" $HOME `id` \\ *!~';
      documentOf(await start(session, session, ...only, "--", "say", text));
      await until(async () => (await shown(session)).includes(`\n* ${text}\n`));
    });
  }
});

test("a plain shell is the dullest agent", async () => {
  await bench.session("dull", "/bin/sh");
  expect(documentOf(await start("dull", "dull", "--kind", "shell"))).toMatchObject({
    ...{ kind: "shell", integration: "shell", state: "idle" },
    readiness: { matched_rule: "prompt", identity: "kernel-foreground-pgid" },
  });
  const prompted = await bench.document(["agent", "prompt", "--wait", "--json", "--", "%dull", "sleep 0.6; echo done"]);
  expect(prompted).toMatchObject({ edge: { from: "working", to: "idle" } });
});

test("the pane is free again once its agent has left, and the name too", async () => {
  await bench.session("again", "/bin/sh");
  documentOf(await start("first", "again", ...only));
  typeInto(bench, "again", "exit\r");
  await until(() => recordOf(bench, "again")?.["state"] === "unknown");
  documentOf(await start("second", "again", ...only));
  expect(recordOf(bench, "again")).toMatchObject({ name: "second" });
});

test("--force skips the check, --no-wait the wait", async () => {
  await bench.session("forced", "/bin/sh");
  await bench.phux(["agent", "set", "--name", "old", "--state", "working", "forced"]);
  expect(documentOf(await start("forced", "forced", ...only, "--force"))).toMatchObject({ shell_check: "forced" });
  await bench.session("unwaited", "/bin/sh");
  const document = documentOf(await start("unwaited", "unwaited", "--kind", "unseen", "--no-wait"));
  expect(document).toMatchObject({ started: true, ready: false, state: "unknown", readiness: null });
});

describe("is refused before anything is typed", () => {
  beforeAll(async () => {
    await bench.session("free", "/bin/sh");
    await agentSession(bench, "taken");
    await bench.document(["new", "-s", "cat", "--json", "--", "/bin/cat"]);
    await bench.session("busy", "/bin/sh");
    typeInto(bench, "busy", "sleep 600\r");
    await until(() => bench.lab.server.panes.get(paneOf(bench, "busy"))?.terminal.foreground?.name === "sleep");
    await bench.phux(["agent", "set", "--name", "reviewer", "main"]);
  });

  test.each([
    ["Reviewer", "free", only, "invalid_agent_name", 2],
    ["1st", "free", only, "invalid_agent_name", 2],
    ["x".repeat(33), "free", only, "invalid_agent_name", 2],
    ["lab", "free", only, "invalid_agent_name", 2],
    ["reviewer", "free", only, "agent_name_taken", 2],
    ["fine", "free", ["--kind", "codex"], "unknown_integration", 2],
    ["fine", "free", ["--integration", "nothing"], "unknown_integration", 2],
    ["fine", "free", ["--integration", "shell"], "unknown_integration", 2],
    ["fine", "free", [], "ambiguous_integration", 2],
    ["fine", "free", ["--kind", "unseen"], "unsupported_agent_kind", 2],
    ["fine", "nowhere", only, "no_such_target", 1],
    ["fine", "=", only, "invalid_selector", 2],
    ["fine", "taken", only, "agent_pane_busy", 2],
    ["fine", "busy", only, "agent_pane_busy", 2],
    ["fine", "cat", only, "agent_pane_not_available", 2],
    ["fine", "free", ["--integration", "rooted"], "agent_cwd_mismatch", 2],
    ["fine", "free", [...only, "--", "one\ntwo"], "invalid_launch_argv", 2],
    ["fine", "free", [...only, "--", "\u001b[A"], "invalid_launch_argv", 2],
  ])("%s in %s with %j: %s", async (name, target, words, code, exit) => {
    const ran = await start(name, target, ...words);
    expect(ran.stdout).toBe("");
    expect(errorOf(ran)).toEqual({ code, exit });
    expect(recordOf(bench, "free")).toBeNull();
    expect((await shown("free")).trimEnd()).toBe("$");
  });

  test("where the plugin's folder is the pane's, it fits", async () => {
    await bench.session("rooted", "/bin/sh");
    typeInto(bench, "rooted", `cd '${realpathSync(join(bench.folder, "odd"))}'\r`);
    await until(async () => (await shown("rooted")).trimEnd().endsWith("\n$"));
    expect(documentOf(await start("rooted", "rooted", "--integration", "rooted"))).toMatchObject({ state: "idle" });
  });

  test("while detection is switched off", async () => {
    configure("[agents]\ndetection = false\n");
    expect(errorOf(await start("fine", "free", ...only))).toEqual({ code: "agent_detection_unavailable", exit: 2 });
    configure("[agents]\ndetection = 1\n");
    expect(errorOf(await start("fine", "free", ...only))).toEqual({ code: "invalid_config", exit: 2 });
    configure();
  });

  test("when a plugin that cannot be read may be the one that is meant", async () => {
    writeFileSync(path(), '[[plugins]]\nmanifest = "/no/such/plugin"\n');
    expect(errorOf(await start("fine", "free"))).toEqual({ code: "unknown_integration", exit: 1 });
    configure();
  });

  test("on another host", async () => {
    await using box = await stage();
    const hub = await openAgentRoom({ satellites: { box: { socket: box.lab.socket } } });
    const ran = await hub.phux(["agent", "start", "--kind", "lab", "--target", "box/@1", "--json", "fine"]);
    expect(errorOf(ran)).toEqual({ code: "satellite_target", exit: 2 });
    await hub.close();
  });

  test.each([
    [["--kind", "lab", "fine"]],
    [["--target", "free", "fine"]],
    [["--kind", "lab", "--target", "free"]],
    [["--kind", "lab", "--target", "free", "--timeout", "0", "fine"]],
  ])("%j is no way to ask", async (words) => {
    const ran = await bench.phux(["agent", "start", "--json", ...words]);
    expect(ran).toMatchObject({ exit: 2, stdout: "", stderr: expect.stringMatching(/^error: /) });
  });
});

describe("what becomes of the launch line", () => {
  beforeAll(() => bench.session("line", "/bin/sh"));

  test.each([
    ["INPUT_NOT_WRITTEN", "agent_start_failed", 1],
    ["RESOURCE_EXHAUSTED", "agent_start_failed", 1],
    ["INPUT_LEASE_HELD", "agent_start_failed", 2],
    ["CANONICAL_LIMIT_EXCEEDED", "agent_start_failed", 2],
  ] as const)("%s: the pane is as before", async (name, code, exit) => {
    const before = { name: "before", state: "unknown" };
    await bench.phux(["agent", "set", "--name", "before", "line"]);
    bench.lab.faults.refuse = { APPLY_INPUT: { code: ErrorCode[name], message: "as asked" } };
    expect(errorOf(await start("fine", "line", ...only))).toEqual({ code, exit });
    expect(recordOf(bench, "line")).toEqual(before);
    await bench.phux(["agent", "clear", "line"]);
    expect(errorOf(await start("fine", "line", ...only))).toEqual({ code, exit });
    expect(recordOf(bench, "line")).toBeNull();
  });

  test("nobody knows whether it was typed: the name stays", async () => {
    await bench.session("unknown", "/bin/sh");
    bench.lab.faults.dropReplies = { APPLY_INPUT: 2 };
    expect(errorOf(await start("maybe", "unknown", ...only))).toEqual({ code: "agent_start_unknown", exit: 1 });
    expect(recordOf(bench, "unknown")).toMatchObject({ name: "maybe" });
  });
});

describe("what comes up", () => {
  test.each([
    ["missing", "agent_start_failed", 1],
    ["another", "agent_kind_mismatch", 1],
    ["brief", "agent_start_failed", 1],
  ])("%s: %s", async (integration, code, exit) => {
    await bench.session(integration, "/bin/sh");
    const ran = await start(integration, integration, "--integration", integration);
    expect(ran.stdout).toBe("");
    expect(errorOf(ran)).toEqual({ code, exit });
  });

  test("not ready in time: it was typed, and the name stays bound", async () => {
    await bench.session("mute", "/bin/sh");
    const ran = await start("mute", "mute", "--integration", "mute", "--timeout", "1");
    expect(ran).toMatchObject({ exit: 124, stdout: "" });
    expect(errorOf(ran)).toEqual({ code: "agent_start_timeout", exit: 124 });
    expect(recordOf(bench, "mute")).toEqual({ name: "mute", kind: "lab", state: "unknown" });
    expect(await shown("mute")).toContain("lab-agent 600");
  });
});

test("a server that detects nothing: the screen is judged here", async () => {
  const room = await openAgentRoom({ detection: false });
  await room.session("s", "/bin/sh");
  const document = await room.document(["agent", "start", "--kind", "lab", "--target", "s", "--json", "alone"]);
  expect(document).toMatchObject({
    state: "idle",
    readiness: {
      transition: null,
      state_source: "rule",
      matched_rule: "prompt-box",
      fallback_reason: expect.any(String),
    },
  });
  await room.close();
});

test("0.8 does not ask the kernel for us", async () => {
  const room = await openAgentRoom({ version: "0.8" });
  await room.session("s", "/bin/sh");
  const document = await room.document(["agent", "start", "--kind", "lab", "--target", "s", "--json", "old"]);
  expect(document).toMatchObject({ state: "idle", readiness: { identity: "unconfirmed" } });
  await room.close();
});

const lines: [argv: string[], line: string][] = [
  [["agent", "--flag", "a/b", "x=y"], "agent --flag a/b x=y"],
  [["a b", "", "it's"], `'a b' '' 'it'\\''s'`],
  [["x=y", "=z", "~", "%1", "*"], "'x=y' '=z' '~' '%1' '*'"],
];
test.each(lines)("%j is typed as one line", (argv, line) => {
  expect(launchLine({ argv, env: [] })).toEqual({ ok: true, value: line });
  const env = [{ name: "ID", value: "a b" }];
  expect(launchLine({ argv, env })).toEqual({ ok: true, value: `ID='a b' ${line}` });
});
