/** Puts a pair beside others in a TOML text. Pure. */

import type { AST } from "toml-eslint-parser";
import { type Edit, indentAt, insert, lineEndOf } from "./edit.ts";
import type { TomlPair } from "./toml-tree.ts";

/** Behind the last pair of an inline table; an empty one keeps its white space on both sides. */
export function intoInline(text: string, table: AST.TOMLInlineTable, written: string): Edit {
  const last = table.body.at(-1);
  if (last !== undefined) return insert(last.range[1], `, ${written}`);
  const close = table.range[1] - 1;
  return insert(close, written + text.slice(table.range[0] + 1, close));
}

/** Behind a pair, in its inline table or on a new line, with the same names before the last dot. */
export function besidePair(text: string, pair: TomlPair, written: string): Edit {
  const { key, range } = pair.node;
  const own = key.keys.at(-1)?.range[0] ?? key.range[0];
  const dotted = text.slice(key.range[0], own) + written;
  if (pair.inline !== null) return insert(range[1], `, ${dotted}`);
  return afterLine(text, range[0], range[1], dotted);
}

/** On a line behind the one that ends at or after `end`, with the indentation of the line that holds `start`. */
export function afterLine(text: string, start: number, end: number, written: string): Edit {
  return insert(lineEndFrom(text, end), lineEndOf(text) + indentAt(text, start) + written);
}

/** Where the line of an offset ends: before its line end, or at the end of the text. */
export function lineEndFrom(text: string, offset: number): number {
  const at = text.slice(offset).search(/\r?\n/);
  return at < 0 ? text.length : offset + at;
}
