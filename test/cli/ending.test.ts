import { afterEach, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { STDOUT_CAP } from "../../src/cli/run.ts";
import { killAllRunning } from "../../src/cli/watcher.ts";
import {
  alive,
  end,
  hangingProgram,
  outcomeOf,
  ownChildren,
  pidsIn,
  program,
  run,
  temporaryFolder,
  until,
} from "./children.ts";

const folder = temporaryFolder();
const openFiles = () => readdirSync("/proc/self/fd").length;
const hanging = (before?: string) => hangingProgram(folder, before);

afterEach(async () => {
  await until(() => ownChildren().length === 0, 2_000, "no child is left, and no zombie");
});

describe("the deadline", () => {
  test("takes the whole group", async () => {
    const { path, pids } = hanging();
    const running = run(path, { deadlineMs: 150 });
    const group = await pids();
    const { ended, signal, durationMs } = outcomeOf(await running);
    expect([ended, signal]).toEqual(["deadline", "SIGKILL"]);
    expect(durationMs).toBeGreaterThan(149);
    expect(durationMs).toBeLessThan(1_000);
    await until(() => !group.some(alive), 300, "child and grandchild are dead");
  });

  test("a child that answers and then hangs still ends at it", async () => {
    const { path, pids } = hanging("echo '{}'");
    const running = run(path, { deadlineMs: 150 });
    const group = await pids();
    expect(outcomeOf(await running)).toMatchObject({ ended: "deadline", out: "{}\n" });
    await until(() => !group.some(alive), 300, "child and grandchild are dead");
  });

  test("a child that has closed its pipes too", async () => {
    const { path } = hanging("exec >&- 2>&-");
    expect(outcomeOf(await run(path, { deadlineMs: 150 }))).toMatchObject({ ended: "deadline" });
  });

  test.each([0, -1])("%d ms is over at once", async (deadlineMs) => {
    expect(outcomeOf(await run("/bin/sleep", { args: ["300"], deadlineMs }))).toMatchObject({ ended: "deadline" });
  });

  test.each([3_700_000, 2 ** 31, 1e15])("%d ms is not over at once", async (deadlineMs) => {
    const path = program(folder, "sleep 0.05; echo done");
    expect(outcomeOf(await run(path, { deadlineMs }))).toMatchObject({ ended: "exited", out: "done\n" });
  });
});

describe("a cancel", () => {
  test.each([
    ["an ordinary tree", "", () => {}],
    ["one that ignores every signal it can", "trap '' TERM INT HUP QUIT", () => {}],
    ["one that has answered", "echo '{}'", () => {}],
    ["one that is stopped", "", (group: number) => process.kill(-group, "SIGSTOP")],
  ])("kills %s within 100 ms", async (_, before, then) => {
    const { path, pids } = hanging(before);
    const call = new AbortController();
    const running = run(path, {}, call.signal);
    const group = await pids();
    then(group[0] ?? 0);
    const began = performance.now();
    call.abort();
    expect(outcomeOf(await running)).toMatchObject({ ended: "aborted", signal: "SIGKILL" });
    await until(() => !group.some(alive), 100, "child and grandchild are dead");
    expect(performance.now() - began).toBeLessThan(100);
  });

  test("before the start: nothing is started", async () => {
    const trace = join(folder, "trace");
    const path = program(folder, `: > '${trace}'`);
    expect(outcomeOf(await run(path, {}, AbortSignal.abort()))).toMatchObject({ ended: "aborted", exitCode: null });
    expect(readdirSync(folder)).not.toContain("trace");
  });

  test("after the end: nothing happens", async () => {
    const call = new AbortController();
    const outcome = outcomeOf(await run("/bin/true", {}, call.signal));
    call.abort();
    expect(outcome).toMatchObject({ ended: "exited", exitCode: 0 });
  });

  test("40 at once leave no process and no open file", async () => {
    outcomeOf(await run("/bin/true"));
    const before = openFiles();
    const calls = Array.from({ length: 40 }, () => ({ call: new AbortController(), tree: hanging() }));
    const running = calls.map(({ call, tree }) => run(tree.path, {}, call.signal));
    const groups = (await Promise.all(calls.map(({ tree }) => tree.pids()))).flat();
    expect(groups.filter(alive).length).toBe(80);
    for (const { call } of calls) call.abort();
    for (const result of await Promise.all(running)) expect(outcomeOf(result).ended).toBe("aborted");
    await until(() => !groups.some(alive), 500, "80 processes are dead");
    await until(() => openFiles() <= before, 500, "their files are closed");
  });
});

describe("a grandchild that outlives its parent", () => {
  test.each([
    ["holds both pipes", "/bin/sleep 300 &", "exit 0", 0],
    ["holds them after a failure", "/bin/sleep 300 &", "exit 2", 2],
    ["left the group, as a phux server does", "setsid /bin/sleep 300 &", "exit 0", 0],
    ["left the group and the pipes", "setsid /bin/sleep 300 >/dev/null 2>&1 &", "exit 0", 0],
  ])("%s: the call ends and it lives", async (_, grandchild, exit, exitCode) => {
    const file = join(folder, `grandchild-${Math.random()}`);
    const path = program(folder, `${grandchild}\necho $! > '${file}'\necho '{"a":1}'\necho warning >&2\n${exit}`);
    const outcome = outcomeOf(await run(path));
    const [pid = 0] = await pidsIn(file, 1);
    try {
      expect(outcome).toMatchObject({ ended: "exited", exitCode, out: '{"a":1}\n', err: "warning\n" });
      expect(outcome.durationMs).toBeLessThan(1_000);
      expect(alive(pid)).toBe(true);
      killAllRunning();
      expect(alive(pid)).toBe(true);
    } finally {
      end(pid);
    }
    await until(() => !alive(pid), 500, "it is gone after the test");
  });

  test("all that its parent printed is there, up to the cap", async () => {
    const file = join(folder, "late");
    const path = program(folder, `/bin/sleep 300 & echo $! > '${file}'\nhead -c ${STDOUT_CAP} /dev/zero`);
    const { ended, stdout } = outcomeOf(await run(path));
    end(...(await pidsIn(file, 1)));
    expect([ended, stdout.length]).toEqual(["exited", STDOUT_CAP]);
  });

  test("a server that left the group survives the cancel of the one who started it", async () => {
    const file = join(folder, `server-${Math.random()}`);
    const path = program(folder, `setsid /bin/sh -c 'echo $$ > "${file}"; exec /bin/sleep 300' & wait`);
    const call = new AbortController();
    const running = run(path, {}, call.signal);
    const [server = 0] = await pidsIn(file, 1);
    call.abort();
    expect(outcomeOf(await running).ended).toBe("aborted");
    expect(alive(server)).toBe(true);
    end(server);
  });
});

test("killAllRunning ends every running tree, before it returns", async () => {
  const trees = [hanging(), hanging("trap '' TERM"), hanging()];
  const running = trees.map(({ path }) => run(path));
  const groups = (await Promise.all(trees.map(({ pids }) => pids()))).flat();
  killAllRunning();
  for (const result of await Promise.all(running)) expect(outcomeOf(result).signal).toBe("SIGKILL");
  await until(() => !groups.some(alive), 100, "all six are dead");
});
