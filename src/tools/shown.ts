import { stringifyDocument } from "../phux/json-number.ts";
import type { Budget } from "./budget.ts";

/** How large a text is in a host's eyes, in the measures of a budget. */
export type Extent = Budget;

export const plus = (a: Extent, b: Extent): Extent => ({
  characters: a.characters + b.characters,
  bytes: a.bytes + b.bytes,
  lines: a.lines + b.lines,
});
export const minus = (a: Extent, b: Extent): Extent => plus(a, scaled(b, -1));
export const scaled = ({ characters, bytes, lines }: Extent, by: number): Extent => ({
  characters: characters * by,
  bytes: bytes * by,
  lines: lines * by,
});

export function isWithin(extent: Extent, most: Extent): boolean {
  return extent.characters <= most.characters && extent.bytes <= most.bytes && extent.lines <= most.lines;
}

/** What an escape, `\u` and four digits, takes in place of each unit of a character. */
const ESCAPE = 6;

/** What a text of JSON or cleaned prose takes once the engine has escaped what must not leave raw (design.md section 4). */
export function extentOf(text: string): Extent {
  return { ...sizeOnceEscaped(text), lines: linesOf(text) };
}

function sizeOnceEscaped(text: string): Pick<Extent, "characters" | "bytes"> {
  const size = { characters: text.length, bytes: Buffer.byteLength(text, "utf8") };
  if (size.bytes === size.characters && !text.includes("\x7f")) return size;
  const first = text.search(escapedLater);
  if (first < 0) return size;
  // By the unit and without a list of matches: a screen can hold millions of them.
  for (let at = first; at < text.length; at += 1) {
    const bytes = bytesEscapedLater(text, at);
    if (bytes === 0) continue;
    const units = bytes === 4 ? 2 : 1;
    size.characters += units * (ESCAPE - 1);
    size.bytes += units * ESCAPE - bytes;
    at += units - 1;
  }
  return size;
}

/**
 * What JSON leaves as it is and the engine writes as escapes on the way out: DEL and C1 controls, what turns the
 * direction of writing, and the invisible tag alphabet. Looked for without the `u` flag, which takes twice as long on a
 * large screen, and at half the cost of a look at each unit.
 */
const escapedLater = /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\udb40[\udc00-\udc7f]/;

/** The UTF-8 bytes of such a character, else 0. */
function bytesEscapedLater(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit < 0x7f) return 0;
  if (unit <= 0x9f) return unit === 0x7f ? 1 : 2;
  if (unit === 0x61c) return 2;
  if (unit === 0x200e || unit === 0x200f) return 3;
  if ((unit >= 0x202a && unit <= 0x202e) || (unit >= 0x2066 && unit <= 0x2069)) return 3;
  if (unit !== 0xdb40) return 0;
  const low = text.charCodeAt(at + 1);
  return low >= 0xdc00 && low <= 0xdc7f ? 4 : 0;
}

export function linesOf(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

/** Whether a host shows all of a text. */
export function fits(text: string, budget: Budget): boolean {
  // Counting costs more than writing the text, and most texts are far on one side.
  const most = Math.min(budget.characters, budget.bytes);
  if (text.length > budget.characters) return false;
  if (text.length * ESCAPE > most && !isWithin({ ...sizeOnceEscaped(text), lines: 0 }, { ...budget, lines: 0 }))
    return false;
  return budget.lines === Number.POSITIVE_INFINITY || linesOf(text) <= budget.lines;
}

/** A value as it stands in a document. RangeError for one that is nested too deep to be written. */
export function jsonOf(value: unknown): string {
  if (typeof value === "object" && value !== null) return stringifyDocument(value);
  return typeof value === "bigint" ? value.toString() : (JSON.stringify(value) ?? "null");
}

/** What one entry of a list or member takes: its text, and for each of its lines the indent and the end of the line; a comma. */
export function entryExtent(entry: unknown, indent: number): Extent {
  const { characters, bytes, lines } = extentOf(jsonOf(entry));
  const around = lines * indent + 2;
  return { characters: characters + around, bytes: bytes + around, lines };
}
