import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** One row of the system's process table, from /proc. On a system without it every question has the answer null. */
export type ProcessRow = {
  readonly pid: number;
  readonly name: string;
  readonly group: number;
  readonly session: number;
  /** The foreground group of its terminal, -1 without one. */
  readonly foreground: number;
  readonly startMs: number;
};

const ticksPerSecond = 100;
let bootMs: number | null = null;

function bootTimeMs(): number {
  bootMs ??= Number(/^btime (\d+)$/m.exec(readFileSync("/proc/stat", "utf8"))?.[1] ?? 0) * 1000;
  return bootMs;
}

export function processRow(pid: number): ProcessRow | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name stands in brackets and may hold anything, so the fields are counted from its end.
    const [open, close] = [stat.indexOf("("), stat.lastIndexOf(")")];
    const fields = stat.slice(close + 2).split(" ");
    // A zombie has ended: only its parent has yet to hear of it.
    if (fields[0] === "Z" || fields[0] === "X") return null;
    const field = (index: number) => Number(fields[index] ?? -1);
    return {
      pid,
      name: stat.slice(open + 1, close),
      group: field(2),
      session: field(3),
      foreground: field(5),
      startMs: bootTimeMs() + Math.round((field(19) * 1000) / ticksPerSecond),
    };
  } catch {
    return null;
  }
}

/** Every process of a session: what a pane has started and not let go with setsid. */
export function sessionMembers(session: number): ProcessRow[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((name) => processRow(Number(name)))
      .filter((row) => row !== null)
      .filter((row) => row.session === session);
  } catch {
    return [];
  }
}

/** Kills processes that were seen before, if they are still the same ones and not others under their number. */
export function killSame(rows: readonly ProcessRow[]): void {
  for (const { pid, startMs } of rows) if (processRow(pid)?.startMs === startMs) signalQuietly(pid, "SIGKILL");
}

/** Resolves when none of these processes runs any more, or after half a second. */
export async function allEnded(rows: readonly ProcessRow[]): Promise<void> {
  const deadline = Date.now() + 500;
  while (rows.some(({ pid, startMs }) => processRow(pid)?.startMs === startMs) && Date.now() < deadline) {
    await Bun.sleep(2);
  }
}

export function workingDirectory(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}

/** Sends a signal to a process, or with a negative number to a group. A target that is gone is no error. */
export function signalQuietly(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    // Gone already: what was wanted.
  }
}
