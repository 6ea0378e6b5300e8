import { type Extent, jsonOf, linesOf, shownLength } from "./shown.ts";

/**
 * How many entries at the front of a list must go so that the document it stands in, `depth` levels deep and indented by
 * two, gets shorter by `excess`. All of them when even that is too little.
 */
export function shortenList(list: readonly unknown[], depth: number, excess: Extent): number {
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

/** What one entry takes: its text, and for each of its lines the indent and the end of the line; a comma. */
function sizeOf(entry: unknown, indent: number): Extent {
  const text = jsonOf(entry);
  const lines = linesOf(text);
  return { characters: shownLength(text) + lines * indent + 2, lines };
}

/** How much of a text is weighed at once before the last part is weighed by the character. */
const WEIGHED_TOGETHER = 4_096;

/** Marks and joiners that belong to the character before them. */
const continues = /^(?:\p{M}|\u200d|\ufe0e|\ufe0f)/u;

/**
 * The end of a text, shorter by at least `excess` characters of its JSON form, beginning at a whole character and at a
 * multiple of `group`. Empty when even that is too little.
 */
export function shortenText(text: string, excess: number, group = 1): string {
  if (excess <= 0) return text;
  let at = 0;
  let left = excess;
  while (at < text.length && left > 0) {
    const end = characterStart(text, at + WEIGHED_TOGETHER);
    const weight = weightOf(text.slice(at, end));
    if (weight > left) break;
    left -= weight;
    at = end;
  }
  while (at < text.length && left > 0) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    left -= weightOf(character);
    at += character.length;
  }
  while (at < text.length && continues.test(text.slice(at, at + 2))) at = characterStart(text, at + 1);
  return text.slice(Math.ceil(at / group) * group);
}

function weightOf(text: string): number {
  return shownLength(JSON.stringify(text)) - 2;
}

/** The first place from `at` on where no character is halved. */
function characterStart(text: string, at: number): number {
  const inside = /[\ud800-\udbff]/.test(text.charAt(at - 1)) && /[\udc00-\udfff]/.test(text.charAt(at));
  return Math.min(inside ? at + 1 : at, text.length);
}
