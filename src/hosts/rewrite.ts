/** Changes a file of a host: under a lock, with one rename, so that no reader sees half and no edit of another is lost. */

import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { fail, ok, type Result } from "../wire/result.ts";
import { type ConfigFile, codeOf, inFile, readConfig, reasonOf } from "./config-file.ts";
import type { TextFault } from "./edit.ts";
import type { FileText } from "./format.ts";

export interface Rewriting {
  readonly path: string;
  /** Permissions of a file that is made, before the umask. */
  readonly mode: number;
  /** Empty folders between this one and a file that goes, go too. */
  readonly base: string;
  /** Gives the new text, null for no file. May be called again when the file changes meanwhile. */
  change(text: FileText): Result<FileText, TextFault>;
}

export type Rewritten = "unchanged" | "written" | "gone";

/** How long another register may hold the lock, and after which age its lock is a dead one's. Real ones take milliseconds. */
const LOCK_WAIT_MS = 5_000;
const LOCK_POLL_MS = 10;
const LOCK_DEAD_MS = 30_000;
/** How often a host may write the file between our reading and our renaming. */
const MOST_TRIES = 10;

/** What a call for changes comes to; fails with a sentence, and then the file is as it was. */
export function rewrite(rewriting: Rewriting): Result<Rewritten, string> {
  const { path } = rewriting;
  const file = readConfig(path);
  if (!file.ok) return file;
  const text = changed(rewriting, file.value);
  if (!text.ok || text.value === file.value.text) return text.ok ? ok("unchanged") : text;
  const closed = whyClosed(file.value);
  if (closed !== null) return fail(`${path} ${closed}`);

  let made: string | undefined;
  let done = false;
  try {
    made = mkdirSync(dirname(file.value.target), { recursive: true });
    const result = underLock(rewriting, file.value.target);
    done = result.ok;
    if (result.ok && result.value === "gone") removeEmpty(dirname(path), rewriting.base);
    return result;
  } catch (error) {
    return fail(`${path} cannot be written: ${reasonOf(error)}`);
  } finally {
    if (!done && made !== undefined) removeEmpty(dirname(file.value.target), dirname(made));
  }
}

function changed({ path, change }: Rewriting, { text }: ConfigFile): Result<FileText, string> {
  const wanted = change(text);
  return wanted.ok ? wanted : fail(inFile(path, wanted.error));
}

/** Why a file is not to be written, although a rename could replace it; null when it may be. */
function whyClosed({ target, facts }: ConfigFile): string | null {
  if (facts === null) return null;
  const mode = (facts.mode & 0o777).toString(8);
  if ((facts.mode & 0o222) === 0) return `is read-only (mode ${mode})`;
  try {
    accessSync(target, constants.W_OK);
    return null;
  } catch (error) {
    return `may not be written: ${reasonOf(error)}`;
  }
}

/** The lock is the file that the new text is written to, so that the rename ends both at once. */
function underLock(rewriting: Rewriting, target: string): Result<Rewritten, string> {
  const lock = join(dirname(target), `.${basename(target)}.phux-mcp`);
  const file = takeLock(lock);
  if (file === null) {
    return fail(`${rewriting.path} is being changed by another phux-mcp; if none is running, remove ${lock}`);
  }
  // A signal between two steps would leave the lock behind. They take milliseconds.
  const release = holdSignals();
  try {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const now = readConfig(rewriting.path);
      if (!now.ok) return now;
      const text = changed(rewriting, now.value);
      if (!text.ok || text.value === now.value.text) return text.ok ? ok("unchanged") : text;
      if (text.value !== null) {
        const fault = fill(file, text.value, now.value, rewriting);
        if (fault !== null) return fail(`${rewriting.path} ${fault}`);
      }
      if (!isAsRead(rewriting.path, now.value)) continue;
      if (text.value === null) {
        unlinkSync(target);
        return ok("gone");
      }
      if (!isHeld(file, lock)) break;
      renameSync(lock, target);
      return ok("written");
    }
    return fail(`${rewriting.path} is changed by somebody else all the time; try again`);
  } finally {
    if (isHeld(file, lock)) unlinkSync(lock);
    closeSync(file);
    release();
  }
}

/** The lock is still the file that we opened: not renamed, and not taken for a dead one's. */
function isHeld(file: number, lock: string): boolean {
  return statSync(lock, { throwIfNoEntry: false })?.ino === fstatSync(file).ino;
}

/** Null when somebody else holds it for too long. */
function takeLock(lock: string): number | null {
  for (let waited = 0; waited <= LOCK_WAIT_MS; waited += LOCK_POLL_MS) {
    try {
      return openSync(lock, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > LOCK_DEAD_MS) unlinkSync(lock);
    else Bun.sleepSync(LOCK_POLL_MS);
  }
  return null;
}

/** Writes the text, with the owner and the permissions of the old file. Gives why it cannot be, or null. */
function fill(file: number, text: string, { facts }: ConfigFile, { mode }: Rewriting): string | null {
  const bytes = Buffer.from(text);
  ftruncateSync(file, 0);
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, at);
  const ours = fstatSync(file);
  if (facts !== null && (facts.uid !== ours.uid || facts.gid !== ours.gid)) {
    try {
      fchownSync(file, facts.uid, facts.gid);
    } catch (error) {
      return `belongs to user ${facts.uid} and group ${facts.gid}, and could not be given back to them: ${reasonOf(error)}`;
    }
  }
  fchmodSync(file, facts === null ? mode & ~process.umask() : facts.mode & 0o7777);
  fsyncSync(file);
  return null;
}

/** Nobody wrote the file since. */
function isAsRead(path: string, { bytes }: ConfigFile): boolean {
  const now = readConfig(path);
  if (!now.ok) return false;
  if (bytes === null || now.value.bytes === null) return bytes === now.value.bytes;
  return Buffer.compare(bytes, now.value.bytes) === 0;
}

/** Removes a folder when it is empty, then the one above, up to `base`; outside of `base` the one folder only. */
function removeEmpty(folder: string, base: string): void {
  for (let at = folder; at !== base; at = dirname(at)) {
    try {
      rmdirSync(at);
    } catch {
      return;
    }
    if (!at.startsWith(`${base}/`)) return;
  }
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function holdSignals(): () => void {
  const later = () => {};
  for (const signal of SIGNALS) process.on(signal, later);
  return () => {
    for (const signal of SIGNALS) process.off(signal, later);
  };
}
