/** Whether a socket can be trusted with what is typed into it: who owns the way to it, and who may change it. Pure. */
import { dirname, join } from "node:path";
import { type Refusal, refuse } from "./errors.ts";

/** What stands at a path, links not followed. */
export interface Standing {
  readonly kind: "folder" | "link" | "socket" | "other";
  readonly uid: number;
  readonly mode: number;
}

/** The file system as the walk needs it; null for what is not there or may not be seen. */
export interface Look {
  standing(path: string): Standing | null;
  /** Where a link leads, as it is written. */
  target(path: string): string | null;
}

/** Who we are, and whose files are as good as ours. */
export interface Trust {
  readonly uid: number;
  /**
   * The id that stands for every user whom this user namespace does not know, when root is one of them: in a sandbox
   * `/` and `/tmp` then belong to it. Null where root is known.
   */
  readonly unmapped: number | null;
}

/** As many links as the system itself follows. */
const MOST_LINKS = 40;

const OTHERS_WRITE = 0o002;
const GROUP_WRITES = 0o020;
const STICKY = 0o1000;

/**
 * Null, or why nothing may be sent to this socket (spec/client.md 2.3). Looked at are the socket, its folder, the links
 * to it, and every folder on the way: whoever may rename one of them can put a socket of his own there. Root owns the
 * system anyway and is trusted throughout.
 *
 * @param path absolute; what is missing or hidden on the way is left to connect, which says so
 */
export function distrust(path: string, look: Look, trust: Trust): Refusal | null {
  const why = faultOnTheWay(path, look, trust);
  if (why === null) return null;
  const remedy = "check who runs this server; its folder belongs to you, with mode 0700 (`chmod go-w` closes it)";
  return refuse("transport", `${path} is not safe to use: ${why}`, remedy);
}

function faultOnTheWay(path: string, look: Look, trust: Trust): string | null {
  let folder = "/";
  let parts = partsOf(path);
  let links = 0;
  for (let next = parts.shift(); next !== undefined; next = parts.shift()) {
    const holder = look.standing(folder);
    if (holder?.kind !== "folder") return null;
    const fault = faultOfFolder(folder, holder, trust, parts.length === 0);
    if (fault !== null) return fault;
    const at = next === ".." ? dirname(folder) : join(folder, next);
    const found = look.standing(at);
    if (found === null) return null;
    if (found.kind === "link") {
      if (!isOurs(found.uid, trust)) return owned(`the link ${at}`, found.uid, trust);
      const target = look.target(at);
      links += 1;
      if (target === null || links > MOST_LINKS) return null;
      if (target.startsWith("/")) folder = "/";
      parts = [...partsOf(target), ...parts];
    } else if (parts.length === 0) {
      return found.kind === "socket" ? faultOfSocket(found, trust) : null;
    } else {
      folder = at;
    }
  }
  return null;
}

function partsOf(path: string): string[] {
  return path.split("/").filter((part) => part !== "" && part !== ".");
}

function faultOfSocket({ uid }: Standing, trust: Trust): string | null {
  return uid === trust.uid || uid === 0 ? null : owned("the socket", uid, trust);
}

/** @param last the folder holds the socket itself, or the link that is named: there the group counts too */
function faultOfFolder(path: string, { uid, mode }: Standing, trust: Trust, last: boolean): string | null {
  if (!isOurs(uid, trust)) return owned(`the folder ${path}`, uid, trust);
  if ((mode & STICKY) !== 0) return null;
  // Further up, a umask of 002 makes a group that may write an ordinary thing, and mostly that group is ourselves.
  const writers = last ? OTHERS_WRITE | GROUP_WRITES : OTHERS_WRITE;
  return (mode & writers) === 0 ? null : `other users may replace files in the folder ${path}`;
}

function isOurs(owner: number, { uid, unmapped }: Trust): boolean {
  return owner === uid || owner === 0 || owner === unmapped;
}

function owned(what: string, owner: number, { uid }: Trust): string {
  return `${what} belongs to user ${owner}, and we are user ${uid}`;
}

/**
 * The id of unknown users when root is one of them, else null.
 * @param map the text of /proc/self/uid_map: first id inside, first id outside, how many; a line a range
 * @param overflow the text of /proc/sys/kernel/overflowuid
 */
export function unmappedUser(map: string, overflow: string): number | null {
  const knowsRoot = map
    .split("\n")
    .filter((line) => line.trim() !== "")
    .some((line) => {
      const [, outside = Number.NaN] = line.trim().split(/\s+/).map(Number);
      return outside === 0;
    });
  const id = Number.parseInt(overflow, 10);
  return map.trim() === "" || knowsRoot || Number.isNaN(id) ? null : id;
}
