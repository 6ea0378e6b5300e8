/** Rows as the bytes that draw them. Pure. */

import type { Row, Tone } from "./row.ts";
import type { Size } from "./sheet-page.ts";

/** What the terminal may be told: colours, only weight and reverse, or nothing but text and line ends. */
export type Ink = "colour" | "monochrome" | "plain";

type Environment = Readonly<Record<string, string | undefined>>;

export function inkFor({ NO_COLOR, TERM }: Environment): Ink {
  if (TERM === undefined || TERM === "" || TERM === "dumb" || TERM === "unknown") return "plain";
  return NO_COLOR === undefined || NO_COLOR === "" ? "colour" : "monochrome";
}

const colours: Readonly<Record<Tone, string>> = {
  plain: "",
  title: "1;7",
  strong: "1",
  faint: "2",
  warning: "1;31",
  bar: "33",
  foreign: "36",
  mark: "7;36",
  chosen: "1;7",
};
const weights: Readonly<Record<Tone, string>> = { ...colours, warning: "1", bar: "", foreign: "", mark: "7" };

export const ENTER = {
  // Alternate screen, no cursor, no wrapping at the margin, pastes marked as such, and word when the focus comes or goes.
  begin: "\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l\u{1b}[?2004h\u{1b}[?1004h",
  end: "\u{1b}[0m\u{1b}[?1004l\u{1b}[?2004l\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l",
};

export function painted(row: Row, ink: Ink): string {
  const styles = ink === "colour" ? colours : weights;
  return row
    .map(({ text, tone }) => {
      const style = ink === "plain" ? "" : styles[tone];
      return style === "" || text === "" ? text : `\u{1b}[${style}m${text}\u{1b}[0m`;
    })
    .join("");
}

/**
 * The bytes that turn a screen of `before` into one of `rows`; null before is a screen of which nothing is known. Each row
 * is placed by itself, so that a terminal that counts columns otherwise cannot shift another one.
 */
export function frame(rows: readonly Row[], before: readonly string[] | null, { rows: height }: Size, ink: Ink) {
  const lines = rows.slice(0, height).map((row) => painted(row, ink));
  if (ink === "plain")
    return { lines, bytes: lines.join("\r\n") === before?.join("\r\n") ? "" : `\r\n${lines.join("\r\n")}\r\n` };
  let bytes = before === null ? "\u{1b}[0m\u{1b}[2J" : "";
  for (let at = 0; at < Math.max(lines.length, before?.length ?? 0); at += 1) {
    const line = lines[at] ?? "";
    if (before !== null && before[at] === line) continue;
    // Erased first: behind a full row the cursor still stands on its last column.
    bytes += `\u{1b}[${at + 1};1H\u{1b}[2K${line}`;
  }
  return { lines, bytes };
}
