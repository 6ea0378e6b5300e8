import { characterEnd, characterStart, wholePair } from "../text/character.ts";
import { type Extent, extentOf, isWithin, minus } from "./shown.ts";

/** How much of a text is weighed at once, ever less as its limit comes near. */
const STEPS = [4_096, 512, 64, 8, 1];

/**
 * The end of a text, as long as its JSON form without the quotes takes at most `most`, lines not counted; beginning at a
 * whole character and at a multiple of `group`. Costs what is kept, not what is left out.
 */
export function endWithin(text: string, most: Extent, group = 1): string {
  let at = text.length;
  let left = onOneLine(most);
  for (const step of STEPS) {
    while (at > 0) {
      const start = wholePair(text, Math.max(0, at - step));
      const from = start < at ? start : at - 2;
      const weight = weightOf(text.slice(from, at));
      if (!isWithin(weight, left)) break;
      left = minus(left, weight);
      at = from;
    }
  }
  return text.slice(Math.ceil(characterStart(text, at) / group) * group);
}

/** The same of the beginning of a text: for messages, which say the most first. */
export function beginningWithin(text: string, most: Extent): string {
  let at = 0;
  let left = onOneLine(most);
  for (const step of STEPS) {
    while (at < text.length) {
      const end = wholePair(text, Math.min(text.length, at + step));
      const weight = weightOf(text.slice(at, end));
      if (!isWithin(weight, left)) break;
      left = minus(left, weight);
      at = end;
    }
  }
  return text.slice(0, characterEnd(text, at));
}

/** JSON writes the lines of a text on one. */
const onOneLine = (most: Extent): Extent => ({ ...most, lines: 0 });

function weightOf(text: string): Extent {
  const { characters, bytes } = extentOf(JSON.stringify(text));
  return { characters: characters - 2, bytes: bytes - 2, lines: 0 };
}
