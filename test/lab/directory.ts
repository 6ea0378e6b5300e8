import { readdirSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { DirectoryEntryFlags, DirectoryErrorCode } from "../../src/wire/enums.ts";
import type { FrameValue } from "../../src/wire/frame.ts";
import { limits } from "../../src/wire/limits.ts";
import type { Call } from "./call.ts";
import type { LabServer } from "./server.ts";
import { isDirectory } from "./terminal.ts";

type Listing = FrameValue<"DIRECTORY_LISTING">;

/** LIST_DIRECTORY: the folders in a folder, refusals in the same frame (wire.md 23). */
export function listDirectory(server: LabServer, call: Call, ask: FrameValue<"LIST_DIRECTORY">): Promise<void> {
  const listing = list(server.options.home, ask.path ?? "");
  return call.reply({ name: "DIRECTORY_LISTING", value: { request_id: call.requestId, ...listing } });
}

function list(home: string, asked: string): Listing {
  const path = asked === "" || asked === "~" ? home : asked.startsWith("~/") ? join(home, asked.slice(2)) : asked;
  if (!isAbsolute(path)) return refusal(asked, "other", "a relative path names no folder here");
  try {
    const folders = readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || (entry.isSymbolicLink() && isDirectory(join(path, entry.name))))
      .map((entry) => ({ name: entry.name, flags: entry.isSymbolicLink() ? DirectoryEntryFlags.symlink : 0 }))
      .sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
    const entries = folders.slice(0, limits.directory_entries);
    return { path, parent: dirname(path), entries, truncated: folders.length > entries.length };
  } catch (error) {
    return refusal(path, ...reasonFor(error));
  }
}

function reasonFor(error: unknown): [keyof typeof DirectoryErrorCode, string] {
  const code = error instanceof Error && "code" in error ? error.code : "";
  if (code === "ENOENT") return ["not_found", "no such folder"];
  if (code === "EACCES") return ["permission_denied", "the folder may not be read"];
  if (code === "ENOTDIR") return ["not_a_directory", "not a folder"];
  return ["other", String(error)];
}

function refusal(path: string, error: keyof typeof DirectoryErrorCode, message: string): Listing {
  return { path, error: DirectoryErrorCode[error], message };
}
