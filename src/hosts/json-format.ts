/** Configuration files in JSON, with or without comments. Pure. */

import { getNodeValue, type Node } from "jsonc-parser";
import { fail, ok, type Result } from "../wire/result.ts";
import { beforeLastLineEnd, faultAt, lineEndOf, splitMark, type TextFault } from "./edit.ts";
import { type Entry, type FoundEntry, membersOfNew, readEntry } from "./entry.ts";
import type { EntryPlace, FileText, Format } from "./format.ts";
import { insertMember } from "./json-insert.ts";
import { removeMember } from "./json-remove.ts";
import { type JsonKind, type JsonMember, type JsonObject, memberOf, objectOf, parseJson } from "./json-tree.ts";
import { updateEntry } from "./json-update.ts";
import { layoutOf, type Member, type Spot, writeObject, writeValue } from "./json-write.ts";

export function jsonFormat(kind: JsonKind): Format {
  return {
    withEntry(text, place, entry) {
      if (text === null) return ok(`${fresh(place, entry, "\n")}\n`);
      const { mark, body } = splitMark(text);
      const read = readServers(body, kind, place);
      if (!read.ok) return read;
      return ok(mark + entered(body, kind, read.value, place, entry));
    },
    withoutEntry(text, place) {
      if (text === null) return ok(null);
      const { mark, body } = splitMark(text);
      const removed = removedAll(body, kind, place);
      if (!removed.ok) return removed;
      // A file with a mark was there before: we write none.
      if (removed.value === null) return ok(mark === "" ? null : `${mark}{}\n`);
      return ok(mark + removed.value);
    },
    entryIn(text, place): Result<FoundEntry | null, TextFault> {
      const read = readServers(splitMark(text ?? "").body, kind, place);
      if (!read.ok) return read;
      const found = read.value.servers === null ? null : memberOf(read.value.servers, place.name);
      return ok(found === null ? null : readEntry(getNodeValue(found.value)));
    },
  };
}

interface Read {
  /** Null in a text without a value. */
  readonly root: JsonObject | null;
  readonly servers: JsonObject | null;
}

/** The objects on the way to an entry. Refused: no JSON, or another kind of value where an object belongs. */
function readServers(text: string, kind: JsonKind, { servers }: EntryPlace): Result<Read, TextFault> {
  const parsed = parseJson(text, kind);
  if (!parsed.ok) return parsed;
  if (parsed.value === null) return ok({ root: null, servers: null });
  const root = objectOf(parsed.value);
  if (root === null) return fail(notAnObject(text, parsed.value, "the document"));
  const member = memberOf(root, servers);
  if (member === null) return ok({ root, servers: null });
  const object = objectOf(member.value);
  return object === null ? fail(notAnObject(text, member.value, servers)) : ok({ root, servers: object });
}

function notAnObject(text: string, node: Node, what: string): TextFault {
  const article = node.type === "array" || node.type === "object" ? "an" : "a";
  const found = node.type === "null" ? "null" : `${article} ${node.type}`;
  return faultAt(text, node.offset, `${what} must be an object here, and is ${found}`);
}

function writeEntry(entry: Entry): (spot: Spot) => string {
  const members = membersOfNew(entry).map(([key, value]): Member => [key, (spot) => writeValue(value, spot)]);
  return (spot) => writeObject(members, spot);
}

/** The object of all servers, made for this entry: over several lines wherever it stands. */
function writeServers({ name }: EntryPlace, entry: Entry): (spot: Spot) => string {
  return (spot) => writeObject([[name, writeEntry(entry)]], { ...spot, oneLine: false });
}

/** A whole document, without a line end behind it. */
function fresh(place: EntryPlace, entry: Entry, lineEnd: string): string {
  const member: Member = [place.servers, writeServers(place, entry)];
  return writeObject([member], { lineEnd, step: "  ", indent: "", oneLine: false });
}

function entered(text: string, kind: JsonKind, { root, servers }: Read, place: EntryPlace, entry: Entry): string {
  const lineEnd = lineEndOf(text);
  const layout = layoutOf(text, root, lineEnd);
  if (root === null) return afterBlank(text, fresh(place, entry, lineEnd), lineEnd);
  if (servers === null) return insertMember(text, root, [place.servers, writeServers(place, entry)], layout);
  if (memberOf(servers, place.name) !== null) return updateEntry(text, kind, place, entry, writeEntry(entry), layout);
  return insertMember(text, servers, [place.name, writeEntry(entry)], layout);
}

/** Behind white space and comments: a text that ended without a line end still does. */
function afterBlank(text: string, document: string, lineEnd: string): string {
  if (text === "") return document;
  if (text.endsWith("\n")) return text + document + lineEnd;
  // A lone carriage return would become half of our line end.
  return text + (text.endsWith("\r") ? "\r\n" : lineEnd) + document;
}

/** Takes out every member of that name, also those that a later one hides. */
function removedAll(text: string, kind: JsonKind, place: EntryPlace): Result<FileText, TextFault> {
  const read = readServers(text, kind, place);
  if (!read.ok) return read;
  const found = holderOf(read.value.root, place);
  if (found === null) return ok(text);
  const rest = removedOnce(text, found, place);
  return rest === null ? ok(null) : removedAll(rest, kind, place);
}

interface Holder {
  readonly root: JsonObject;
  readonly member: JsonMember;
  readonly servers: JsonObject;
}

/** Some member of the servers' name whose object holds the entry. */
function holderOf(root: JsonObject | null, { servers: key, name }: EntryPlace): Holder | null {
  for (const member of root?.members ?? []) {
    const servers = member.key === key ? objectOf(member.value) : null;
    if (root !== null && servers !== null && memberOf(servers, name) !== null) return { root, member, servers };
  }
  return null;
}

function removedOnce(text: string, { root, member, servers }: Holder, { name }: EntryPlace): FileText {
  const entry = memberOf(servers, name);
  if (entry === null) return text;
  const withoutEntry = removeMember(text, servers, entry);
  if (withoutEntry !== "made") return withoutEntry;
  // Without this one, an older one of the same name would count again.
  if (root.members.some((one) => one !== member && one.key === member.key)) {
    return text.slice(0, servers.open + 1) + text.slice(servers.close);
  }
  const withoutServers = removeMember(text, root, member);
  return withoutServers === "made" ? withoutDocument(text, root) : withoutServers;
}

/** The way back of `fresh` and `afterBlank`: null when there was no file. */
function withoutDocument(text: string, root: JsonObject): FileText {
  const before = text.slice(0, root.open);
  const behind = text.slice(root.close + 1);
  const hadText = before.endsWith("\n");
  if (behind === "") {
    if (before === "") return "";
    if (hadText) return text.slice(0, beforeLastLineEnd(before));
  }
  if (/^\r?\n$/.test(behind)) {
    if (before === "") return null;
    if (hadText) return before;
  }
  return `${before}{}${behind}`;
}
