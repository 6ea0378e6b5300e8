/** phux_run and phux_wait through the compiled binary, in real shells: kind E (design.md section 6). */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { Agent } from "../e2e/agent.ts";
import { SLACK } from "../e2e/raw-host.ts";
import { commandOf, isHere, PROMPT, type Row, rows, type Shell, shells } from "./e-shells.ts";

setDefaultTimeout(60_000);

describe.each(shells.map((shell): [string, Shell] => [shell.name, shell]))("phux_run in %s", (_, shell) => {
  if (!isHere(shell)) {
    test.skip(`${shell.name} is not installed here`, () => {});
    return;
  }
  let agent: Agent;
  let pane = "";
  const open = (name: string) => agent.session(name, commandOf(shell), PROMPT.trim());

  beforeAll(async () => {
    agent = await Agent.start();
    pane = await open("runs");
  });
  afterAll(() => agent[Symbol.asyncDispose]());

  test.each(rows.map((row): [string, Row] => [row[0], row]))("%s", async (_, [, command, exitCode, output]) => {
    const document = await agent.call("phux_run", { target: pane, command, timeout_secs: 20 });
    expect(document).toMatchObject({ command, exit_code: exitCode, output, truncated: false });
  });

  test("exit code 127 and what the shell says", async () => {
    const document = await agent.call("phux_run", { target: pane, command: "no-such-program", timeout_secs: 20 });
    expect(document["exit_code"]).toBe(127);
    expect(String(document["output"])).toContain("not found");
  });

  test("killed by a signal: 128 and its number", async () => {
    const command = "sh -c 'kill -TERM $$'";
    const document = await agent.call("phux_run", { target: pane, command, timeout_secs: 20 });
    expect(document["exit_code"]).toBe(143);
  });

  const failures: [about: string, command: string][] = [
    ["a pattern that matches nothing", "ls /none/*.none"],
    ["brackets that match nothing", "ls [q]none"],
    ["a directory that is none", "cd /none"],
    ["a program that cannot be run", "/etc/hostname"],
  ];
  test.each(failures)("%s is a failure with a code, at once", async (_, command) => {
    const began = performance.now();
    const document = await agent.call("phux_run", { target: pane, command, timeout_secs: 20 });
    expect(document["exit_code"]).toBeGreaterThan(0);
    expect(performance.now() - began).toBeLessThan(5_000 * SLACK);
  });

  test("an unset variable under set -u, and a number that is none", async () => {
    const own = await open("unset");
    await agent.call("phux_run", { target: own, command: "set -u", timeout_secs: 20 });
    // In dash and ash such an error ends the line, eval or not: there the limit ends the call (docs/decisions.md).
    const dropsLine = shell.name === "sh" || shell.name === "busybox";
    for (const command of ["echo $nothing_set", "echo $((1 / 0))"]) {
      const limit = dropsLine ? 1 : 20;
      const { text, isError } = await agent.answer("phux_run", { target: own, command, timeout_secs: limit });
      expect(isError).toBe(dropsLine);
      if (!isError) expect(JSON.parse(text).exit_code).not.toBe(0);
    }
    const after = await agent.call("phux_run", { target: own, command: "echo usable", timeout_secs: 20 });
    expect(after["output"]).toBe("usable");
  });

  test("a job left in the background does not hold the call", async () => {
    const document = await agent.call("phux_run", { target: pane, command: "sleep 0.5 &", timeout_secs: 20 });
    expect(document["exit_code"]).toBe(0);
    expect(document["duration_ms"]).toBeLessThan(400 * SLACK);
  });

  test("cd and variables stay", async () => {
    await agent.call("phux_run", { target: pane, command: "cd / && kept=here", timeout_secs: 20 });
    const document = await agent.call("phux_run", { target: pane, command: 'echo "$PWD $kept"', timeout_secs: 20 });
    expect(document["output"]).toBe("/ here");
  });

  test("output that leaves the viewport is cut, and says where the rest is", async () => {
    const document = await agent.call("phux_run", { target: pane, command: "seq 200", timeout_secs: 20 });
    expect(document).toMatchObject({ exit_code: 0, truncated: true });
    expect(String(document["output"]).endsWith("200")).toBe(true);
    expect(String(document["truncated_hint"])).toContain("phux_snapshot");
  });

  test("at the time limit the call fails and the pane is usable", async () => {
    const { text, isError } = await agent.answer("phux_run", { target: pane, command: "sleep 600", timeout_secs: 1 });
    expect(isError).toBe(true);
    expect(text.length).toBeGreaterThan(10);
    await agent.call("phux_send_keys", { target: pane, keys: ["C-c"] });
    const after = await agent.call("phux_run", { target: pane, command: "echo usable", timeout_secs: 20 });
    expect(after["output"]).toBe("usable");
  });

  test("an unfinished quote ends the call, and the pane is usable", async () => {
    const givesUp = shell.name === "sh" || shell.name === "busybox";
    const limit = givesUp ? 1 : 10;
    const { isError } = await agent.answer("phux_run", { target: pane, command: "echo 'open", timeout_secs: limit });
    // dash and ash give the line up before the marker, so there the limit ends it; the others answer with a syntax error.
    expect(isError).toBe(givesUp);
    const after = await agent.call("phux_run", { target: pane, command: "echo usable", timeout_secs: 20 });
    expect(after["output"]).toBe("usable");
  });

  test("two runs at once, in two panes", async () => {
    const other = await open("beside");
    const runs = [pane, other].map((target, at) =>
      agent.call("phux_run", { target, command: `sleep 0.2; echo run ${at}; (exit ${at})`, timeout_secs: 20 }),
    );
    expect(await Promise.all(runs)).toMatchObject([
      { exit_code: 0, output: "run 0" },
      { exit_code: 1, output: "run 1" },
    ]);
  });

  test("a shell that exits is an error, and the server goes on", async () => {
    const dying = await open("dying");
    const { isError } = await agent.answer("phux_run", { target: dying, command: "exit 4", timeout_secs: 3 });
    expect(isError).toBe(true);
    expect(await agent.call("phux_ls")).toMatchObject({ schema_version: 3 });
  });

  test("set -e of an earlier call does not end the shell by a command that fails within an if", async () => {
    const own = await open("strict");
    await agent.call("phux_run", { target: own, command: "set -u", timeout_secs: 20 });
    const unset = await agent.call("phux_run", {
      target: own,
      command: `echo "\${nothing:-fallback}"`,
      timeout_secs: 20,
    });
    expect(unset).toMatchObject({ exit_code: 0, output: "fallback" });
  });

  test("set -e and a failing command: the shell ends, which is an error and no code", async () => {
    const own = await open("dead");
    await agent.call("phux_run", { target: own, command: "set -e", timeout_secs: 20 });
    const { isError, text } = await agent.answer("phux_run", { target: own, command: "false", timeout_secs: 5 });
    expect([isError, text.includes('exit_code": 0')]).toEqual([true, false]);
  });

  test("an alias of an earlier call, and an exported variable in a child", async () => {
    const set = "alias shout='echo LOUD'; export SHARED=seen";
    await agent.call("phux_run", { target: pane, command: set, timeout_secs: 20 });
    const used = await agent.call("phux_run", { target: pane, command: "shout now", timeout_secs: 20 });
    expect(used).toMatchObject({ exit_code: 0, output: "LOUD now" });
    const child = await agent.call("phux_run", { target: pane, command: "sh -c 'echo $SHARED'", timeout_secs: 20 });
    expect(child["output"]).toBe("seen");
  });

  test("a job of an earlier call that ends during a later one", async () => {
    await agent.call("phux_run", { target: pane, command: "sleep 0.15 &", timeout_secs: 20 });
    const document = await agent.call("phux_run", { target: pane, command: "sleep 0.4; echo done", timeout_secs: 20 });
    expect(document["exit_code"]).toBe(0);
    expect(String(document["output"])).toContain("done");
  });

  test("a command that clears the screen still ends with its code", async () => {
    const clear = "printf '\\033[2J\\033[H'; echo kept; (exit 5)";
    const document = await agent.call("phux_run", { target: pane, command: clear, timeout_secs: 20 });
    expect(document["exit_code"]).toBe(5);
    expect(String(document["output"])).toContain("kept");
  });
});

