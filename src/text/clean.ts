/** What leaves in a text: nothing that could steer a terminal, hide from a reader, or break a line. */

import { beginningOf } from "./character.ts";

/** How much of anything a host sent is repeated to it, in characters. */
const ECHO_CHARACTERS = 100;
/** A status is one short line. */
const STATUS_CHARACTERS = 300;

// C0 and C1 controls with DEL, lone surrogates, what turns the direction of writing, and the invisible tag alphabet.
const unsafe = /[[\p{Cc}\p{Cs}\p{Bidi_Control}\u{E0000}-\u{E007F}]--[\n\t]]/gv;

/**
 * Replaces by `\u` escapes every control character but newline and tab, bidirectional controls, tag characters and
 * lone surrogates; a carriage return becomes a newline. In plain text the escape is what a reader sees. A JSON
 * document stays one, with the same value: within its strings an escape is the character, and outside of them only
 * a carriage return can stand, where it is white space. (design.md section 4)
 */
export function cleanText(text: string): string {
  const unix = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
  return unix.replace(unsafe, escaped);
}

/** What a line may not hold to be shown and stored as it is: the above, and whatever ends a line. */
const unfitForLine = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\u{E0000}-\u{E007F}]/v;

/** Whether a text is one line in which every character is seen where it stands. */
export function isPlainLine(text: string): boolean {
  return !unfitForLine.test(text);
}

function escaped(character: string): string {
  let out = "";
  for (let i = 0; i < character.length; i++) out += `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`;
  return out;
}

/** A value of the host as a message may repeat it: JSON, cleaned, at most about 100 characters. */
export function quote(value: string | number): string {
  return typeof value === "number" ? String(value) : cleanText(JSON.stringify(cut(value, ECHO_CHARACTERS)));
}

/** A status as one line of at most 300 characters. */
export function oneLine(text: string): string {
  return cleanText(cut(text, STATUS_CHARACTERS)).replace(/\s+/g, " ").trim();
}

/** The first characters of a text, an ellipsis where more follow; no character is halved. */
function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${beginningOf(text, limit - 1)}…`;
}
