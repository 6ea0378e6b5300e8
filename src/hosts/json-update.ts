/** Brings an entry that stands in a JSON file up to date, member by member. Pure. */

import { getNodeValue } from "jsonc-parser";
import { applyEdits, indentAt } from "./edit.ts";
import type { Entry, EntryValue, Variables } from "./entry.ts";
import type { EntryPlace } from "./format.ts";
import { insertMember } from "./json-insert.ts";
import { type JsonKind, type JsonMember, memberOf, objectOf, parseJson } from "./json-tree.ts";
import { type Layout, type Spot, writeValue } from "./json-write.ts";

/**
 * The text with the entry's members as they should be; what else the entry holds stays. An entry of another kind, such
 * as a remote server, would not become ours by a few members, so it is replaced as a whole.
 */
export function updateEntry(
  text: string,
  kind: JsonKind,
  place: EntryPlace,
  entry: Entry,
  whole: (spot: Spot) => string,
  layout: Layout,
): string {
  const found = memberAt(text, kind, [place.servers, place.name]);
  if (found === null) return text;
  if (!isAlike(found, entry)) return replaceValue(text, found, whole, layout);
  const path: Path = [place.servers, place.name];
  let out = text;
  for (const member of entry) {
    if ("value" in member) {
      if (member.once !== true) out = setMember(out, kind, path, member.key, member.value, layout);
      continue;
    }
    const { key, variables } = member;
    if (variables.length === 0) continue;
    if (objectOf(memberAt(out, kind, [...path, key])?.value) === null) {
      out = setMember(out, kind, path, key, Object.fromEntries(variables), layout);
    }
    for (const [name, value] of variables) out = setMember(out, kind, [...path, key], name, value, layout);
  }
  return out;
}

/** Both start a program: their `command` is of one type. */
function isAlike(found: JsonMember, entry: Entry): boolean {
  const object = objectOf(found.value);
  const command = object === null ? null : memberOf(object, "command");
  const wanted = entry.find(({ key }) => key === "command");
  if (command === null || wanted === undefined || !("value" in wanted)) return false;
  return command.value.type === (typeof wanted.value === "string" ? "string" : "array");
}

type Path = readonly string[];
type Writable = EntryValue | Variables;

/** The member at the end of a path of objects, or null. */
function memberAt(text: string, kind: JsonKind, path: Path): JsonMember | null {
  const parsed = parseJson(text, kind);
  let object = parsed.ok ? objectOf(parsed.value) : null;
  let member: JsonMember | null = null;
  for (const key of path) {
    member = object === null ? null : memberOf(object, key);
    object = objectOf(member?.value);
  }
  return member;
}

/** Sets a member of the object at a path. A text that has no such object stays as it is. */
function setMember(text: string, kind: JsonKind, path: Path, key: string, value: Writable, layout: Layout): string {
  const object = objectOf(memberAt(text, kind, path)?.value);
  if (object === null) return text;
  const write = (spot: Spot) => writeValue(value, spot);
  const found = memberOf(object, key);
  if (found === null) return insertMember(text, object, [key, write], layout);
  if (Bun.deepEquals(getNodeValue(found.value), value, true)) return text;
  return replaceValue(text, found, write, layout);
}

function replaceValue(text: string, member: JsonMember, write: (spot: Spot) => string, layout: Layout): string {
  const { offset, length } = member.value;
  const oneLine = !text.slice(offset, offset + length).includes("\n");
  return applyEdits(text, [{ offset, length, text: write({ ...layout, indent: indentAt(text, offset), oneLine }) }]);
}
