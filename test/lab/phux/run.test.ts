import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { errorOf, type Ran, until, Workbench } from "./workbench.ts";

const shells: readonly (readonly [name: string, ...argv: string[]])[] = [
  ["sh", "/bin/sh"],
  ["bash", "bash", "--norc", "--noprofile"],
  ["zsh", "zsh", "-f"],
];

/** What a command leaves: its exit status, and its output as a text or (where shells differ) a form. */
const commands: [command: string, exit: number, output: string | RegExp][] = [
  ["true", 0, ""],
  ["false", 1, ""],
  ["sh -c 'exit 2'", 2, ""],
  ["sh -c 'exit 124'", 124, ""],
  ["sh -c 'exit 125'", 125, ""],
  ["/etc/passwd", 126, /denied/],
  ["nosuchprogram-x", 127, /not found/],
  ["sh -c 'exit 130'", 130, ""],
  ["sh -c 'exit 255'", 255, ""],
  ["echo out; sh -c 'exit 7'", 7, "out"],
  ["printf no-newline", 0, "no-newline"],
  ["printf 'a\\nb'", 0, "a\nb"],
  ["printf 'a\\n\\nb\\n\\n'", 0, "a\n\nb\n"],
  ["printf '  indented\\n'", 0, "  indented"],
  [`printf '%s|' "it's" 'a "b"' "\\\\" '$HOME' '\`id\`'`, 0, `it's|a "b"|\\|$HOME|\`id\`|`],
  [`printf '{"exit_code":0,"output":"x"}\\n'`, 0, '{"exit_code":0,"output":"x"}'],
  ["echo PHUXrun1x2x0BEGIN; echo PHUXrun1x2x0RC=0=END; sh -c 'exit 5'", 5, "PHUXrun1x2x0BEGIN\nPHUXrun1x2x0RC=0=END"],
  ["printf '%0200d\\n' 1", 0, `${"0".repeat(199)}1`],
  ["printf '%080d' 1", 0, `${"0".repeat(79)}1`],
  ["printf 'a%99sb\\n' ''", 0, `a${" ".repeat(99)}b`],
  ["printf 'ünï 漢😀\\n'", 0, "ünï 漢😀"],
  ["printf '\\033[31mred\\033[0m\\n'", 0, "red"],
  ["eval 'echo a # not b'", 0, "a"],
  ["eval 'echo one\necho two; (exit 3)'", 3, "one\ntwo"],
  ["eval 'cat <<END\nfrom here\nEND'", 0, "from here"],
  ["eval 'echo '\\''it'\\''\\'\\'''\\''s'\\'''", 0, "it's"],
  ["eval 'if true; then\necho yes\nfi'", 0, "yes"],
];

// Each case waits for several processes, on machines that are busy.
setDefaultTimeout(30_000);

let bench: Workbench;
beforeAll(async () => {
  bench = await Workbench.open();
});
afterAll(() => bench.close());

const runIn = (target: string, command: string, ...options: string[]) =>
  bench.phux(["run", "--json", "--timeout", "15", ...options, "--", target, command]);

function documentOf(ran: Ran): Record<string, unknown> {
  expect(ran.stderr).toBe("");
  return JSON.parse(ran.stdout);
}

for (const [name, ...argv] of shells) {
  // The build machine promises to have them all: there a missing one is a failure.
  const here = Bun.which(argv[0] ?? "") !== null || process.env["PHUX_MCP_SKIP_NOTHING"] === "1";
  describe.skipIf(!here)(name, () => {
    beforeAll(() => bench.session(name, ...argv));

    test.each(commands)("%j ends with %d", async (command, exit, output) => {
      const ran = await runIn(name, command);
      expect(ran.exit).toBe(exit);
      const document = documentOf(ran);
      expect(Object.keys(document)).toEqual(["command", "exit_code", "output", "duration_ms", "truncated"]);
      const shown = typeof output === "string" ? output : expect.stringMatching(output);
      expect(document).toMatchObject({ command, exit_code: exit, output: shown, truncated: false });
      expect(document["duration_ms"]).toBeNumber();
    });

    test("what a command changes stays", async () => {
      await runIn(name, "cd /; here=kept");
      expect(documentOf(await runIn(name, 'echo "$PWD $here"'))).toMatchObject({ output: "/ kept" });
    });

    test("more than the viewport is cut at its beginning, and says so", async () => {
      const document = documentOf(await runIn(name, "seq 1 60"));
      expect(document).toMatchObject({ exit_code: 0, truncated: true, output: expect.stringMatching(/\n59\n60$/) });
    });
  });
}