describe("prompts", () => {
  const prompts: [about: string, prompt: string, options: string[], shows: string][] = [
    ["with colours", String.raw`\[\e[1;32m\]ready>\[\e[0m\] `, [], "ready>"],
    ["of two lines", String.raw`\w \n\$ `, [], "/"],
    ["with the last code in it", "[$?] ready> ", [], "ready>"],
    ["that sets the title", String.raw`\[\e]0;title\a\]ready> `, [], "ready>"],
    ["that is empty", "", [], ""],
    ["that looks like a closing mark", "PHUXrun1x1x0RC=5=END ", [], "PHUXrun"],
  ];
  test.each(prompts)("%s", async (_, prompt, options, shows) => {
    await using agent = await Agent.start();
    const shell: Shell = { name: "bash", program: "/bin/bash", options: ["--norc", "--noprofile", ...options, "-i"] };
    const pane = await agent.session("prompt", commandOf(shell, prompt), shows);
    const one = await agent.call("phux_run", { target: pane, command: "echo one; (exit 3)", timeout_secs: 20 });
    expect(one).toMatchObject({ exit_code: 3, output: "one" });
    const two = await agent.call("phux_run", { target: pane, command: "echo $?\necho two", timeout_secs: 20 });
    expect(two).toMatchObject({ exit_code: 0 });
    expect(String(two["output"])).toEndWith("two");
  });

  test("on the right, in zsh", async () => {
    const zsh = shells.find(({ name }) => name === "zsh");
    if (zsh === undefined || !isHere(zsh)) return;
    await using agent = await Agent.start();
    const command = ["/usr/bin/env", `PS1=${PROMPT}`, "RPS1=%F{red}right%f", zsh.program, ...zsh.options];
    const pane = await agent.session("right", command, PROMPT.trim());
    const document = await agent.call("phux_run", { target: pane, command: "echo left; (exit 4)", timeout_secs: 20 });
    expect(document).toMatchObject({ exit_code: 4, output: "left" });
  });
});

