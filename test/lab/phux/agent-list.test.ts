import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stage } from "../stage.ts";
import type { AgentEntry } from "./agent-report.ts";
import { agentSession, openAgentRoom, paneOf, recordOf } from "./agent-room.ts";
import { errorOf, type Ran, until, Workbench } from "./workbench.ts";

setDefaultTimeout(30_000);

let bench: Workbench;
beforeAll(async () => {
  bench = await openAgentRoom({ openLogs: true });
  await agentSession(bench, "lab");
});
afterAll(() => bench.close());

function entriesOf(ran: Ran): readonly AgentEntry[] {
  expect(ran).toMatchObject({ exit: 0, stderr: "" });
  const { schema_version, agents } = JSON.parse(ran.stdout);
  expect(schema_version).toBe(1);
  return agents;
}

async function show(target: string): Promise<AgentEntry | undefined> {
  const [entry, ...more] = entriesOf(await bench.phux(["agent", "show", "--json", "--", target]));
  expect(more).toEqual([]);
  return entry;
}

const set = (...words: string[]) => bench.phux(["agent", "set", ...words, "main"]);

describe("agent list", () => {
  test("has every pane, and the best evidence first", async () => {
    const [shell, agent] = entriesOf(await bench.phux(["agent", "list", "--json"]));
    expect(shell).toEqual({
      ...{ terminal: "@1", session: "main", window: "window-0", state: "unknown", confidence: 0.2, attention: "low" },
      agent: { id: "unknown", label: "Unknown agent", kind: "unknown" },
      ...{ title: null, cwd: bench.folder, explanation: expect.any(String), agent_session: null },
      sources: [{ kind: "no_agent_record", signal: expect.any(String), confidence: 0.2, observed: "sh" }],
    });
    expect(agent).toMatchObject({
      ...{ terminal: "@2", session: "lab", state: "idle", confidence: 1, attention: "none" },
      agent: { id: "lab", label: "lab", kind: "plugin" },
    });
    expect(agent?.sources.map(({ kind, confidence }) => [kind, confidence])).toEqual([
      ["agent_record", 1],
      ["screen", 0.8],
      ["identity", 0.5],
    ]);
  });

  test("reads as a line for each, for a person", async () => {
    const { stdout } = await bench.phux(["agent", "list"]);
    expect(stdout).toBe(
      `@1\tUnknown agent\tunknown\tunknown\tlow\t${bench.folder}\n@2\tlab\tplugin\tidle\tnone\t${bench.folder}\n`,
    );
  });

  test("of a partial fleet remarks what is missing, and succeeds", async () => {
    bench.lab.faults.notices = [{ code: 107, message: "box is away" }];
    const ran = await bench.phux(["agent", "list", "--json"]);
    const missed = await bench.phux(["agent", "show", "--json", "--", "box/@1"]);
    bench.lab.faults.notices = [];
    expect(ran).toMatchObject({ exit: 0, stderr: expect.stringContaining("box is away") });
    expect(errorOf(missed)).toEqual({ code: "partial_view", exit: 3 });
  });
});

