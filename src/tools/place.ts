import { statSync } from "node:fs";
import { dirname } from "node:path";
import type { Environment } from "../cli/environment.ts";
import type { Refusal } from "../phux/errors.ts";
import { refuseOwner, type SocketPath, socketPath } from "../phux/socket-path.ts";
import { fail, type Result } from "../wire/result.ts";

/** Where the adapter runs: its environment, its own file, its user, and its log. */
export interface Place {
  readonly environment: Environment;
  /** The path of our own executable; `phux` is looked for beside it. */
  readonly self: string;
  /** The socket of a call, chosen by tools.md section 8 and checked for who owns it (client.md 2.3). */
  socket(argument: string | undefined): Result<SocketPath, Refusal>;
  /** The default socket that a search finds, for a child that would search itself; null when none is there. */
  defaultSocket(): string | null;
  /** One line for the person who reads the adapter's log. */
  remark(line: string): void;
}

/** The place of this process. */
export function thisPlace(remark: (line: string) => void): Place {
  const environment: Environment = process.env;
  const uid = process.getuid?.() ?? null;
  const search = (argument: string | undefined) =>
    socketPath({ argument, environment, uid, platform: process.platform, holdsSocket });
  return {
    environment,
    self: process.execPath,
    socket(argument) {
      const path = search(argument);
      if (!path.ok || uid === null) return path;
      const unsafe = ownerRefusal(path.value.path, uid);
      return unsafe === null ? path : fail(unsafe);
    },
    defaultSocket() {
      const path = search(undefined);
      return path.ok && path.value.origin === "default" && path.value.found ? path.value.path : null;
    },
    remark,
  };
}

function statOf(path: string) {
  return statSync(path, { throwIfNoEntry: false });
}

function holdsSocket(path: string): boolean {
  try {
    return statOf(path)?.isSocket() ?? false;
  } catch {
    return false;
  }
}

/** A stranger's socket would receive every key. What cannot be read is left to connect, which says why. */
function ownerRefusal(path: string, uid: number): Refusal | null {
  try {
    const socket = statOf(path);
    const folder = statOf(dirname(path));
    return socket?.isSocket() && folder ? refuseOwner(path, socket, folder, uid) : null;
  } catch {
    return null;
  }
}
