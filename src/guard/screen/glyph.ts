/** A text of an agent's as glyphs that stay in their place on every terminal, and that leave nothing unseen. Pure. */
import { eastAsianWidth } from "get-east-asian-width";

export interface Glyph {
  readonly text: string;
  /** The most columns that any terminal gives it; they disagree about marks, emoji and ambiguous characters. */
  readonly width: number;
  /** It stands for characters that do not print, or would not be where they seem. */
  readonly mark: boolean;
  /** A row ends behind it. */
  readonly breaks: boolean;
  /** How far the text is shown with it, in UTF-16 units. */
  readonly end: number;
}

/** What the glyphs of a text do not say at a glance. */
export interface Count {
  readonly lines: number;
  readonly characters: number;
  readonly foreign: number;
  readonly marks: number;
}

/** Two marks on a letter are a language's (Vietnamese); a tower of them draws over other rows. */
const MARKS_ON_A_LETTER = 2;
/** A longer run of blanks is counted, not drawn: it could push what follows out of sight. */
const BLANKS = 16;

const combining = /^\p{M}$/u;
// Controls, invisible and unassigned characters, blanks that are no space, and the character with which a mark begins,
// so that a mark cannot be imitated.
const hidden = /^[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u{115f}\u{1160}\u{3164}\u{ffa0}\u{2800}\u{27e8}]$/u;
// The blocks whose letters run from right to left: a terminal that turns them round would move their neighbours too.
const rightToLeft = /^[\u{590}-\u{8ff}\u{fb1d}-\u{fdff}\u{fe70}-\u{feff}\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]$/u;
// A flag is two letters, a face may take a colour from the character behind it: on its own each is wide.
const wideAlone = /^[\p{Emoji_Presentation}\p{Regional_Indicator}\p{Emoji_Modifier}]$/u;

/** The text as glyphs, each with the columns that it takes at most. */
export function glyphsOf(text: string): Glyph[] {
  const glyphs: Glyph[] = [];
  const characters = [...text];
  let end = 0;
  let marks = MARKS_ON_A_LETTER;
  for (let at = 0; at < characters.length; ) {
    const character = characters[at] ?? "";
    const last = glyphs.at(-1);
    const isMark = combining.test(character);
    if (isMark && isDrawn(character) && last !== undefined && marks < MARKS_ON_A_LETTER) {
      end += character.length;
      glyphs[glyphs.length - 1] = { ...last, text: last.text + character, width: last.width + widthOf(character), end };
      marks += 1;
      at += 1;
    } else if (!isMark && isDrawn(character)) {
      end += character.length;
      glyphs.push({ text: character, width: widthOf(character), mark: false, breaks: false, end });
      marks = 0;
      at += 1;
    } else {
      const run = runLength(characters, at);
      end += character.length * run;
      at += run;
      glyphs.push(...named(character, run, end));
      // Nothing may sit on a blank or on a sign of ours.
      marks = MARKS_ON_A_LETTER;
    }
  }
  return glyphs;
}

/** How many of the same character follow each other from `at` on. */
function runLength(characters: readonly string[], at: number): number {
  let run = 1;
  while (characters[at + run] === characters[at]) run += 1;
  return run;
}

/** What stands for a run of blanks, of newlines, or of a character that may not be drawn. */
function named(character: string, run: number, end: number): Glyph[] {
  if (character === "\n" || (character === " " && run <= BLANKS)) {
    const breaks = character === "\n";
    const glyph = { text: breaks ? "⏎" : " ", width: 1, mark: breaks, breaks };
    return Array.from({ length: run }, (_, at) => ({ ...glyph, end: end - run + at + 1 }));
  }
  const text = `⟨${nameOf(character, run)}⟩`;
  return [{ text, width: textWidth(text), mark: true, breaks: false, end }];
}

function nameOf(character: string, run: number): string {
  if (character === " ") return `${run} spaces`;
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `${character === "\t" ? "tab" : `U+${code}`}${run > 1 ? ` x${run}` : ""}`;
}

function isDrawn(character: string): boolean {
  return !hidden.test(character) && !rightToLeft.test(character);
}

function widthOf(character: string): number {
  if (character < "\u{7f}") return 1;
  if (wideAlone.test(character)) return 2;
  return eastAsianWidth(character.codePointAt(0) ?? 0, { ambiguousAsWide: true });
}

/** The most columns that a text of plain characters takes. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += widthOf(character);
  return width;
}

export function countOf(text: string, glyphs: readonly Glyph[]): Count {
  let characters = 0;
  let foreign = 0;
  for (const character of text) {
    characters += 1;
    if (character > "\u{7e}") foreign += 1;
  }
  const marks = glyphs.filter(({ mark, breaks }) => mark && !breaks).length;
  return { lines: text.split("\n").length, characters, foreign, marks };
}
