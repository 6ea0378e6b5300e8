/** Each tool of every day through the compiled binary, on real shells; its effect is looked at, not its own answer. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { Agent } from "./agent.ts";
import { SLACK } from "./raw-host.ts";

setDefaultTimeout(40_000);

const PROMPT = "ready>";
const SHELL = ["/usr/bin/env", `PS1=${PROMPT} `, "/bin/bash", "--norc", "--noprofile", "-i"];

describe.each(["1.0", "0.9", "0.8"] as const)("with a server of protocol %s", (version) => {
  let agent: Agent;
  let pane = "";

  beforeAll(async () => {
    agent = await Agent.start({ version });
    pane = await agent.session("work", SHELL, PROMPT);
  });
  afterAll(() => agent[Symbol.asyncDispose]());

  test("phux_ls shows the session and its pane", async () => {
    const document = await agent.call("phux_ls");
    expect(document["sessions"]).toMatchObject([{ name: "work", windows: 1, attached: false }]);
    expect(document["terminals"]).toEqual([pane]);
    expect(document["hosts_complete"]).toBe(version !== "0.8");
    expect(document["unreachable"]).toEqual([]);
  });

  test("phux_status describes the server", async () => {
    const [major, minor] = version.split(".").map(Number);
    const document = await agent.call("phux_status");
    expect(document).toMatchObject({ running: true, socket: agent.lab.socket, protocol: { major, minor } });
  });

  test("phux_status of a socket nobody listens on is an answer", async () => {
    const document = await agent.call("phux_status", { socket: `${agent.folder}/none.sock` });
    expect(document).toMatchObject({ running: false, error: { code: "no_server" } });
  });

  test("phux_new refuses a name in use", async () => {
    const { isError, text } = await agent.answer("phux_new", { name: "work" });
    expect([isError, text.includes("work")]).toEqual([true, true]);
  });

  test("phux_send_keys types text and keys", async () => {
    await agent.call("phux_send_keys", { target: pane, keys: ["echo typ", "ed", "Space", "日本", "BSpace", "Enter"] });
    await agent.seesRow(pane, "typed 日");
  });

  test("phux_send_keys interrupts with C-c", async () => {
    // The program itself says that it runs: until then the shell would get the key, and ignore it.
    await agent.call("phux_send_keys", { target: pane, keys: [`sh -c 'echo run""ning; exec sleep 600'`, "Enter"] });
    await agent.seesRow(pane, "running");
    await agent.call("phux_send_keys", { target: pane, keys: ["C-c"] });
    const document = await agent.call("phux_run", { target: pane, command: "echo alive", timeout_secs: 20 });
    expect(document["output"]).toBe("alive");
  });

  test("phux_paste inserts without submitting", async () => {
    await agent.call("phux_paste", { target: pane, text: "echo pasted $((40 + 2))" });
    await agent.sees(pane, "echo pasted $((40 + 2))");
    const before = await agent.call("phux_snapshot", { target: pane });
    expect(JSON.stringify(before["lines"])).not.toContain("pasted 42");
    await agent.call("phux_send_keys", { target: pane, keys: ["Enter"] });
    await agent.seesRow(pane, "pasted 42");
  });

  test("phux_paste of something unsafe that is untrusted types nothing", async () => {
    const given = { target: pane, text: "echo stolen\n", untrusted: true };
    const { isError, text } = await agent.answer("phux_paste", given);
    // 0.8 says that it was sent and drops it; newer servers say that they refuse.
    expect(isError ? JSON.parse(text).error.code : "sent").toBe(version === "0.8" ? "sent" : "unsafe_paste");
    const after = await agent.call("phux_run", { target: pane, command: "echo after", timeout_secs: 20 });
    expect(after["output"]).toBe("after");
    const screen = await agent.call("phux_snapshot", { target: pane, scrollback: 0 });
    expect(JSON.stringify(screen)).not.toContain("stolen");
  });

  test("phux_snapshot reads colours, history and long lines", async () => {
    const printed = "clear; printf '\\033[31mred\\033[0m\\n'; seq 100; printf 'x%.0s' $(seq 100); echo";
    await agent.call("phux_run", { target: pane, command: printed, timeout_secs: 20 });
    const whole = await agent.call("phux_snapshot", { target: pane, scrollback: 0, unwrap: true });
    const rows = [...(whole["scrollback"] as string[]), ...(whole["lines"] as string[])];
    expect(rows).toContain("100");
    expect(rows.some((row) => row.includes("x".repeat(100)))).toBe(true);
    const tail = await agent.call("phux_snapshot", { target: pane, tail: 30 });
    expect(tail).toMatchObject({ truncated: true, truncated_reason: "row_window" });
    expect((tail["scrollback"] as string[]).length + (tail["lines"] as string[]).length).toBe(30);
    await agent.call("phux_run", {
      target: pane,
      command: "clear; printf '\\033[31mred\\033[0m\\n'",
      timeout_secs: 20,
    });
    const cells = (await agent.call("phux_snapshot", { target: pane, cells: true }))["cells"];
    expect(JSON.stringify(cells)).toContain('"fg":{"kind":"palette","index":1}');
  });

  test("phux_snapshot with a format is a rendering, or says why not", async () => {
    const given = { target: pane, format: "html" };
    if (version === "0.8")
      expect(await agent.refusal("phux_snapshot", given)).toEqual({ code: "format_unsupported", exit: 2 });
    else expect((await agent.call("phux_snapshot", given))["rendered"]).toMatchObject({ format: "html" });
  });

  test("phux_wait is met by a text, and times out without it", async () => {
    const waiting = agent.call("phux_wait", { target: pane, until: "slept well", timeout_secs: 20 });
    await agent.call("phux_send_keys", { target: pane, keys: ["sleep 0.3; echo slept we''ll", "Enter"] });
    expect(await waiting).toMatchObject({ outcome: "met" });
    const short = await agent.call("phux_wait", { target: pane, until: "never there", timeout_secs: 1 });
    expect(short).toMatchObject({ outcome: "timed_out" });
    expect(await agent.call("phux_wait", { target: pane, idle_ms: 100, timeout_secs: 20 })).toMatchObject({
      outcome: "met",
    });
  });

  test("phux_watch collects what happens", async () => {
    const watching = agent.call("phux_watch", { target: pane, timeout_secs: 2 });
    await agent.call("phux_send_keys", { target: pane, keys: ["sleep 0.3; printf '\\a\\033]0;named\\a'", "Enter"] });
    const { events, count } = await watching;
    const seen = (events as { event: string; terminal: string; seq?: number }[]).filter(
      ({ terminal }) => terminal === pane,
    );
    expect(seen.map(({ event }) => event)).toEqual(expect.arrayContaining(["bell", "title_changed", "dirty"]));
    expect(count).toBe((events as unknown[]).length);
    expect(seen.every(({ seq }) => (seq === undefined) === (version === "0.8"))).toBe(true);
    expect(await agent.call("phux_watch", { max_events: 0 })).toEqual({ schema_version: 2, events: [], count: 0 });
  });

  test("phux_spawn beside a pane stores a split, and its pane works", async () => {
    const spawned = await agent.call("phux_spawn", { target: pane, split: "vertical", ratio: 0.3, command: SHELL });
    const beside = `@${spawned["terminal_id"]}`;
    await agent.sees(beside, PROMPT);
    // The window is one tab with two panes now, drawn in order: the selector reads the stored layout.
    expect(
      await agent.call("phux_run", { target: "work:0.1", command: "echo beside", timeout_secs: 20 }),
    ).toMatchObject({ output: "beside" });
    expect((await agent.call("phux_ls"))["terminals"]).toEqual([pane, beside]);
    await agent.call("phux_kill", { target: beside, confirm: true });
  });

  test("phux_signal ends a program and leaves the rest", async () => {
    const spawned = await agent.call("phux_spawn", {
      command: ["/bin/sh", "-c", "trap 'sleep 0.3; exit 7' TERM; echo ready; while :; do sleep 0.05; done"],
    });
    const other = `@${spawned["terminal_id"]}`;
    await agent.seesRow(other, "ready");
    expect(await agent.call("phux_signal", { target: other, signal: "freeze" })).toMatchObject({ signaled: true });
    expect(await agent.call("phux_signal", { target: other, signal: "resume" })).toMatchObject({ signaled: true });
    const unconfirmed = await agent.answer("phux_signal", { target: other, signal: "terminate" });
    expect([unconfirmed.isError, unconfirmed.text.includes("confirm")]).toEqual([true, true]);
    const watching = agent.call("phux_watch", { max_events: 40, timeout_secs: 2 });
    await agent.call("phux_signal", { target: other, signal: "terminate", confirm: true });
    expect((await watching)["events"]).toContainEqual(
      expect.objectContaining({ event: "pane_closed", terminal: other, exit_status: 7 }),
    );
  });

  test("phux_kill needs consent, ends the session, and a second one misses", async () => {
    const unconfirmed = await agent.answer("phux_kill", { target: "work" });
    expect([unconfirmed.isError, unconfirmed.text.includes("confirm: true")]).toEqual([true, true]);
    expect(await agent.call("phux_ls")).toMatchObject({ terminals: [pane] });
    expect(await agent.call("phux_kill", { target: "work", confirm: true })).toEqual({
      schema_version: 1,
      killed: true,
      target: "work",
    });
    const gone = performance.now() + 1_000 * SLACK;
    while (((await agent.call("phux_ls"))["terminals"] as string[]).length > 0) {
      expect(performance.now()).toBeLessThan(gone);
    }
    expect(await agent.refusal("phux_kill", { target: "work", confirm: true })).toEqual({
      code: "no_such_target",
      exit: 1,
    });
  });
});

describe("a cancelled call", () => {
  test("closes its socket within 100 ms", async () => {
    await using agent = await Agent.start({ session: "main" });
    const before = agent.lab.server.connections.size;
    const cancel = new AbortController();
    const given = { name: "phux_wait", arguments: { until: "never there", timeout_secs: 60 } };
    const waiting = agent.client
      .callTool(given, undefined, { signal: cancel.signal, timeout: 60_000 })
      .catch(() => null);
    const open = performance.now() + 5_000 * SLACK;
    while (agent.lab.server.connections.size === before) {
      expect(performance.now()).toBeLessThan(open);
      await Bun.sleep(5);
    }
    const began = performance.now();
    cancel.abort();
    while (agent.lab.server.connections.size > before) {
      expect(performance.now() - began).toBeLessThan(100 * SLACK);
      await Bun.sleep(2);
    }
    await waiting;
    expect(await agent.call("phux_ls")).toMatchObject({ schema_version: 3 });
  });
});
