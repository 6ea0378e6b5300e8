/** A JSON document as places in its text: members, their commas, and what stands between them. Pure. */

import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { fail, ok, type Result } from "../wire/result.ts";
import { faultAt, type TextFault } from "./edit.ts";

export interface JsonMember {
  readonly key: string;
  /** From the key's first quote to the end of the value. */
  readonly start: number;
  readonly end: number;
  readonly value: Node;
}

export interface JsonObject {
  /** Offsets of `{` and `}`. */
  readonly open: number;
  readonly close: number;
  readonly members: readonly JsonMember[];
}

/** Which JSON a host reads: with or without comments and trailing commas. */
export type JsonKind = "json" | "jsonc";

/** The root of a text, null when it holds nothing but white space and comments; or where it is no JSON. */
export function parseJson(text: string, kind: JsonKind): Result<Node | null, TextFault> {
  const errors: ParseError[] = [];
  const lenient = kind === "jsonc";
  const options = { disallowComments: !lenient, allowTrailingComma: lenient, allowEmptyContent: true };
  let root: Node | undefined;
  try {
    root = parseTree(text, errors, options);
  } catch (error) {
    // The parser descends by recursion; nobody nests a configuration this deep.
    if (error instanceof RangeError) return fail({ reason: "is nested too deep to be read", place: null });
    throw error;
  }
  const [first] = errors;
  if (first !== undefined) return fail(faultAt(text, first.offset, `no valid JSON (${wordsOf(first)})`));
  return ok(root ?? null);
}

/** `CommaExpected` as `comma expected`. */
function wordsOf({ error }: ParseError): string {
  return printParseErrorCode(error)
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase();
}

/** The object that a node is, or null for every other kind of value. */
export function objectOf(node: Node | null | undefined): JsonObject | null {
  if (node?.type !== "object") return null;
  const members = (node.children ?? []).flatMap((property): JsonMember[] => {
    const [key, value] = property.children ?? [];
    if (key === undefined || value === undefined) return [];
    return [{ key: String(key.value), start: key.offset, end: value.offset + value.length, value }];
  });
  return { open: node.offset, close: node.offset + node.length - 1, members };
}

/** Of members with one name the last counts, as every JSON reader has it. */
export function memberOf(object: JsonObject, key: string): JsonMember | null {
  return object.members.findLast((member) => member.key === key) ?? null;
}

/** White space and comments from one place to the next token. */
export interface Gap {
  readonly start: number;
  /** Where the last comment ends, or the gap's beginning when it has none. */
  readonly solidEnd: number;
  /** What that comment is: after a line comment the line must end. */
  readonly solid: "none" | "line" | "block";
  /** Where the next token begins. */
  readonly end: number;
}

const trivia = /(?<white>[ \t\r\n]+)|(?<line>\/\/[^\r\n]*)|(?<block>\/\*[\s\S]*?\*\/)/y;

/** The gap at an offset of a text that was parsed. */
export function gapAt(text: string, from: number): Gap {
  let [solidEnd, end] = [from, from];
  let solid: Gap["solid"] = "none";
  for (;;) {
    trivia.lastIndex = end;
    const groups = trivia.exec(text)?.groups;
    if (groups === undefined) return { start: from, solidEnd, solid, end };
    end = trivia.lastIndex;
    if (groups["white"] === undefined) [solidEnd, solid] = [end, groups["line"] === undefined ? "block" : "line"];
  }
}

/** Where the comma after a member stands, or null. */
export function commaAfter(text: string, member: JsonMember): number | null {
  const { end } = gapAt(text, member.end);
  return text[end] === "," ? end : null;
}

/** The gap in front of a member: it begins after the comma of the one before, or after the brace. */
export function gapBefore(text: string, object: JsonObject, member: JsonMember): Gap {
  const previous = object.members[object.members.indexOf(member) - 1];
  if (previous === undefined) return gapAt(text, object.open + 1);
  return gapAt(text, (commaAfter(text, previous) ?? previous.end - 1) + 1);
}
