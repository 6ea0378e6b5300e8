import type { Corpus } from "./mutation.ts";
import type { Random } from "./random.ts";

/** Something that takes any input whatever. */
export interface Target {
  readonly name: string;
  readonly corpus: Corpus;
  /**
   * One input. True when it was understood, false when it was refused with a value that says why. Throws when a promise
   * is broken. `random` decides what the input does not, and begins anew from the same seed when an input is tried again.
   */
  run(input: Uint8Array, random: Random): boolean;
}

/** A promise that was broken, in one sentence. */
export function broken(what: string): never {
  throw new Error(what);
}

/** An input as text: mostly UTF-8, else every two bytes one unit, so that halves of characters come along. */
export function textOf(input: Uint8Array, random: Random): string {
  if (!random.oneIn(5)) return new TextDecoder().decode(input);
  let text = "";
  for (let at = 0; at + 1 < input.length; at += 2)
    text += String.fromCharCode((input[at] ?? 0) | ((input[at + 1] ?? 0) << 8));
  return text;
}

/** A corpus from texts. */
export function corpusOf(first: string, ...others: readonly string[]): Corpus {
  const encoder = new TextEncoder();
  return [encoder.encode(first), ...others.map((text) => encoder.encode(text))];
}
