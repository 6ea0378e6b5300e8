/** Configuration files in TOML. Pure. */

import { fail, ok, type Result } from "../wire/result.ts";
import { applyEdits, faultAt, insert, lineEndOf, splitMark, type TextFault } from "./edit.ts";
import { type Entry, type FoundEntry, membersOfNew, readEntry } from "./entry.ts";
import type { EntryPlace, FileText, Format } from "./format.ts";
import { intoInline } from "./toml-insert.ts";
import { partOf, removePart } from "./toml-remove.ts";
import { isSame, isWithin, pairAt, pairValue, parseToml, type TomlTree } from "./toml-tree.ts";
import { isAlike, updateEntry } from "./toml-update.ts";
import { tomlInline, tomlKey, tomlPair } from "./toml-write.ts";

export const tomlFormat: Format = {
  withEntry(text, place, entry) {
    const { mark, body } = splitMark(text ?? "");
    const read = readServers(body, place);
    if (!read.ok) return read;
    const path = [place.servers, place.name];
    if (partOf(read.value, path) === null) {
      const added = withNew(body, read.value, place, entry);
      return ok(mark + added + (text === null ? "\n" : ""));
    }
    if (isAlike(read.value, path)) return ok(mark + updateEntry(body, path, entry));
    // A remote server, say, would not become ours by a few lines, so the entry is replaced as a whole.
    const rest = withoutParts(body, path);
    const replaced = withNew(rest ?? "", treeOf(rest ?? ""), place, entry);
    return ok(mark + replaced + (rest === null ? "\n" : ""));
  },
  withoutEntry(text, place) {
    if (text === null) return ok(null);
    const { mark, body } = splitMark(text);
    const read = readServers(body, place);
    if (!read.ok) return read;
    const rest = withoutParts(body, [place.servers, place.name]);
    // A file with a mark was there before: we write none.
    if (rest === null) return ok(mark === "" ? null : mark);
    return ok(mark + rest);
  },
  entryIn(text, place): Result<FoundEntry | null, TextFault> {
    const read = readServers(splitMark(text ?? "").body, place);
    if (!read.ok) return read;
    const path = [place.servers, place.name];
    if (partOf(read.value, path) === null) return ok(null);
    const member = (key: string) => {
      const pair = pairAt(read.value, [...path, key]);
      return pair === null ? undefined : pairValue(pair);
    };
    return ok(readEntry({ command: member("command"), args: member("args"), enabled: member("enabled") }));
  },
};

/** Refused: no TOML, or another kind of value where the table of all servers belongs. */
function readServers(text: string, { servers }: EntryPlace): Result<TomlTree, TextFault> {
  const tree = parseToml(text);
  if (!tree.ok) return tree;
  const pair = pairAt(tree.value, [servers]);
  if (pair !== null && pair.node.value.type !== "TOMLInlineTable") {
    return fail(
      faultAt(text, pair.node.value.range[0], `${servers} must be a table here, and is another kind of value`),
    );
  }
  const array = tree.value.tables.find(({ path }) => isWithin(path, [servers]) && typeof path[1] === "number");
  if (array !== undefined) {
    return fail(faultAt(text, array.node.range[0], `${servers} must be a table here, and is an array of tables`));
  }
  return tree;
}

/** The tree of a text that we made ourselves. */
function treeOf(text: string): TomlTree {
  const tree = parseToml(text);
  return tree.ok ? tree.value : { pairs: [], tables: [] };
}

/** A table of its own at the end, where one may always stand; inside an inline table of all servers another pair. */
function withNew(text: string, tree: TomlTree, { servers, name }: EntryPlace, entry: Entry): string {
  const members = membersOfNew(entry);
  const all = tree.pairs.find(({ path }) => isSame(path, [servers]));
  if (all?.node.value.type === "TOMLInlineTable") {
    return applyEdits(text, [intoInline(text, all.node.value, `${tomlKey(name)} = ${tomlInline(members)}`)]);
  }
  const lineEnd = lineEndOf(text);
  const block = [`[${tomlKey(servers)}.${tomlKey(name)}]`, ...members.map(tomlPair)].join(lineEnd);
  if (text === "") return block;
  // A text that ended without a line end still does: that is how removing knows.
  if (text.endsWith("\n")) return text + lineEnd + block + lineEnd;
  return applyEdits(text, [insert(text.length, lineEnd + lineEnd + block)]);
}

function withoutParts(text: string, path: readonly string[]): FileText {
  let rest: FileText = text;
  for (;;) {
    const part: ReturnType<typeof partOf> = rest === null ? null : partOf(treeOf(rest), path);
    if (rest === null || part === null) return rest;
    rest = removePart(rest, part);
  }
}