test("two panes run at once", async () => {
  await Promise.all([bench.session("left", "/bin/sh"), bench.session("right", "/bin/sh")]);
  const [left, right] = await Promise.all([
    runIn("left", "sleep 0.2; echo l; sh -c 'exit 3'"),
    runIn("right", "echo r; sleep 0.2; sh -c 'exit 4'"),
  ]);
  expect(documentOf(left)).toMatchObject({ exit_code: 3, output: "l" });
  expect(documentOf(right)).toMatchObject({ exit_code: 4, output: "r" });
});

test("one run after another is never refused for what has just ended", async () => {
  await bench.session("often", "/bin/sh");
  for (let round = 0; round < 5; round += 1) {
    expect(await runIn("often", "sleep 0.15")).toMatchObject({ exit: 0, stderr: "" });
  }
});

test("at its limit a run is given up, and the pane is usable afterwards", async () => {
  await bench.session("slow", "/bin/sh");
  const ran = await bench.phux(["run", "--json", "--timeout", "1", "--", "slow", "sleep 30"]);
  expect(ran).toMatchObject({ exit: 125, stdout: "" });
  expect(ran.stderr).toContain("sleep 30");
  expect(errorOf(ran)).toBeNull();

  const refused = await runIn("slow", "true");
  expect(refused).toMatchObject({ exit: 2, stdout: "" });
  expect(errorOf(refused)).toEqual({ code: "agent_pane_not_available", exit: 2 });

  await bench.phux(["send-keys", "slow", "C-c"]);
  expect(documentOf(await runIn("slow", "echo again"))).toMatchObject({ output: "again" });
});

test("--force types all the same", async () => {
  await bench.session("forced", "/bin/sh");
  await bench.phux(["send-keys", "forced", "sleep 1", "Enter"]);
  const occupied = () => [...bench.lab.server.panes.values()].at(-1)?.activity.occupant?.foreground === "sleep";
  await until(occupied);
  expect(documentOf(await runIn("forced", "echo typed ahead", "--force"))).toMatchObject({ output: "typed ahead" });
});

test("a command may come before the prompt does", async () => {
  await bench.document(["new", "-s", "eager", "--json", "--", "/bin/sh", "-c", "sleep 0.3; exec /bin/sh"]);
  expect(documentOf(await runIn("eager", "echo early", "--force"))).toMatchObject({
    output: "early",
    truncated: false,
  });
});

test("a server that is silent uses the time up too", async () => {
  bench.lab.faults.silent = ["GET_STATE"];
  const ran = await bench.phux(["run", "--json", "--timeout", "1", "--", "main", "true"]);
  bench.lab.faults.silent = [];
  expect(ran).toMatchObject({ exit: 125, stdout: "" });
});

test("a shell that ends takes the exit code with it", async () => {
  await bench.session("leaving", "/bin/sh");
  const ran = await runIn("leaving", "exit 3");
  expect(ran).toMatchObject({ exit: 1, stdout: "" });
  expect(errorOf(ran)).toEqual({ code: "no_such_target", exit: 1 });
});

test("a pane narrower than the marks", async () => {
  await bench.session("narrow", "/bin/sh");
  const [pane] = [...bench.lab.server.panes.values()].slice(-1);
  pane?.terminal.resize(20, 10);
  expect(documentOf(await runIn("narrow", "echo narrow"))).toMatchObject({ output: "narrow", exit_code: 0 });
});

test("without --json a person reads the output and the exit code", async () => {
  await bench.session("person", "/bin/sh");
  const ran = await bench.phux(["run", "person", "echo", "two", "words"]);
  expect(ran).toMatchObject({ exit: 0, stderr: "", stdout: expect.stringMatching(/^two words\nexit=0 \(\d+ms\)\n$/) });
});
