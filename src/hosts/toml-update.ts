/** Brings an entry that stands in a TOML file up to date, pair by pair, in the form that it has. Pure. */

import { applyEdits, type Edit } from "./edit.ts";
import type { Entry, EntryValue, Variables } from "./entry.ts";
import { afterLine, besidePair, intoInline } from "./toml-insert.ts";
import {
  isSame,
  isWithin,
  pairAt,
  pairValue,
  parseToml,
  type TomlPair,
  type TomlPath,
  type TomlTree,
} from "./toml-tree.ts";
import { tomlPair, tomlValue } from "./toml-write.ts";

/** The entry starts a program, as ours does. */
export function isAlike(tree: TomlTree, path: TomlPath): boolean {
  const command = pairAt(tree, [...path, "command"]);
  return command !== null && typeof pairValue(command) === "string";
}

/** The text with the entry's members as they should be; what else the entry holds stays. */
export function updateEntry(text: string, path: TomlPath, entry: Entry): string {
  let out = text;
  let beside: TomlPath = [...path, "command"];
  for (const member of entry) {
    const at = [...path, member.key];
    if ("variables" in member) {
      for (const [name, value] of member.variables) {
        out = edited(out, (tree) => variableEdit(out, tree, at, name, value, beside));
      }
    } else if (member.once !== true) {
      out = edited(out, (tree) => pairEdit(out, tree, at, member.value, beside));
      beside = at;
    }
  }
  return out;
}

function edited(text: string, edit: (tree: TomlTree) => Edit | null): string {
  const tree = parseToml(text);
  const change = tree.ok ? edit(tree.value) : null;
  return change === null ? text : applyEdits(text, [change]);
}

/** Sets a pair; a new one comes beside another pair of the entry. Null when nothing is to be done. */
function pairEdit(
  text: string,
  tree: TomlTree,
  path: TomlPath,
  value: EntryValue | Variables,
  beside: TomlPath,
): Edit | null {
  const pair = pairAt(tree, path);
  if (pair !== null) return Bun.deepEquals(pairValue(pair), value, true) ? null : valueEdit(pair, value);
  const neighbour = pairAt(tree, beside);
  return neighbour === null ? null : besidePair(text, neighbour, tomlPair([lastOf(path), value]));
}

function valueEdit({ node }: TomlPair, value: EntryValue | Variables): Edit {
  const [start, end] = node.value.range;
  return { offset: start, length: end - start, text: tomlValue(value) };
}

/** Sets one variable in whatever form the entry's variables have: inline table, table, dotted lines, or none yet. */
function variableEdit(
  text: string,
  tree: TomlTree,
  map: TomlPath,
  name: string,
  value: string,
  beside: TomlPath,
): Edit | null {
  const path = [...map, name];
  const whole = pairAt(tree, map);
  if (whole?.node.value.type === "TOMLInlineTable" && pairAt(tree, path) === null) {
    return intoInline(text, whole.node.value, tomlPair([name, value]));
  }
  if (whole !== null && whole.node.value.type !== "TOMLInlineTable") return valueEdit(whole, { [name]: value });
  const sibling = tree.pairs.findLast((pair) => isWithin(pair.path, map) && pair.path.length === path.length);
  if (sibling !== undefined) return pairEdit(text, tree, path, value, sibling.path);
  const table = tree.tables.find((table) => isSame(table.path, map));
  if (table !== undefined)
    return afterLine(text, table.node.range[0], table.node.key.range[1], tomlPair([name, value]));
  return pairEdit(text, tree, map, { [name]: value }, beside);
}

function lastOf(path: TomlPath): string {
  return String(path.at(-1) ?? "");
}
