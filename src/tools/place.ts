import { lstatSync, readFileSync, readlinkSync, type Stats, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Environment } from "../cli/environment.ts";
import type { Refusal } from "../phux/errors.ts";
import { type SocketPath, socketPath } from "../phux/socket-path.ts";
import { distrust, type Look, type Standing, type Trust, unmappedUser } from "../phux/socket-trust.ts";
import { fail, type Result } from "../wire/result.ts";

/** Where the adapter runs: its environment, its own file, its user, and its log. */
export interface Place {
  readonly environment: Environment;
  /** The path of our own executable; `phux` is looked for beside it. */
  readonly self: string;
  /** The socket of a call, chosen by tools.md section 8 and checked for who owns the way to it (client.md 2.3). */
  socket(argument: string | undefined): Result<SocketPath, Refusal>;
  /** One line for the person who reads the adapter's log. */
  remark(line: string): void;
}

/** The place of this process. */
export function thisPlace(remark: (line: string) => void): Place {
  const environment: Environment = process.env;
  const uid = process.getuid?.() ?? null;
  let trust: Trust | null = null;
  return {
    environment,
    self: process.execPath,
    socket(argument) {
      const path = chosenSocket(argument, environment, uid);
      if (!path.ok || uid === null) return path;
      trust ??= trustOf(uid);
      const unsafe = unsafeWay(path.value.path, trust);
      return unsafe === null ? path : fail(unsafe);
    },
    remark,
  };
}

/** The socket that a call without more checks would connect to. `uid`: null where the system has none. */
export function chosenSocket(
  argument: string | undefined,
  environment: Environment,
  uid: number | null,
): Result<SocketPath, Refusal> {
  return socketPath({ argument, environment, uid, platform: process.platform, holdsSocket });
}

/** Whose files this process trusts, as user `uid`. */
export function trustOf(uid: number): Trust {
  return { uid, unmapped: unmappedUser(textOf("/proc/self/uid_map"), textOf("/proc/sys/kernel/overflowuid")) };
}

/** Null, or why nothing is sent to the socket at this path. */
export function unsafeWay(path: string, trust: Trust): Refusal | null {
  const whole = absolute(path);
  return whole === null ? null : distrust(whole, look, trust);
}

function holdsSocket(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isSocket() ?? false;
  } catch {
    return false;
  }
}

const look: Look = {
  standing(path) {
    try {
      const found = lstatSync(path, { throwIfNoEntry: false });
      return found === undefined ? null : { kind: kindOf(found), uid: found.uid, mode: found.mode };
    } catch {
      return null;
    }
  },
  target(path) {
    try {
      return readlinkSync(path);
    } catch {
      return null;
    }
  },
};

function kindOf(found: Stats): Standing["kind"] {
  if (found.isDirectory()) return "folder";
  if (found.isSymbolicLink()) return "link";
  return found.isSocket() ? "socket" : "other";
}

/** Null in a folder that was deleted: nothing can stand there any more, and connect says so. */
function absolute(path: string): string | null {
  try {
    return resolve(path);
  } catch {
    return null;
  }
}

/** Empty where there is no such file. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
