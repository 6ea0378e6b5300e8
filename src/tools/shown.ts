import { stringifyDocument } from "../phux/json-number.ts";

/** How large a text is in a host's eyes, and how much larger than it may be. */
export interface Extent {
  readonly characters: number;
  readonly lines: number;
}

/**
 * What JSON leaves as it is and the engine writes as escapes on the way out: DEL and C1 controls, what turns the
 * direction of writing, and the invisible tag alphabet (design.md section 4). Without the `u` flag, which takes twice
 * as long on a large screen.
 */
const escapedLater = /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\udb40[\udc00-\udc7f]/g;
/** What an escape, `\u` and four digits, has beyond the unit that it stands for. */
const ESCAPE_GROWS = 5;

/** Characters (UTF-16 units) of a JSON text once it is escaped. */
export function shownLength(text: string): number {
  let length = text.length;
  for (const match of text.match(escapedLater) ?? []) length += ESCAPE_GROWS * match.length;
  return length;
}

export function linesOf(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

/** How far a text is over a budget; null when it fits. */
export function excessOf(text: string, budget: Extent): Extent | null {
  // Counting costs more than writing the text, and most texts are far on one side.
  const surelyFits = text.length * (1 + ESCAPE_GROWS) <= budget.characters;
  const characters = surelyFits ? 0 : Math.max(0, shownLength(text) - budget.characters);
  const lines = budget.lines === Number.POSITIVE_INFINITY ? 0 : Math.max(0, linesOf(text) - budget.lines);
  return characters === 0 && lines === 0 ? null : { characters, lines };
}

/** A value as it stands in a document. */
export function jsonOf(value: unknown): string {
  if (typeof value === "object" && value !== null) return stringifyDocument(value);
  return typeof value === "bigint" ? value.toString() : (JSON.stringify(value) ?? "null");
}
