/** A line on its way out. Pure. */
import { json } from "./message.ts";

/**
 * A line that stands as it is, or one with a text so long that it becomes JSON part by part while it is written: at no
 * time does the whole of it exist a second time, and its beginning leaves while its end is still to be escaped.
 */
export type Line = string | LongLine;

/** `head`, then `text` as the inside of a JSON string, then `tail`. */
export interface LongLine {
  readonly head: string;
  readonly text: string;
  readonly tail: string;
}

/** A piece of a line as it is written, and how many characters of the line it stands for. */
export interface Part {
  readonly text: string;
  readonly weight: number;
}

/** Characters of a part; what is no longer goes in one piece. */
export const PART_CHARACTERS = 64 * 1024;

/** A line around a text: in one piece unless the text is long. */
export function lineAround(head: string, text: string, tail: string): Line {
  return text.length > PART_CHARACTERS ? { head, text, tail } : head + inside(text) + tail;
}

/** Characters that wait for the host while this line does, its newline included. */
export function weightOf(line: Line): number {
  return (typeof line === "string" ? line.length : line.head.length + line.text.length + line.tail.length) + 1;
}

/** The line in one piece, without its newline. */
export function wholeLine(line: Line): string {
  return typeof line === "string" ? line : line.head + inside(line.text) + line.tail;
}

/** A long line piece by piece, its newline at the end. The weights add up to that of the line. */
export function* partsOf({ head, text, tail }: LongLine): Generator<Part, undefined> {
  yield { text: head, weight: head.length };
  for (let at = 0, end = 0; at < text.length; at = end) {
    end = endOfPart(text, at);
    yield { text: inside(text.slice(at, end)), weight: end - at };
  }
  yield { text: `${tail}\n`, weight: tail.length + 1 };
}

function inside(text: string): string {
  return json(text).slice(1, -1);
}

/** Where a part that begins at `at` ends, so that no character beyond the BMP is halved. */
function endOfPart(text: string, at: number): number {
  const end = Math.min(text.length, at + PART_CHARACTERS);
  const last = text.charCodeAt(end - 1);
  return end < text.length && last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
