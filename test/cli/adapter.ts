// Stands in for phux-mcp where a test has to kill it: `adapter.ts WATCHER MOMENT PROGRAM...` runs every program at once.
import { runCommand } from "../../src/cli/run.ts";
import { prepareWatcher, spawnWatched } from "../../src/cli/watcher.ts";
import { BUN_WATCHER, SHELL_WATCHER, type WatcherProgram } from "../../src/cli/watcher-program.ts";

const [, , watcher = "shell", moment, ...programs] = process.argv;
const programsOf: Record<string, WatcherProgram[]> = {
  shell: [SHELL_WATCHER],
  bun: [BUN_WATCHER],
  "no shell": [{ cmd: ["/no/such/sh"], env: {} }, BUN_WATCHER],
};
if (programs.length > 0) prepareWatcher(programsOf[watcher]);

if (moment === "killed in between") {
  // The child runs, and its number has not reached the watcher: what a SIGKILL can hit only by chance, on purpose.
  const [path = "", ...args] = programs;
  spawnWatched([path, ...args], () => {
    Bun.spawn({ cmd: [path, ...args], stdin: "ignore", stdout: "pipe", stderr: "pipe", detached: true });
    process.kill(process.pid, "SIGKILL");
    throw new Error("we were killed");
  });
}

const signal = new AbortController().signal;
const runAll = () =>
  Promise.all(programs.map((path) => runCommand({ path, args: [], environment: null, deadlineMs: 60_000 }, signal)));
// Every one once more.
process.on("SIGUSR2", runAll);
const ended = await runAll();
console.log(["done", ...ended.map((run) => (run.ok ? run.value.exitCode : run.error.code))].join(" "));
if (moment === "idle") await new Promise(() => setInterval(() => {}, 1_000));
