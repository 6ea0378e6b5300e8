/** The tools that run `phux`, through the compiled binary and the lab's executable: their answers and their effects. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agentConfig } from "../lab/agent/plugin.ts";
import { Agent, type Document } from "./agent.ts";

setDefaultTimeout(60_000);

const PROMPT = "ready>";
const SHELL = ["/usr/bin/env", `PS1=${PROMPT} `, "/bin/bash", "--norc", "--noprofile", "-i"];

let agent: Agent;
let shell = "";

beforeAll(async () => {
  agent = await Agent.start({ openLogs: true });
  mkdirSync(join(agent.folder, ".config", "phux"), { recursive: true });
  writeFileSync(join(agent.folder, ".config", "phux", "config.toml"), agentConfig(join(agent.folder, "bin")));
  shell = await agent.session("crew", SHELL, PROMPT);
});
afterAll(() => agent[Symbol.asyncDispose]());

describe("another agent", () => {
  test("is started, and the listing knows its name and its kind", async () => {
    const given = { name: "helper", kind: "lab", target: shell, timeout_secs: 30 };
    expect(await agent.call("phux_agent_start", given)).toMatchObject({ terminal: shell, ready: true, state: "idle" });
    const { agents } = await agent.call("phux_agent_show", { target: "%helper" });
    expect(agents).toMatchObject([{ terminal: shell, state: "idle", agent: { id: "lab", label: "helper" } }]);
  });

  test("takes a prompt, and the end of its turn is a transition", async () => {
    const turn = await agent.call("phux_agent_prompt", {
      target: "%helper",
      text: "work 1 four files",
      timeout_secs: 20,
    });
    expect(turn).toMatchObject({ delivery: "ok", transition_observed: true, edge: { from: "working" } });
    await agent.seesRow(shell, "* four files");
  });

  test("a wait for what does not come is an answer", async () => {
    const waited = await agent.call("phux_agent_wait", { target: "%helper", until: ["blocked"], timeout_secs: 1 });
    expect(waited).toMatchObject({ satisfied: false, terminal: shell });
  });

  test("its question is answered by the exact id, and a stale one types nothing", async () => {
    const watching = agent.call("phux_watch", { target: shell, timeout_secs: 3 });
    await agent.call("phux_agent_prompt", { target: "%helper", text: "ask Ship it? | yes | no", timeout_secs: 20 });
    const { events } = await watching;
    const asked = (events as Document[]).find((item) => item["event"] === "asked");
    expect(asked).toMatchObject({ question: "Ship it?", suggestions: ["yes", "no"] });
    const stale = { target: shell, id: "another", choice: 1 };
    expect(await agent.refusal("phux_agent_answer", stale)).toEqual({ code: "ask_stale", exit: 2 });
    const given = { target: shell, id: asked?.["id"], choice: 2 };
    expect(await agent.call("phux_agent_answer", given)).toMatchObject({ answer: "no", delivered: true });
  });

  test("keys for somebody else are refused", async () => {
    const given = { target: shell, keys: ["x"], expect_agent: "stranger" };
    expect(await agent.refusal("phux_agent_send_keys", given)).toEqual({ code: "agent_mismatch", exit: 2 });
  });

  test("has a log that one call opens, another reads and a third closes", async () => {
    const { resource } = await agent.call("phux_agent_session_open", { target: shell, provider: "test" });
    const data = { kind: "note", message: "halfway" };
    await agent.call("phux_agent_emit", { target: resource, type: "notification", data });
    const { records } = await agent.call("phux_agent_log", { target: resource });
    expect(records).toMatchObject([{ seq: 1, type: "notification", data }]);
    const closed = { schema_version: 1, resource, closed: true };
    expect(await agent.call("phux_agent_session_close", { target: resource })).toEqual(closed);
  });
});

describe("the rest", () => {
  test("phux_launch lists the integrations", async () => {
    const { integrations } = await agent.call("phux_launch", { list: true });
    expect((integrations as Document[]).map((row) => row["integration"]).sort()).toEqual(["lab", "shell"]);
  });

  test("phux_archive saves to a file and finds every session there at an import", async () => {
    const output = join(agent.folder, "archive.json");
    expect(await agent.call("phux_archive", { action: "save", output })).toEqual({
      schema_version: 1,
      saved: true,
      output,
    });
    expect(JSON.parse(readFileSync(output, "utf8"))).toMatchObject({ schema_version: 2, sessions: [{ name: "crew" }] });
    const summary = await agent.call("phux_archive", { action: "import", path: output });
    expect(summary).toMatchObject({ restored: [], skipped_existing: ["crew"] });
  });

  test("phux_project_inspect sees a repository, and says when there is none", async () => {
    const repository = join(agent.folder, "repository");
    const git = (...args: string[]) => Bun.spawnSync(["git", "-c", "user.name=x", "-c", "user.email=x@x", ...args]);
    git("init", "-q", "-b", "trunk", repository);
    git("-C", repository, "commit", "-q", "--allow-empty", "-m", "first");
    const document = await agent.call("phux_project_inspect", { path: repository });
    expect(document).toMatchObject({ repo: { path: realpathSync(repository), branch: "trunk", detached: false } });
    expect(await agent.refusal("phux_project_inspect", { path: agent.folder })).toEqual({ code: "workspace", exit: 1 });
  });

  test("phux_doctor, phux_whoami and phux_perf look at the real server", async () => {
    const { checks, ok } = await agent.call("phux_doctor");
    expect([typeof ok, (checks as Document[]).some(({ name }) => name === "server-health")]).toEqual(["boolean", true]);
    expect(await agent.call("phux_whoami")).toMatchObject({ auth_route: "uds", peer_uid: process.getuid?.() });
    expect(await agent.call("phux_perf")).toMatchObject({ role: "server", pid: process.pid });
  });

  test("phux_perf_trace writes the file that it names", async () => {
    const { path, format } = await agent.call("phux_perf_trace", {
      duration_secs: 1,
      output: join(agent.folder, "t.json"),
    });
    expect(format).toBe("chrome-trace");
    expect(existsSync(String(path))).toBe(true);
    const again = { duration_secs: 1, output: String(path) };
    expect(await agent.refusal("phux_perf_trace", again)).toEqual({ code: "io", exit: 1 });
  });

  test("an older server is refused, not guessed", async () => {
    await using old = await Agent.start({ version: "0.8", session: "main" });
    expect(await old.refusal("phux_whoami")).toEqual({ code: "server_too_old", exit: 1 });
    const open = { target: "@1", provider: "test" };
    expect(await old.refusal("phux_agent_session_open", open)).toEqual({ code: "unsupported_server", exit: 2 });
  });
});
