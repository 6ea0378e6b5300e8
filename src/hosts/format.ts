import type { Result } from "../wire/result.ts";
import type { TextFault } from "./edit.ts";
import type { Entry, FoundEntry } from "./entry.ts";

/** Where a host's file keeps one server: the name of the object or table of all servers, and the server's own name. */
export interface EntryPlace {
  readonly servers: string;
  readonly name: string;
}

/** A text of a file, null when there is no file. */
export type FileText = string | null;

/**
 * A kind of configuration file. Each function is pure, and keeps every byte that is not the entry's own:
 * `withoutEntry` after `withEntry` gives the text (or null) before, when there was no entry.
 */
export interface Format {
  /** The text with the entry: a new one behind the others, or an old one brought up to date where it stands. */
  withEntry(text: FileText, place: EntryPlace, entry: Entry): Result<string, TextFault>;
  /** The text without the entry; null when the file was ours alone. */
  withoutEntry(text: FileText, place: EntryPlace): Result<FileText, TextFault>;
  /** The entry that a host would use, null when there is none. */
  entryIn(text: FileText, place: EntryPlace): Result<FoundEntry | null, TextFault>;
}
