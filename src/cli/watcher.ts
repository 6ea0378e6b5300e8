// SIGKILL gives us no last word, so another process has to hold it: one that reads the numbers of the running groups
// from a pipe, and kills those still on the list when our end closes, whatever closed it (design.md section 4).

import { BUN_WATCHER, SHELL_WATCHER, type WatcherProgram } from "./watcher-program.ts";

/** The groups of the children that run now and are not reaped: their numbers are certainly still theirs. */
const running = new Set<number>();

type Watcher = Bun.Subprocess<"pipe", "ignore", "ignore">;
let watcher: Watcher | null = null;

/** Starts the watcher unless it runs. */
export function prepareWatcher(programs: readonly WatcherProgram[] = [SHELL_WATCHER, BUN_WATCHER]): void {
  if (watcher !== null) return;
  for (const program of programs) {
    watcher = startWatcher(program);
    if (watcher !== null) break;
  }
  for (const group of running) tell(`+${group}\n`);
}

function startWatcher({ cmd, env }: WatcherProgram): Watcher | null {
  try {
    const started = Bun.spawn({
      cmd,
      env,
      cwd: "/",
      stdin: "pipe",
      stdout: "ignore",
      stderr: "ignore",
      // A session of its own: hosts signal our whole group.
      detached: true,
      onExit(ended) {
        if (watcher !== ended) return;
        watcher = null;
        // Killed by someone, and not one that cannot live here: what runs now needs another.
        if (ended.signalCode === "SIGKILL" && running.size > 0) prepareWatcher();
      },
    });
    started.unref();
    return started;
  } catch {
    // Without a watcher the tools still work; only a SIGKILL of ours would leave children behind.
    return null;
  }
}

/**
 * Starts a child that leads a process group of its own, and takes the group under watch: it dies with us from here on,
 * however we end. `command` is its argument vector; what `spawn` throws goes through.
 */
export function spawnWatched<T extends Bun.Subprocess>(command: readonly string[], spawn: () => T): T {
  hearOfEnds();
  prepareWatcher();
  tell(`?${telling(command)}\n`);
  try {
    const child = spawn();
    // One that is reaped already has given its number away.
    if (child.exitCode === null && child.signalCode === null) watchGroup(child.pid);
    return child;
  } finally {
    tell("?\n");
  }
}

let hearing = false;

/**
 * A host that ignores SIGCHLD hands that on to us. The system would then reap our children itself: we would not learn how
 * they ended, and their numbers could be another's while we still hold them for ours. Any listener undoes it.
 */
function hearOfEnds(): void {
  if (hearing) return;
  hearing = true;
  process.on("SIGCHLD", () => {});
}

function watchGroup(group: number): void {
  running.add(group);
  if (tell(`+${group}\n`)) return;
  // The watcher was killed and we had not heard of it yet: the new one is told of every group.
  watcher = null;
  prepareWatcher();
}

// As much of a command as tells it from every other, the way the kernel shows it to a shell: one line, no NULs.
const TELLING_CHARACTERS = 200;
/** Arguments shorter than this could stand in any command. */
const TELLING_LEAST = 8;

/**
 * The arguments, for a `phux` that is a wrapper has handed itself over to another program by the time somebody looks, but
 * hands its arguments on; with hardly any of them the whole command.
 */
function telling([path = "", ...args]: readonly string[]): string {
  const [told = ""] = args.join("").split("\n", 1);
  const [whole = ""] = `${path}${args.join("")}`.split("\n", 1);
  const line = told.length < TELLING_LEAST ? whole : told;
  return line.slice(0, TELLING_CHARACTERS).replace(/[\ud800-\udbff]$/, "");
}

/** To be called the moment a child is reaped: from then on its group is left alone by everyone. */
export function releaseGroup(group: number): void {
  if (running.delete(group)) tell(`-${group}\n`);
}

/** SIGKILL for every process of a running group. A group that is not under watch is never touched. */
export function killGroup(group: number): void {
  if (!running.has(group)) return;
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // It ended between the look and the kill.
  }
}

/** Kills every running group, at once and without waiting: the last thing before an exit. */
export function killAllRunning(): void {
  for (const group of [...running]) {
    killGroup(group);
    // We may be gone before they are reaped, and their numbers with us.
    releaseGroup(group);
  }
}

/** Writes to the watcher before it returns, so that a SIGKILL right after finds the line delivered. */
function tell(line: string): boolean {
  if (watcher === null) return false;
  try {
    watcher.stdin.write(line);
    // Kept for later only when the watcher does not read; if it dies then, the next line finds out.
    Promise.resolve(watcher.stdin.flush()).catch(() => {});
    return true;
  } catch {
    return false;
  }
}
