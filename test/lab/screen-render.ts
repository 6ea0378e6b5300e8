import type { IBuffer, IBufferLine } from "@xterm/headless";
import type { Screen } from "./screen.ts";
import { type Colour, cellStyle, historyWindow, type Style } from "./screen-state.ts";

type Run = { text: string; style: Style };

/** A row as stretches of one style each, trailing plain blanks left out. */
function runs(line: IBufferLine): Run[] {
  const found: Run[] = [];
  for (let col = 0; col < line.length; col++) {
    const cell = line.getCell(col);
    if (!cell || cell.getWidth() === 0) continue;
    const style = cellStyle(cell);
    const text = cell.getChars() || " ";
    const last = found.at(-1);
    if (last && Bun.deepEquals(last.style, style)) last.text += text;
    else found.push({ text, style });
  }
  const last = found.at(-1);
  if (last && sgr(last.style) === "0") last.text = last.text.trimEnd();
  return found;
}

function paletteColour(index: number, base: number): string {
  if (index < 8) return String(base + index);
  return index < 16 ? String(base + 60 + index - 8) : `${base + 8};5;${index}`;
}

function sgrColour(colour: Colour, base: 30 | 40): string[] {
  switch (colour.kind) {
    case "default":
      return [];
    case "palette":
      return [paletteColour(colour.index, base)];
    case "rgb":
      return [`${base + 8};2;${colour.r};${colour.g};${colour.b}`];
  }
}

function sgr(style: Style): string {
  const flags: [boolean, string][] = [
    [style.bold, "1"],
    [style.faint, "2"],
    [style.italic, "3"],
    [style.underline, "4"],
    [style.blink, "5"],
    [style.inverse, "7"],
    [style.invisible, "8"],
    [style.strikethrough, "9"],
    [style.overline, "53"],
  ];
  const set = flags.filter(([on]) => on).map(([, code]) => code);
  return ["0", ...set, ...sgrColour(style.fg, 30), ...sgrColour(style.bg, 40)].join(";");
}

function vtRow(line: IBufferLine): string {
  return runs(line)
    .map(({ text, style }) => (sgr(style) === "0" ? text : `\x1b[${sgr(style)}m${text}\x1b[0m`))
    .join("");
}

function cssColour(colour: Colour): string | null {
  if (colour.kind === "default") return null;
  if (colour.kind === "rgb") return `rgb(${colour.r},${colour.g},${colour.b})`;
  return `var(--palette-${colour.index})`;
}

function css(style: Style): string {
  const [ink, paper] = style.inverse ? [style.bg, style.fg] : [style.fg, style.bg];
  const lines = [style.underline && "underline", style.strikethrough && "line-through", style.overline && "overline"];
  const drawn = lines.filter((word) => word !== false).join(" ");
  const rules: [string, string | null][] = [
    ["color", cssColour(ink)],
    ["background", cssColour(paper)],
    ["font-weight", style.bold ? "bold" : null],
    ["font-style", style.italic ? "italic" : null],
    ["opacity", style.faint ? "0.6" : null],
    ["visibility", style.invisible ? "hidden" : null],
    ["text-decoration", drawn || null],
  ];
  return rules.flatMap(([name, value]) => (value === null ? [] : [`${name}:${value}`])).join(";");
}

function htmlRow(line: IBufferLine): string {
  return runs(line)
    .map(({ text, style }) => {
      const rules = css(style);
      return rules === "" ? Bun.escapeHTML(text) : `<span style="${rules}">${Bun.escapeHTML(text)}</span>`;
    })
    .join("");
}

const renderedRows = 10_000;

/** The rows of a capture (wire.md 11.2): asked history and viewport, soft-wrapped ones joined when `join`. */
function renderRows(screen: Screen, scrollback: number | null, join: boolean, row: (line: IBufferLine) => string) {
  const { buffer } = screen;
  const end = buffer.baseY + screen.rows;
  const first = Math.max(historyWindow(buffer, scrollback).first, end - renderedRows);
  const rows: string[] = [];
  for (let y = first; y < end; y++) {
    const line = buffer.getLine(y);
    if (!line) continue;
    if (join && line.isWrapped && rows.length > 0) rows.push(`${rows.pop() ?? ""}${row(line)}`);
    else rows.push(row(line));
  }
  return rows;
}

/** A rendered capture; `selector` is the format byte: 1 HTML, 2 VT, with 0x80 to join wrapped rows. */
export function rendered(
  screen: Screen,
  selector: number,
  scrollback: number | null,
): { format: "html" | "vt"; data: string } {
  const join = (selector & 0x80) !== 0;
  if ((selector & 0x7f) === 1) {
    const rows = renderRows(screen, scrollback, join, htmlRow);
    return { format: "html", data: `<pre class="phux">${rows.join("\n")}</pre>` };
  }
  const text = renderRows(screen, scrollback, join, vtRow).join("\r\n");
  return { format: "vt", data: Buffer.from(text).toString("base64") };
}

/** VT text that repaints the viewport of a fresh terminal of the same size: the payload of a bootstrap (wire.md 18.1). */
export function repaint(screen: Screen): Uint8Array {
  const { buffer, cursor, modes } = screen;
  const place = (y: number, x: number) => `\x1b[${y + 1};${x + 1}H`;
  const mode = (number: number, on: boolean) => `\x1b[?${number}${on ? "h" : "l"}`;
  const rows = viewportRows(buffer, screen.rows).map((line, y) => place(y, 0) + vtRow(line));
  const text = [
    "\x1b[!p\x1b[2J\x1b[H",
    mode(1049, buffer.type === "alternate"),
    ...rows,
    "\x1b[0m",
    place(cursor.y, cursor.x),
    mode(25, cursor.visible),
    mode(1, modes.applicationCursorKeys),
    mode(2004, modes.bracketedPaste),
    mode(1004, modes.focusReports),
  ];
  return new TextEncoder().encode(text.join(""));
}

function viewportRows(buffer: IBuffer, rows: number): IBufferLine[] {
  return Array.from({ length: rows }, (_, y) => buffer.getLine(buffer.baseY + y)).filter((line) => line !== undefined);
}