describe("a pane whose program is no shell at its prompt", () => {
  const programs: [about: string, command: string[], here: string][] = [
    ["an editor of its own", ["/usr/bin/vi", "+set nocompatible", "/tmp/none-such"], "/usr/bin/vi"],
    ["a pager of its own", ["/usr/bin/less", "/etc/services"], "/usr/bin/less"],
    ["a program that reads lines", ["/bin/sh", "-c", "echo started; exec cat"], "/bin/cat"],
    // Not a POSIX shell: what phux types is an error there, and no code comes back.
    ["fish", ["/bin/sh", "-c", "HOME=$PWD TMPDIR=$PWD exec fish --no-config -i"], "/usr/bin/fish"],
  ];
  test.each(programs)("%s: refused with a way out, and nothing is typed", async (_, command, program) => {
    if (!existsSync(program) && process.env["PHUX_MCP_SKIP_NOTHING"] === undefined) return;
    await using agent = await Agent.start();
    const { terminal_id } = await agent.call("phux_new", { name: "busy", command });
    const pane = `@${terminal_id}`;
    await agent.call("phux_wait", { target: pane, idle_ms: 400, timeout_secs: 10 });
    const before = await agent.call("phux_snapshot", { target: pane });
    const { text, isError } = await agent.answer("phux_run", { target: pane, command: "echo hi", timeout_secs: 3 });
    expect(isError).toBe(true);
    expect(JSON.parse(text)).toMatchObject({ error: { code: "agent_pane_not_available" }, exit_code: 2 });
    expect(JSON.parse(text).remedy).toContain("force: true");
    const after = await agent.call("phux_snapshot", { target: pane });
    expect(after["lines"]).toEqual(before["lines"]);
  });

  const started: [about: string, line: string, program: string][] = [
    ["a pager started from the shell", "less /etc/services", "/usr/bin/less"],
    ["a command that runs", "sleep 30", "/bin/sleep"],
    ["another shell inside", "sh -c 'read line'", "/bin/sh"],
  ];
  test.each(started)("%s", async (_, line) => {
    await using agent = await Agent.start();
    const shell = shells[1];
    if (shell === undefined) throw new Error("no bash");
    const pane = await agent.session("inside", commandOf(shell), PROMPT.trim());
    await agent.call("phux_send_keys", { target: pane, keys: [line, "Enter"] });
    await agent.call("phux_wait", { target: pane, idle_ms: 400, timeout_secs: 10 });
    const before = await agent.call("phux_snapshot", { target: pane });
    expect(await agent.refusal("phux_run", { target: pane, command: "echo hi", timeout_secs: 3 })).toEqual({
      code: "agent_pane_not_available",
      exit: 2,
    });
    expect((await agent.call("phux_snapshot", { target: pane }))["lines"]).toEqual(before["lines"]);
  });

  test("force types all the same, where the person says so", async () => {
    await using agent = await Agent.start();
    const pane = await agent.session("forced", ["/bin/cat"], "");
    const { isError } = await agent.answer("phux_run", { target: pane, command: "true", force: true, timeout_secs: 1 });
    expect(isError).toBe(true);
    await agent.sees(pane, "PHUXrun");
  });

  test("an old server, whose phux does not look, is no reason to type into an editor", async () => {
    await using agent = await Agent.start({ version: "0.8" });
    const pane = await agent.session("old", ["/bin/cat"], "");
    await agent.call("phux_send_keys", { target: pane, keys: ["x", "Enter"] });
    await agent.seesRow(pane, "x");
    await agent.call("phux_wait", { target: pane, idle_ms: 400, timeout_secs: 10 });
    const { code } = await agent.refusal("phux_run", { target: pane, command: "true", timeout_secs: 1 });
    expect(code).toBe("agent_pane_not_available");
  });
});
