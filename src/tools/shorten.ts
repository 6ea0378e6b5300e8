import { stringifyDocument } from "../phux/json-number.ts";

/** How much a document is over its budget. */
export interface Excess {
  readonly characters: number;
  readonly lines: number;
}

/**
 * How many entries at the front of a list must go so that the document it stands in, `depth` levels deep and indented by
 * two, gets shorter by `excess`. All of them when even that is too little.
 */
export function shortenList(list: readonly unknown[], depth: number, excess: Excess): number {
  const indent = 2 * (depth + 1);
  let { characters, lines } = excess;
  let dropped = 0;
  while (dropped < list.length && (characters > 0 || lines > 0)) {
    const size = sizeOf(list[dropped], indent);
    characters -= size.characters;
    lines -= size.lines;
    dropped += 1;
  }
  return dropped;
}

function sizeOf(entry: unknown, indent: number): Excess {
  const text =
    typeof entry === "object" && entry !== null ? stringifyDocument(entry) : (JSON.stringify(entry) ?? "null");
  const lines = text.split("\n").length;
  return { characters: text.length + lines * (indent + 1) + 1, lines };
}

/** Marks and joiners that belong to the character before them. */
const continues = /^(?:\p{M}|\u200d|\ufe0e|\ufe0f)/u;

/**
 * The end of a text, shorter by at least `excess` characters of its JSON form, beginning at a whole character and at a
 * multiple of `group`. Empty when even that is too little.
 */
export function shortenText(text: string, excess: number, group: number): string {
  if (excess <= 0) return text;
  let saved = 0;
  let at = 0;
  while (at < text.length && saved < excess) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    saved += JSON.stringify(character).length - 2;
    at += character.length;
  }
  while (at < text.length && continues.test(text.slice(at, at + 2))) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return text.slice(Math.ceil(at / group) * group);
}
