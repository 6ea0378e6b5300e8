/** The letters that a person types to mean it: drawn anew each time, so that no habit and no pasted text knows them. */

export interface Challenge {
  readonly letters: string;
  /** They are shown from then on, and typed before then they do not count. */
  readonly from: number;
  /** The terminal has taken the frame that shows them. */
  readonly shown: boolean;
  readonly typed: number;
}

/** Keys within this time of what they would answer were meant for something else (guard.md "The sheet"). */
export const QUIET_MS = 500;

/** Consonants that no two people read differently: three of them are in hardly any word. */
export const ALPHABET = "cdfghjkmnpqrtvwxz";
const LENGTH = 3;

/** Three different letters by a source of numbers from 0 to 1. */
export function drawLetters(random: () => number): string {
  let left = ALPHABET;
  let letters = "";
  while (letters.length < LENGTH) {
    const letter = left.charAt(Math.min(Math.floor(random() * left.length), left.length - 1));
    letters += letter;
    left = left.replace(letter, "");
  }
  return letters;
}

export function challenge(letters: string, now: number): Challenge {
  return { letters, from: now + QUIET_MS, shown: false, typed: 0 };
}

/** What a typed character makes of it: `met` with the last letter, null when it was another one or came too early. */
export function typeLetter(asked: Challenge, character: string, now: number): Challenge | "met" | null {
  if (!asked.shown || now < asked.from) return null;
  if (character.toLowerCase() !== asked.letters.charAt(asked.typed)) return null;
  const typed = asked.typed + 1;
  return typed === asked.letters.length ? "met" : { ...asked, typed };
}

/** Whether a frame that is drawn now shows the letters. */
export const isOpen = (asked: Challenge, now: number) => now >= asked.from;
