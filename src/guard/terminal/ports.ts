/** Which TCP port somebody listens on behind a pane: that of a development server, as a rule. */
import { closeSync, openSync, readdirSync, readlinkSync, readSync } from "node:fs";
import { join } from "node:path";

/** Listening sockets stand first in the system's table, so the rest of a long one need not be read. */
const TABLE_BYTES = 256 * 1024;
/** A pane with more processes, or a process with more descriptors, is looked at in part. */
const MOST_PROCESSES = 256;
const MOST_DESCRIPTORS = 1_024;

/** The kernel's number for a socket that listens. */
const LISTEN = "0A";

/** The listening sockets of a `/proc/net/tcp` or `tcp6`: port by inode. */
export function parseListening(table: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const line of table.split("\n").slice(1)) {
    const [, local = "", , state, , , , , , inode] = line.trim().split(/ +/);
    const port = Number.parseInt(local.slice(local.lastIndexOf(":") + 1), 16);
    if (state === LISTEN && inode !== undefined && port > 0 && port <= 0xffff) found.set(inode, port);
  }
  return found;
}

/** The lowest port that one of these processes listens on; null for none, and where it cannot be seen. */
export function listeningPort(pids: readonly number[], proc = "/proc"): number | null {
  const [first] = pids;
  if (first === undefined) return null;
  const tables = ["tcp", "tcp6"].map((name) => parseListening(beginningOf(join(proc, String(first), "net", name))));
  const [four, six] = tables;
  if (four === undefined || six === undefined || four.size + six.size === 0) return null;
  let lowest: number | null = null;
  for (const pid of pids.slice(0, MOST_PROCESSES)) {
    for (const inode of socketsOf(pid, proc)) {
      const port = four.get(inode) ?? six.get(inode) ?? null;
      if (port !== null && (lowest === null || port < lowest)) lowest = port;
    }
  }
  return lowest;
}

function socketsOf(pid: number, proc: string): readonly string[] {
  const folder = join(proc, String(pid), "fd");
  try {
    const names = readdirSync(folder).slice(0, MOST_DESCRIPTORS);
    return names.flatMap((name) => /^socket:\[([0-9]+)\]$/.exec(targetOf(join(folder, name)))?.[1] ?? []);
  } catch {
    return [];
  }
}

/** Where a link leads; empty when it is gone. */
function targetOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

function beginningOf(path: string): string {
  try {
    const file = openSync(path, "r");
    try {
      const room = Buffer.alloc(TABLE_BYTES);
      let size = 0;
      for (let read = -1; read !== 0 && size < TABLE_BYTES; size += read) {
        read = readSync(file, room, size, TABLE_BYTES - size, null);
      }
      return room.toString("latin1", 0, size);
    } finally {
      closeSync(file);
    }
  } catch {
    return "";
  }
}
