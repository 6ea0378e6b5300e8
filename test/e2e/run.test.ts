/** phux_run through the compiled binary, in real shells (design.md section 6, issue line 14). */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { Agent } from "./agent.ts";
import { SLACK } from "./raw-host.ts";

setDefaultTimeout(60_000);

interface Shell {
  readonly name: string;
  readonly program: string;
  readonly options: readonly string[];
}

const shells: readonly Shell[] = [
  { name: "sh", program: "/bin/sh", options: ["-i"] },
  { name: "bash", program: "/bin/bash", options: ["--norc", "--noprofile", "-i"] },
  { name: "zsh", program: "/usr/bin/zsh", options: ["-f", "-i"] },
];

const PROMPT = "ready> ";
const commandOf = (shell: Shell) => ["/usr/bin/env", `PS1=${PROMPT}`, shell.program, ...shell.options];

const rows: readonly (readonly [rule: string, command: string, exitCode: number, output: string])[] = [
  ["a plain command", "echo hello", 0, "hello"],
  ["single and double quotes", `echo 'a b'  "c  d"`, 0, "a b c  d"],
  ["a quote inside quotes", `echo "it's"`, 0, "it's"],
  ["a here-document", "cat <<END\nfirst\nsecond $((1 + 1))\nEND", 0, "first\nsecond 2"],
  ["a comment at the end", "echo seen # not seen", 0, "seen"],
  ["a comment alone", "# nothing", 0, ""],
  ["several lines", "echo one\necho two", 0, "one\ntwo"],
  ["no newline at the end of the output", "printf end", 0, "end"],
  ["JSON in the output", `echo '{"exit_code":7}'`, 0, '{"exit_code":7}'],
  ["text like our markers in the output", "echo PHUXrun1x1x0RC=5=END", 0, "PHUXrun1x1x0RC=5=END"],
  ["nothing at all", "true", 0, ""],
  ["exit code 1", "false", 1, ""],
  ["exit code 2", "(exit 2)", 2, ""],
  ["exit code 124", "(exit 124)", 124, ""],
  ["exit code 125", "(exit 125)", 125, ""],
  ["exit code 126", "(exit 126)", 126, ""],
  ["exit code 130", "(exit 130)", 130, ""],
  ["exit code 255", "(exit 255)", 255, ""],
  ["a pipe", "printf 'b\\na\\n' | sort", 0, "a\nb"],
  ["a background job", "(sleep 0.01 &); echo started", 0, "started"],
  ["an end left open by a semicolon", "echo kept;", 0, "kept"],
  ["an exclamation mark", `echo "wow!bang"`, 0, "wow!bang"],
  ["a loop", "for i in 1 2 3; do echo $i; done", 0, "1\n2\n3"],
  ["wide characters", "echo 日本", 0, "日本"],
];

describe.each(shells.map((shell): [string, Shell] => [shell.name, shell]))("phux_run in %s", (_, shell) => {
  const here = existsSync(shell.program);
  if (!here && process.env["PHUX_MCP_SKIP_NOTHING"] === undefined) {
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

  test.each(rows.map((row): [string, typeof row] => [row[0], row]))("%s", async (_, [, command, exitCode, output]) => {
    const document = await agent.call("phux_run", { target: pane, command, timeout_secs: 20 });
    expect(document).toMatchObject({ command, exit_code: exitCode, output, truncated: false });
  });

  test("exit code 127 and what the shell says", async () => {
    const document = await agent.call("phux_run", { target: pane, command: "no-such-program", timeout_secs: 20 });
    expect(document["exit_code"]).toBe(127);
    expect(String(document["output"])).toContain("not found");
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
    const limit = shell.name === "sh" ? 1 : 10;
    const { isError } = await agent.answer("phux_run", { target: pane, command: "echo 'open", timeout_secs: limit });
    // dash gives the line up before the marker, so there the limit ends it; the others answer with a syntax error.
    expect(isError).toBe(shell.name === "sh");
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
});