describe("agent show and explain", () => {
  test("evidence is what the screen shows now", async () => {
    await bench.phux(["agent", "prompt", "--wait", "--json", "--", "lab", "ask Go on? | Yes | No"]);
    const entry = await show("lab");
    expect(entry).toMatchObject({ state: "blocked", attention: "high" });
    expect(entry?.sources.find(({ kind }) => kind === "screen")).toMatchObject({
      signal: expect.stringContaining("question"),
      observed: expect.stringMatching(/^Enter answers/),
    });
    const explained = await bench.phux(["agent", "explain", "lab"]);
    expect(explained).toMatchObject({ exit: 0, stdout: expect.stringContaining("0.80  screen: rule question") });
    await bench.phux(["send-keys", "lab", "Escape"]);
    await until(() => recordOf(bench, "lab")?.["state"] === "idle");
  });

  test.each([
    [
      ["--name", "bot", "--kind", "codex", "--state", "working"],
      { id: "codex", label: "bot", kind: "codex" },
      "working",
      1,
    ],
    [["--name", "bot"], { id: "bot", label: "bot", kind: "declared" }, "unknown", 0.3],
    [["--name", "bot", "--kind", "lab"], { id: "lab", label: "bot", kind: "plugin" }, "unknown", 0.3],
    [
      ["--name", "bot", "--kind", "made-up", "--state", "done"],
      { id: "made-up", label: "bot", kind: "declared" },
      "done",
      1,
    ],
  ])("%j", async (words, agent, state, confidence) => {
    const ran = await set(...words);
    expect(ran).toMatchObject({ exit: 0, stdout: expect.stringMatching(/^@1\t\{"name":"bot"/) });
    expect(await show("@1")).toMatchObject({ agent, state, confidence });
    expect(await bench.phux(["agent", "clear", "main"])).toMatchObject({ exit: 0, stdout: "@1\t-\n" });
    expect(await show("@1")).toMatchObject({ agent: { kind: "unknown" }, state: "unknown" });
  });

  test("declared attention stands over what the state calls for", async () => {
    await set("--name", "bot", "--state", "idle", "--attention", "high");
    expect(await show("main")).toMatchObject({ state: "idle", attention: "high" });
    await bench.phux(["agent", "clear", "main"]);
  });

  test("a live agent session is the best evidence", async () => {
    const opened = await bench.document([
      "agent",
      "session",
      "open",
      "--provider",
      "claude",
      "--native-id",
      "s-1",
      "--json",
      "main",
    ]);
    await bench.document([
      "agent",
      "emit",
      "--json",
      "--type",
      "tool_start",
      "--data",
      '{"tool_name":"x"}',
      "--",
      "main",
    ]);
    expect(await show("main")).toMatchObject({
      ...{ state: "working", confidence: 1, agent: { kind: "claude" } },
      agent_session: { resource: opened["resource"], provider: "claude", native_id: "s-1" },
    });
    expect((await show("main"))?.sources[0]).toMatchObject({ kind: "stream", observed: "working" });
    expect(errorOf(await bench.phux(["agent", "show", "--json", String(opened["resource"])]))).toEqual({
      ...{ code: "wrong_resource_kind", exit: 2 },
    });
    await bench.phux(["agent", "session", "close", "main"]);
    await until(() => recordOf(bench, "main")?.["state"] === "unknown");
    await bench.phux(["agent", "clear", "main"]);
  });

  test("a question in the title is evidence", async () => {
    await bench.phux(["send-keys", "main", "printf '\\033]2;phux-ask[q]:Go on?\\007'; sleep 600", "Enter"]);
    await until(async () => (await show("main"))?.title === "phux-ask[q]:Go on?");
    expect(await show("main")).toMatchObject({
      state: "blocked",
      sources: [{ kind: "title_ask", observed: "Go on?" }, {}],
    });
    await bench.phux(["send-keys", "main", "C-c"]);
  });

  test.each([
    ["nowhere", "no_such_target", 1],
    ["@99", "no_such_target", 1],
    ["=", "invalid_selector", 2],
    ["%nobody", "no_such_target", 1],
    ["%lab", "invalid_agent_name", 2],
  ])("%s is refused: %s", async (target, code, exit) => {
    for (const verb of ["show", "explain"]) {
      const ran = await bench.phux(["agent", verb, "--json", "--", target]);
      expect(ran.stdout).toBe("");
      expect(errorOf(ran)).toEqual({ code, exit });
    }
  });

  test("nobody listens", async () => {
    const ran = await bench.phux(["agent", "list", "--json", "--socket", join(bench.folder, "none.sock")]);
    expect(errorOf(ran)).toEqual({ code: "no_server", exit: 1 });
  });
});

describe("agent explain --file", () => {
  const explain = (...words: string[]) => bench.phux(["agent", "explain", "--json", "--file", ...words]);

  test("judges a screen that was captured", async () => {
    const path = join(bench.folder, "capture.json");
    writeFileSync(path, (await bench.phux(["snapshot", "--json", "lab"])).stdout);
    const [entry] = entriesOf(await explain(path, "--kind", "lab"));
    expect(entry).toMatchObject({
      state: "idle",
      confidence: 0.8,
      terminal: `@${paneOf(bench, "lab")}`,
      session: null,
    });
    const [shell] = entriesOf(await explain(path, "--kind", "shell"));
    expect(shell?.sources.map(({ kind }) => kind)).toEqual(["detector_fallback"]);
    expect(errorOf(await explain(path, "--kind", "nothing"))).toEqual({ code: "unknown_agent_kind", exit: 2 });
    writeFileSync(path, "{}");
    expect(errorOf(await explain(path, "--kind", "lab"))).toEqual({ code: "capture_invalid", exit: 1 });
    expect(errorOf(await explain(`${path}.none`, "--kind", "lab"))).toEqual({ code: "capture_unreadable", exit: 1 });
    expect(await explain(path, "--kind", "lab", "main")).toMatchObject({
      exit: 2,
      stderr: expect.stringMatching(/^error: /),
    });
  });
});

test("where the server detects nothing, this phux looks for itself", async () => {
  const room = await openAgentRoom({ detection: false });
  await room.document(["new", "-s", "unseen", "--json", "--", join(room.bin, "lab-agent")]);
  await until(async () => (await room.phux(["snapshot", "unseen"])).stdout.includes("Enter sends"));
  const [entry] = entriesOf(await room.phux(["agent", "show", "--json", "unseen"]));
  expect(entry).toMatchObject({
    agent: { id: "lab", label: "Lab agent", kind: "plugin" },
    state: "idle",
    confidence: 0.8,
  });
  await room.close();
});

test("panes of another host have no record here, and are listed", async () => {
  await using box = await stage();
  const hub = await Workbench.open({ satellites: { box: { socket: box.lab.socket } } });
  const list = entriesOf(await hub.phux(["agent", "list", "--json"]));
  expect(list.map(({ terminal, state }) => [terminal, state])).toEqual([
    ["@1", "unknown"],
    ["box/@1", "unknown"],
  ]);
  await hub.close();
});
