/** Files of hosts as they stand on the disk. */

import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fail, ok, type Result } from "../wire/result.ts";
import { faultAt, type TextFault } from "./edit.ts";
import type { FileText } from "./format.ts";

/** Claude Code keeps histories of chats beside its servers; beyond this size it is something else. */
export const MAX_BYTES = 64 * 1024 * 1024;
/** What Linux follows. */
const MOST_LINKS = 40;

export interface ConfigFile {
  /** Where the bytes are: the end of all links. */
  readonly target: string;
  /** Null when there is no file. */
  readonly bytes: Uint8Array | null;
  readonly facts: Stats | null;
  readonly text: FileText;
}

/** Reads a file whole. Fails with a sentence for what is no regular file of UTF-8 text of at most 64 MiB. */
export function readConfig(path: string): Result<ConfigFile, string> {
  try {
    const target = endOfLinks(path);
    if (!target.ok) return target;
    const read = bytesOf(target.value);
    if (!read.ok) return fail(`${path} ${read.error}`);
    if (read.value === null) return ok({ target: target.value, bytes: null, facts: null, text: null });
    const text = decode(read.value.bytes);
    return text.ok ? ok({ target: target.value, ...read.value, text: text.value }) : fail(inFile(path, text.error));
  } catch (error) {
    return fail(`${path} cannot be read: ${reasonOf(error)}`);
  }
}

/** A fault in a text as a sentence that names the place. */
export function inFile(path: string, { reason, place }: TextFault): string {
  return place === null ? `${path} ${reason}` : `${path}, line ${place.line}, column ${place.column}: ${reason}`;
}

/** Follows links as the kernel does, also one that points at nothing yet. */
function endOfLinks(path: string): Result<string, string> {
  let at = path;
  for (let links = 0; links <= MOST_LINKS; links += 1) {
    const folder = realFolder(dirname(at));
    if (folder === null) {
      return at === path ? ok(path) : fail(`${path} is a link to ${at}, and the folder of that does not exist`);
    }
    at = join(folder, basename(at));
    if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return ok(at);
    at = resolve(folder, readlinkSync(at));
  }
  return fail(`${path} is a link that leads in a circle`);
}

function realFolder(path: string): string | null {
  try {
    return realpathSync(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}

function bytesOf(path: string): Result<{ readonly bytes: Uint8Array; readonly facts: Stats } | null, string> {
  let file: number;
  try {
    // Without O_NONBLOCK a named pipe would wait for somebody who writes.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return ok(null);
    // A socket cannot even be opened.
    if (codeOf(error) === "ENXIO") return fail("is no regular file");
    throw error;
  }
  try {
    const facts = fstatSync(file);
    if (facts.isDirectory()) return fail("is a folder");
    if (!facts.isFile()) return fail("is no regular file");
    if (facts.size > MAX_BYTES) return fail(`has ${facts.size} bytes, and more than ${MAX_BYTES} are not read`);
    return ok({ bytes: readFileSync(file), facts });
  } finally {
    closeSync(file);
  }
}

function decode(bytes: Uint8Array): Result<string, TextFault> {
  try {
    return ok(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    const lossy = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    return fail(faultAt(lossy, firstReplaced(lossy, bytes), "is no UTF-8 text"));
  }
}

/** Where the first character stands that is not in the bytes: those of a text that was decoded with losses. */
function firstReplaced(lossy: string, bytes: Uint8Array): number {
  for (let at = lossy.indexOf("\ufffd"); at >= 0; at = lossy.indexOf("\ufffd", at + 1)) {
    const before = Buffer.byteLength(lossy.slice(0, at));
    if (!(bytes[before] === 0xef && bytes[before + 1] === 0xbf && bytes[before + 2] === 0xbd)) return at;
  }
  return 0;
}

export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** Why the system refused, as the end of a sentence. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  switch (code) {
    case "EACCES":
    case "EPERM":
      return `this user may not (${code})`;
    case "ENOTDIR":
    case "EEXIST":
      return `a part of its path is no folder (${code})`;
    case "EROFS":
      return `its disk is read-only (${code})`;
    case "ENOSPC":
    case "EDQUOT":
      return `its disk is full (${code})`;
    case "ELOOP":
      return `its links lead in a circle (${code})`;
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
