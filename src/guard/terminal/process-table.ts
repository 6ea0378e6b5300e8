/** The processes of this machine as /proc shows them. Elsewhere, and where it is unreadable, there are none. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  /** Its process group and its session, by the pid of their first member. */
  readonly group: number;
  readonly session: number;
  readonly name: string;
}

/** One `/proc/PID/stat`; null for what is none, and for a process that has ended. */
export function parseStat(text: string): ProcessRow | null {
  // The name stands in brackets and may hold anything, so the fields are counted from its end.
  const [open, close] = [text.indexOf(" ("), text.lastIndexOf(") ")];
  if (open < 0 || close < open) return null;
  const [state = "", parent, group, session] = text.slice(close + 2).split(" ");
  if (state === "Z" || state === "X") return null;
  const [pid, ...others] = [text.slice(0, open), parent, group, session].map(Number);
  const [up, of, within] = others;
  if (pid === undefined || up === undefined || of === undefined || within === undefined) return null;
  if (![pid, up, of, within].every(Number.isSafeInteger)) return null;
  return { pid, parent: up, group: of, session: within, name: text.slice(open + 2, close) };
}

/** Every process that can be seen now. */
export function processTable(proc = "/proc"): readonly ProcessRow[] {
  try {
    const pids = readdirSync(proc).filter((name) => /^[0-9]+$/.test(name));
    return pids.map((pid) => parseStat(textOf(join(proc, pid, "stat")))).filter((row) => row !== null);
  } catch {
    return [];
  }
}

/**
 * The processes of a pane: its own program, first, what is in its session, and what descends from either. Empty when the
 * pid is none of this machine's: the table must show it as what the server says it is, the first of its session, started
 * for this pane.
 */
export function processesOfPane(
  table: readonly ProcessRow[],
  pid: number,
  terminal: number,
  proc = "/proc",
): readonly ProcessRow[] {
  const own = table.find((row) => row.pid === pid);
  if (own === undefined || own.session !== pid || paneOf(pid, proc) !== String(terminal)) return [];
  const found = new Map<number, ProcessRow>([[pid, own]]);
  for (const row of table) if (row.session === pid) found.set(row.pid, row);
  const children = Map.groupBy(table, (row) => row.parent);
  for (const { pid: parent } of found.values()) {
    // A map hands out what is added to it while it is walked.
    for (const child of children.get(parent) ?? []) found.set(child.pid, child);
  }
  return [...found.values()];
}

/** The pane that a process was started in, by its first environment; empty when that cannot be read. */
function paneOf(pid: number, proc: string): string {
  const found = textOf(join(proc, String(pid), "environ"))
    .split("\0")
    .find((pair) => pair.startsWith("PHUX_TERMINAL_ID="));
  return found?.slice("PHUX_TERMINAL_ID=".length) ?? "";
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
