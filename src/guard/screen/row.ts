/** Rows of styled text, and how the texts of an agent are put into them. Pure. */
import { type Glyph, textWidth } from "./glyph.ts";

/** What a piece of a row is; how that looks is said in one place (paint.ts). */
export type Tone = "plain" | "title" | "strong" | "faint" | "warning" | "bar" | "foreign" | "mark" | "chosen";

export interface Piece {
  readonly text: string;
  readonly tone: Tone;
}

export type Row = readonly Piece[];

/** Right of the first bar of a row, and nowhere else, stand words that are not the guard's. */
export const BAR = "│";
const BAR_WIDTH = textWidth(BAR);

export const rowText = (row: Row) => row.map(({ text }) => text).join("");
export const rowWidth = (row: Row) => row.reduce((width, { text }) => width + textWidth(text), 0);

/** Words of ours, printable ASCII whatever comes in, cut to the columns. */
export function words(text: string, columns: number, tone: Tone = "plain"): Row {
  return [{ text: ascii(text).slice(0, Math.max(columns, 0)), tone }];
}

/** Words of ours on as many rows as they need, parted between words; `lead` begins each. */
export function paragraph(text: string, columns: number, tone: Tone, lead = " "): Row[] {
  const room = Math.max(columns - lead.length, 1);
  const rows: string[] = [];
  let line = "";
  for (const word of ascii(text).split(/ +/)) {
    if (line !== "" && line.length + 1 + word.length > room) {
      rows.push(line);
      line = "";
    }
    line = line === "" ? word : `${line} ${word}`;
    while (line.length > room) {
      rows.push(line.slice(0, room));
      line = line.slice(room);
    }
  }
  return [...rows, line].map((row) => words(lead + row, columns, tone));
}

/** A row of rule with a note in it. */
export function rule(note: string, columns: number): Row {
  return words(`-- ${note} `.padEnd(columns, "-"), columns, "faint");
}

/** A row over the whole width. */
export function band(text: string, columns: number, tone: Tone): Row {
  return words(ascii(text).padEnd(columns), columns, tone);
}

const ascii = (text: string) => text.replace(/[\t\r\n]+/gu, " ").replace(/[^\x20-\x7e]/gu, "?");

/** Rows of an agent's text, and how far it is shown with each, in UTF-16 units. */
export interface Shown {
  readonly row: Row;
  readonly end: number;
}

/** Lays glyphs into rows behind a bar; `label` is a word of ours before the first bar. */
export function behindBar(glyphs: readonly Glyph[], columns: number, label = ""): Shown[] {
  const room = Math.max(columns - label.length - BAR_WIDTH, 1);
  const shown: Shown[] = [];
  let line: Glyph[] = [];
  let used = 0;
  const endLine = () => {
    const lead = shown.length === 0 ? label : " ".repeat(label.length);
    shown.push({ row: barred(lead, line), end: line.at(-1)?.end ?? 0 });
    line = [];
    used = 0;
  };
  for (const glyph of glyphs.flatMap((each) => parted(each, room))) {
    if (used + glyph.width > room) endLine();
    line.push(glyph);
    used += glyph.width;
    if (glyph.breaks) endLine();
  }
  if (line.length > 0 || shown.length === 0) endLine();
  return shown;
}

/** A mark may be longer than a narrow row. */
function parted(glyph: Glyph, room: number): Glyph[] {
  if (glyph.width <= room || !glyph.mark) return [glyph];
  return [...glyph.text].map((text) => ({ ...glyph, text, width: textWidth(text) }));
}

function barred(lead: string, line: readonly Glyph[]): Row {
  const pieces: Piece[] = lead === "" ? [] : [{ text: lead, tone: "faint" }];
  pieces.push({ text: BAR, tone: "bar" });
  for (const { text, mark } of line) {
    const tone = mark ? "mark" : "foreign";
    const last = pieces.at(-1);
    if (last?.tone === tone) pieces[pieces.length - 1] = { text: last.text + text, tone };
    else pieces.push({ text, tone });
  }
  return pieces;
}
