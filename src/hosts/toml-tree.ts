/** A TOML document as places in its text: its tables, and every pair with its whole path. Pure. */

import { type AST, getStaticTOMLValue, ParseError, parseTOML } from "toml-eslint-parser";
import { fail, ok, type Result } from "../wire/result.ts";
import { faultAt, type TextFault } from "./edit.ts";

/** Names of tables, and numbers of elements of an array of tables. */
export type TomlPath = readonly (string | number)[];

/** `key = value`, on a line of its own or inside an inline table. */
export interface TomlPair {
  readonly path: TomlPath;
  readonly node: AST.TOMLKeyValue;
  /** The inline table that holds it, null on a line. */
  readonly inline: AST.TOMLInlineTable | null;
}

/** `[header]` or `[[header]]` with the lines below it. */
export interface TomlTable {
  readonly path: TomlPath;
  readonly node: AST.TOMLTable;
}

export interface TomlTree {
  /** In the order of the text; those of an inline table behind the pair that holds it. */
  readonly pairs: readonly TomlPair[];
  readonly tables: readonly TomlTable[];
}

/** Hosts read TOML 1.0; what only a later version allows is refused. */
export function parseToml(text: string): Result<TomlTree, TextFault> {
  let program: AST.TOMLProgram;
  try {
    program = parseTOML(text, { tomlVersion: "1.0" });
  } catch (error) {
    if (error instanceof ParseError)
      return fail(faultAt(text, error.index, `no valid TOML (${spoken(error.message)})`));
    // The parser descends by recursion; nobody nests a configuration this deep.
    if (error instanceof RangeError) return fail({ reason: "is nested too deep to be read", place: null });
    throw error;
  }
  const pairs: TomlPair[] = [];
  const tables: TomlTable[] = [];
  for (const node of program.body[0].body) {
    if (node.type === "TOMLKeyValue") collect(node, [], null, pairs);
    else {
      tables.push({ path: node.resolvedKey, node });
      for (const pair of node.body) collect(pair, node.resolvedKey, null, pairs);
    }
  }
  return ok({ pairs, tables });
}

function collect(node: AST.TOMLKeyValue, above: TomlPath, inline: AST.TOMLInlineTable | null, into: TomlPair[]): void {
  const path = [...above, ...getStaticTOMLValue(node.key)];
  into.push({ path, node, inline });
  if (node.value.type !== "TOMLInlineTable") return;
  for (const inner of node.value.body) collect(inner, path, node.value, into);
}

/** `Must be a newline` as it stands inside a sentence. */
function spoken(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}

export function isWithin(path: TomlPath, above: TomlPath): boolean {
  return above.every((step, depth) => path[depth] === step);
}

export function isSame(path: TomlPath, other: TomlPath): boolean {
  return path.length === other.length && isWithin(path, other);
}

export function pairAt(tree: TomlTree, path: TomlPath): TomlPair | null {
  return tree.pairs.find((pair) => isSame(pair.path, path)) ?? null;
}

/** Dates and numbers come out as JavaScript has them. */
export function pairValue(pair: TomlPair): unknown {
  return getStaticTOMLValue(pair.node.value);
}
