import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** The flag of a listening socket in /proc/net/unix. */
const ACCEPTS = 0x10000;

/** The process that listens on a Unix socket, from /proc; null where there is none, or it belongs to somebody else. */
export function listenerOf(socket: string): number | null {
  const inode = listeningInode(socket);
  return inode === null ? null : (pids().find((pid) => holds(pid, `socket:[${inode}]`)) ?? null);
}

/** Lines of num, references, protocol, flags, type, state, inode, path. */
function listeningInode(socket: string): string | null {
  for (const line of lines("/proc/net/unix")) {
    const fields = /^\S+: \S+ \S+ (\S+) \S+ \S+ +(\d+) (.+)$/.exec(line);
    if (fields?.[3] === socket && (Number.parseInt(fields[1] ?? "0", 16) & ACCEPTS) !== 0) return fields[2] ?? null;
  }
  return null;
}

function lines(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n");
  } catch {
    return [];
  }
}

function pids(): number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function holds(pid: number, link: string): boolean {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).some((fd) => linkOf(`${folder}/${fd}`) === link);
  } catch {
    return false;
  }
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
