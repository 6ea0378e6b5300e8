// Stands in for phux-mcp where a test has to kill it: runs every program named after the kind of watcher, all at once.
import { runCommand } from "../../src/cli/run.ts";
import { BUN_WATCHER, prepareWatcher, SHELL_WATCHER } from "../../src/cli/watcher.ts";

const [, , watcher, ...programs] = process.argv;
const chosen = {
  shell: [SHELL_WATCHER],
  bun: [BUN_WATCHER],
  "no shell": [{ cmd: ["/no/such/sh"], env: {} }, BUN_WATCHER],
};

if (watcher !== undefined && watcher in chosen && programs.length > 0) {
  // Checked one line above.
  prepareWatcher(chosen[watcher as keyof typeof chosen]);
}
const signal = new AbortController().signal;
const runAll = () =>
  Promise.all(programs.map((path) => runCommand({ path, args: [], environment: null, deadlineMs: 60_000 }, signal)));
// Every one once more.
process.on("SIGUSR2", runAll);
await runAll();
console.log("done");
