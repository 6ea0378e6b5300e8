import { afterEach, describe, expect, test } from "bun:test";
import { readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { deafRuntime } from "../../scripts/deaf-runtime.ts";
import {
  alive,
  childrenOf,
  commandLine,
  end,
  hangingProgram,
  pidsIn,
  processesOf,
  program,
  temporaryFolder,
  until,
} from "./children.ts";

const folder = temporaryFolder();
const adapterSource = join(import.meta.dir, "adapter.ts");
const started: Bun.Subprocess[] = [];
afterEach(() => {
  for (const adapter of started.splice(0)) end(adapter.pid);
});

/** Starts a stand-in for phux-mcp, in a process group of its own as hosts do. */
function adapter(
  watcher: string,
  programs: readonly string[],
  command = [process.execPath, adapterSource],
  moment = "running",
) {
  const child = Bun.spawn({
    cmd: [...command, watcher, moment, ...programs],
    stdin: "ignore",
    stdout: "pipe",
    detached: true,
  });
  started.push(child);
  return child;
}

/** Neither of its two processes ends, or can be asked to. */
const tree = () => hangingProgram(folder, "trap '' TERM INT HUP");

const seenWatcherOf = (pid: number) =>
  childrenOf(pid).find((child) => /phux-mcp-watcher|SIGHUP/.test(commandLine(child))) ?? 0;

/** A new process has no command line for a moment. */
async function watcherOf(pid: number, otherThan = 0): Promise<number> {
  await until(() => ![0, otherThan].includes(seenWatcherOf(pid)), 20_000, "a watcher runs");
  return seenWatcherOf(pid);
}

describe("after a SIGKILL of the adapter", () => {
  const compiled = join(folder, "adapter");
  // Over the runtime that the product is compiled over: its names of variables are the ones that count.
  const build = () => {
    const runtime = deafRuntime(process.execPath, folder);
    if (!runtime.ok) throw new Error(runtime.error);
    const over = `--compile-executable-path=${runtime.value}`;
    const cmd = [process.execPath, "build", "--compile", over, "--outfile", compiled, adapterSource];
    const { success, stderr } = Bun.spawnSync({ cmd, stdout: "ignore", stderr: "pipe" });
    if (!success) throw new Error(stderr.toString());
  };
  const killIt = (pid: number) => process.kill(pid, "SIGKILL");
  const killGroup = (pid: number) => process.kill(-pid, "SIGKILL");
  /** As hosts do that walk the tree: everyone is asked first, the one who cleans up included. */
  const askAllThenKill = (pid: number) => {
    for (const child of [...childrenOf(pid), pid]) process.kill(child, "SIGTERM");
    killIt(pid);
  };
  const fromSource = [process.execPath, adapterSource];
  const rows: [rule: string, watcher: string, kill: (pid: number) => void, command: string[]][] = [
    ["the adapter alone", "shell", killIt, fromSource],
    ["its whole group", "shell", killGroup, fromSource],
    ["after a SIGTERM to every child", "shell", askAllThenKill, fromSource],
    ["the adapter alone, watched by our own executable", "bun", killIt, fromSource],
    ["its whole group, watched by our own executable", "bun", killGroup, fromSource],
    ["where there is no shell", "no shell", killIt, fromSource],
    ["compiled", "shell", killGroup, [compiled]],
    ["compiled, where there is no shell", "no shell", killGroup, [compiled]],
  ];
  test.each(rows)("every tree is dead within a second: %s", async (_, watcher, kill, command) => {
    if (command[0] === compiled) build();
    const trees = [tree(), tree(), tree()];
    const { pid } = adapter(
      watcher,
      trees.map(({ path }) => path),
      command,
    );
    const groups = (await Promise.all(trees.map(({ pids }) => pids()))).flat();
    const watching = await watcherOf(pid);

    kill(pid);
    await until(() => !groups.some(alive), 1_000, "three trees are dead");
    await until(() => !alive(watching), 1_000, "the watcher has ended");
  });

  const hard = ["run", "--json", "--", "@1", "a b\nc $(id) * [x] \\", "漢😀é"];
  const long = [`${"x".repeat(150)}${"😀".repeat(2_000)}`];
  test.each([
    ["with no argument, by a shell", "shell", []],
    ["with no argument, by our own executable", "bun", []],
    ["with arguments of every kind, by a shell", "shell", hard],
    ["with arguments of every kind, by our own executable", "bun", hard],
    ["with one that is cut inside a character, by a shell", "shell", long],
    ["with one that is cut inside a character, by our own executable", "bun", long],
  ])("a child whose number was not told yet is found, and its twin left alone: %s", async (_, watcher, args) => {
    const { path, pids } = tree();
    const twin = Bun.spawn({ cmd: [path, ...args], stdin: "ignore", stdout: "pipe", stderr: "pipe", detached: true });
    const [leader = 0, grandchild = 0] = await pids();
    await adapter(watcher, [path, ...args], undefined, "killed in between").exited;
    // The killed one may not have come as far as telling its numbers.
    const group = () => processesOf(path).filter((pid) => pid !== leader);
    await until(() => group().length === 0, 1_000, "the tree is dead");
    expect([leader, grandchild].every(alive)).toBe(true);
    process.kill(-leader, "SIGKILL");
    await twin.exited;
  });

  test.each([["shell"], ["bun"]] as const)(
    "a phux that hands itself over to another program is found too: %s",
    async (watcher) => {
      const { path } = tree();
      const wrapper = program(folder, `exec '${path}' "$@"`);
      await adapter(watcher, [wrapper, ...hard], undefined, "killed in between").exited;
      await until(() => processesOf(path).length === 0, 1_000, "the tree is dead");
    },
  );

  test("a group whose child had ended by itself is left alone", async () => {
    const file = join(folder, "left-alone");
    const ended = program(folder, `/bin/sleep 300 >/dev/null 2>&1 &\necho $$ $! > '${file}'`);
    const hanging = tree();
    const { pid } = adapter("shell", [ended, hanging.path]);
    const [child = 0, grandchild = 0] = await pidsIn(file, 2);
    const group = await hanging.pids();
    await until(() => !childrenOf(pid).includes(child), 1_000, "the child is reaped");
    await Bun.sleep(20);

    end(pid);
    await until(() => !group.some(alive), 1_000, "the running tree is dead");
    expect(alive(grandchild)).toBe(true);
    end(grandchild);
  });
});

// Who wants no zombies ignores SIGCHLD and hands that on (dash would not); then nobody learns how a child ended.
test("a host that ignores SIGCHLD: how a child ends is known all the same", async () => {
  const programs = ["exit 0", "exit 7"].map((body) => program(folder, body));
  const line = `trap '' CHLD; exec "$0" "$@"`;
  const { stdout, exited } = adapter("shell", programs, ["/bin/bash", "-c", line, process.execPath, adapterSource]);
  expect(await stdout.text()).toBe("done 0 7\n");
  expect(await exited).toBe(0);
});

describe("the watcher", () => {
  test("is not there before the first child", async () => {
    const idle = adapter("shell", [], undefined, "idle");
    const { value } = await idle.stdout.getReader().read();
    expect(Buffer.from(value ?? []).toString()).toBe("done\n");
    expect(childrenOf(idle.pid)).toEqual([]);
  });

  test("holds nothing of ours: no stream, no session, no folder, no environment", async () => {
    const { path, pids } = tree();
    const { pid } = adapter("shell", [path]);
    await pids();
    const watching = await watcherOf(pid);
    const [one, two, ...others] = [1, 2, 3, 4, 5].map((fd) => {
      try {
        return readlinkSync(`/proc/${watching}/fd/${fd}`);
      } catch {
        return null;
      }
    });
    expect([one, two]).toEqual(["/dev/null", "/dev/null"]);
    expect(others).toEqual([null, null, null]);
    expect(readlinkSync(`/proc/${watching}/cwd`)).toBe("/");
    expect(readFileSync(`/proc/${watching}/environ`, "utf8")).toBe("");
    const [, , session] = readFileSync(`/proc/${watching}/stat`, "latin1")
      .replace(/^.*\) . /, "")
      .split(" ");
    expect(Number(session)).toBe(watching);
  });

  test("does not keep us running, and ends with us", async () => {
    const done = adapter("shell", [program(folder, "sleep 0.05")]);
    const watching = await watcherOf(done.pid);
    expect(await done.exited).toBe(0);
    await until(() => !alive(watching), 1_000, "it has ended");
  });

  test("that was killed is replaced with the next child, and the new one knows the groups of before", async () => {
    const { path, pids } = tree();
    const { pid } = adapter("shell", [path]);
    await pids();
    const killed = await watcherOf(pid);
    end(killed);
    process.kill(pid, "SIGUSR2");
    const groups = await pids(2);
    await watcherOf(pid, killed);

    end(pid);
    await until(() => !groups.some(alive), 1_000, "both trees are dead");
  });
});
