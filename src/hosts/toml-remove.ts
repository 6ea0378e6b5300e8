/** Takes the parts of an entry out of a TOML text: tables, lines, and pairs of inline tables. Pure. */

import type { AST } from "toml-eslint-parser";
import { applyEdits, beforeLastLineEnd, cutOut } from "./edit.ts";
import type { FileText } from "./format.ts";
import { lineEndFrom } from "./toml-insert.ts";
import { isWithin, type TomlPair, type TomlPath, type TomlTable, type TomlTree } from "./toml-tree.ts";

export type TomlPart =
  | { readonly kind: "table"; readonly table: TomlTable }
  | { readonly kind: "line"; readonly pair: TomlPair }
  | { readonly kind: "inline"; readonly node: AST.TOMLKeyValue; readonly holder: AST.TOMLInlineTable };

/** Some part that defines what stands under the path; null when nothing does. */
export function partOf(tree: TomlTree, path: TomlPath): TomlPart | null {
  const table = tree.tables.find((table) => isWithin(table.path, path));
  if (table !== undefined) return { kind: "table", table };
  // Pairs stand behind the one that holds them, so the first is the outermost.
  const pair = tree.pairs.find((pair) => isWithin(pair.path, path));
  if (pair === undefined) return null;
  if (pair.inline !== null) return { kind: "inline", node: pair.node, holder: pair.inline };
  return { kind: "line", pair };
}

/** The text without a part; null when the part was all of it, as in a file that we made. */
export function removePart(text: string, part: TomlPart): FileText {
  if (part.kind === "inline") return withoutInline(text, part.node, part.holder);
  const [start, end] = part.kind === "table" ? part.table.node.range : part.pair.node.range;
  const first = text.lastIndexOf("\n", start - 1) + 1;
  const last = lineEndFrom(text, end);
  const behind = text.slice(last).replace(/^\r?\n/, "");
  const before = text.slice(0, first);
  if (part.kind === "line") return before + behind;
  return withoutTable(before, behind, last < text.length);
}

/**
 * The way back of how a table is put at the end of a text. Where something stands below, there is no telling whose the
 * empty line in front is: then it stays.
 */
function withoutTable(before: string, behind: string, closed: boolean): FileText {
  if (before === "") return behind === "" && closed ? null : behind.replace(/^\r?\n/, "");
  if (behind !== "") return before + behind;
  const shorter = before.slice(0, beforeLastLineEnd(before));
  if (!shorter.endsWith("\n")) return before;
  return closed ? shorter : shorter.slice(0, beforeLastLineEnd(shorter));
}

function withoutInline(text: string, node: AST.TOMLKeyValue, holder: AST.TOMLInlineTable): string {
  const index = holder.body.indexOf(node);
  const previous = holder.body[index - 1];
  const next = holder.body[index + 1];
  if (next !== undefined) return applyEdits(text, [cutOut(node.range[0], next.range[0])]);
  if (previous !== undefined) return applyEdits(text, [cutOut(previous.range[1], node.range[1])]);
  return applyEdits(text, [cutOut(node.range[0], holder.range[1] - 1)]);
}
