// What the tests of this room share: programs written for one test, and looks at the processes of this machine.
import { afterAll } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Command, type CommandOutcome, runCommand, type SpawnFailure } from "../../src/cli/run.ts";
import type { Result } from "../../src/wire/result.ts";

/** A folder that is gone after the tests of a file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "phux-mcp-cli-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

let serial = 0;
/** An executable written for one test. `body` is sh, or a whole program with a first line of its own. */
export function program(folder: string, body: string): string {
  const path = join(folder, `program-${serial++}`);
  writeFileSync(path, body.startsWith("#!") ? body : `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  return path;
}

/**
 * A program with a child of its own in the same group, both holding the pipes, that never ends. `pids` waits for the
 * two numbers of every start so far. `before` is sh that runs first.
 */
export function hangingProgram(
  folder: string,
  before = "",
): { path: string; pids: (starts?: number) => Promise<number[]> } {
  const file = join(folder, `pids-${serial++}`);
  const path = program(folder, `${before}\n/bin/sleep 300 &\necho $$ $! >> '${file}'\nwait`);
  return { path, pids: (starts = 1) => pidsIn(file, 2 * starts) };
}

/** Runs a program with nothing special about it, but for what `special` says. */
export function run(
  path: string,
  special: Partial<Command> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Result<CommandOutcome, SpawnFailure>> {
  return runCommand({ path, args: [], environment: null, deadlineMs: 20_000, ...special }, signal);
}

/** The outcome of a run that must have started. */
export function outcomeOf(result: Result<CommandOutcome, SpawnFailure>): CommandOutcome & { out: string; err: string } {
  if (!result.ok) throw new Error(result.error.message);
  const { stdout, stderr } = result.value;
  return { ...result.value, out: Buffer.from(stdout).toString(), err: Buffer.from(stderr).toString() };
}

function statusOf(pid: number): { state: string; parent: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state = "", parent = ""] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { state, parent: Number(parent) };
  } catch {
    return null;
  }
}

/** A zombie is dead: it only waits for its parent. */
export function alive(pid: number): boolean {
  const state = statusOf(pid)?.state ?? "X";
  return state !== "Z" && state !== "X";
}

/** Every child of this process, zombies included. */
export function childrenOf(parent: number): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && statusOf(pid)?.parent === parent);
}

/** Our children but for the watcher, which stays. */
export function ownChildren(): number[] {
  return childrenOf(process.pid).filter((pid) => !commandLine(pid).includes("phux-mcp-watcher"));
}

/** Every process whose command line names a program. */
export function processesOf(path: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && alive(pid) && commandLine(pid).includes(path));
}

export function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return "";
  }
}

/** The numbers that a program wrote into a file, one a line, once there are `count`. */
export async function pidsIn(file: string, count: number): Promise<number[]> {
  const read = (): number[] => {
    try {
      return readFileSync(file, "utf8").trim().split(/\s+/).map(Number);
    } catch {
      return [];
    }
  };
  await until(() => read().length >= count && read().every((pid) => pid > 0), 5_000, `${count} pids in ${file}`);
  return read();
}

/** Polls until `condition` holds, and gives how long that took in ms. */
export async function until(condition: () => boolean, limitMs: number, what: string): Promise<number> {
  const began = performance.now();
  while (!condition()) {
    if (performance.now() - began > limitMs) throw new Error(`not within ${limitMs} ms: ${what}`);
    await Bun.sleep(2);
  }
  return performance.now() - began;
}

/** Ends what a test left alive on purpose. */
export function end(...pids: number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // Gone already.
    }
  }
}
