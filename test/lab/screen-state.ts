import type { IBuffer, IBufferCell } from "@xterm/headless";
import type { Screen } from "./screen.ts";
import type { Semantic } from "./semantic-regions.ts";

export type Colour =
  | { readonly kind: "default" }
  | { readonly kind: "palette"; readonly index: number }
  | { readonly kind: "rgb"; readonly r: number; readonly g: number; readonly b: number };

export type Style = {
  readonly bold: boolean;
  readonly faint: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly blink: boolean;
  readonly inverse: boolean;
  readonly invisible: boolean;
  readonly strikethrough: boolean;
  readonly overline: boolean;
  readonly fg: Colour;
  readonly bg: Colour;
};

type CellEntry = { col: number; row: number; semantic?: Semantic; style: Style };

/** Members in the order that 0.22 writes them (wire.md 11.2). */
export type ScreenState = {
  schema_version: 3;
  pane: number;
  cols: number;
  rows: number;
  cursor: { x: number; y: number; visible: boolean };
  lines?: string[];
  scrollback?: string[];
  cells?: CellEntry[];
  soft_wrap?: { lines: number[]; scrollback: number[] };
  truncated?: true;
  truncated_reason?: "row_window";
  title?: string;
  rendered?: { format: "html" | "vt"; data: string };
};

export type ScreenRequest = {
  readonly pane: number;
  readonly cols: number;
  readonly rows: number;
  /** null: viewport only; 0: all retained history; n: the newest n rows of it. */
  readonly scrollback: number | null;
  readonly cells: boolean;
};

/** The rows of history that a request covers, as absolute rows of the buffer: [first, end). */
export function historyWindow(buffer: IBuffer, wanted: number | null): { first: number; end: number } {
  const end = buffer.baseY;
  if (wanted === null) return { first: end, end };
  return { first: wanted === 0 ? 0 : Math.max(0, end - wanted), end };
}

/** What GET_SCREEN answers. `screen` must be settled. */
export function screenState(screen: Screen, request: ScreenRequest): ScreenState {
  const { buffer } = screen;
  const history = historyWindow(buffer, request.scrollback);
  const viewport = { first: buffer.baseY, end: buffer.baseY + screen.rows };
  const cut = request.scrollback !== null && history.first > 0;
  return {
    schema_version: 3,
    pane: request.pane,
    cols: request.cols,
    rows: request.rows,
    cursor: screen.cursor,
    lines: rowTexts(buffer, viewport),
    scrollback: rowTexts(buffer, history),
    ...(request.cells ? { cells: cellEntries(screen) } : {}),
    soft_wrap: { lines: wraps(buffer, viewport), scrollback: wraps(buffer, history) },
    ...(cut ? { truncated: true, truncated_reason: "row_window" } : {}),
    ...(screen.title ? { title: screen.title } : {}),
  };
}

type Rows = { readonly first: number; readonly end: number };

export function rowTexts(buffer: IBuffer, { first, end }: Rows): string[] {
  return Array.from({ length: end - first }, (_, i) => rowText(buffer, first + i));
}

function rowText(buffer: IBuffer, row: number): string {
  return (buffer.getLine(row)?.translateToString(true) ?? "").replace(/[ \0]+$/, "");
}

export function wraps(buffer: IBuffer, { first, end }: Rows): number[] {
  const rows = Array.from({ length: end - first }, (_, i) => i);
  return rows.filter((row) => buffer.getLine(first + row + 1)?.isWrapped ?? false);
}

function cellEntries(screen: Screen): CellEntry[] {
  const { buffer, regions } = screen;
  const entries: CellEntry[] = [];
  for (let row = 0; row < screen.rows; row++) {
    const line = buffer.getLine(buffer.baseY + row);
    if (!line) continue;
    for (let col = 0; col < line.length; col++) {
      const cell = line.getCell(col);
      // The right half of a wide glyph has no entry of its own.
      if (!cell || cell.getWidth() === 0) continue;
      const semantic = regions.at(buffer.baseY + row, col);
      if (cell.isAttributeDefault() && !semantic) continue;
      entries.push({ col, row, ...(semantic ? { semantic } : {}), style: cellStyle(cell) });
    }
  }
  return entries;
}

export function cellStyle(cell: IBufferCell): Style {
  return {
    bold: cell.isBold() !== 0,
    faint: cell.isDim() !== 0,
    italic: cell.isItalic() !== 0,
    underline: cell.isUnderline() !== 0,
    blink: cell.isBlink() !== 0,
    inverse: cell.isInverse() !== 0,
    invisible: cell.isInvisible() !== 0,
    strikethrough: cell.isStrikethrough() !== 0,
    overline: cell.isOverline() !== 0,
    fg: colour(cell.isFgDefault(), cell.isFgPalette(), cell.getFgColor()),
    bg: colour(cell.isBgDefault(), cell.isBgPalette(), cell.getBgColor()),
  };
}

function colour(isDefault: boolean, isPalette: boolean, value: number): Colour {
  if (isDefault) return { kind: "default" };
  if (isPalette) return { kind: "palette", index: value };
  return { kind: "rgb", r: (value >> 16) & 255, g: (value >> 8) & 255, b: value & 255 };
}

export type ProcessFacts = {
  readonly child: { pid: number; start_ms: number } | null;
  readonly foreground: { pgid: number; start_ms: number; name: string } | null;
  readonly cwd: string | null;
  readonly prompt: { state: "unknown" | "at_prompt" | "running"; last_exit_code: number | null };
  readonly exit: { status: number | null; signal: number | null; reason: string; exited_at_ms: number } | null;
};

/** What GET_TERMINAL_STATE answers, members sorted as 0.22 sorts them. `facts` null is the 0.8 form (wire.md 12). */
export function terminalState(
  screen: Screen,
  size: { readonly cols: number; readonly rows: number },
  historyRows: number | null,
  facts: ProcessFacts | null,
  nowSeconds: number,
): Record<string, unknown> {
  const { buffer } = screen;
  const lines = rowTexts(buffer, { first: buffer.baseY, end: buffer.baseY + screen.rows });
  const history = rowTexts(buffer, historyWindow(buffer, historyRows));
  const { x, y, visible } = screen.cursor;
  return {
    cells: lines.flatMap(rowCharacters),
    cols: size.cols,
    cursor: { visible, x, y },
    pending_command: null,
    ...(facts ? { process: facts } : {}),
    rows: size.rows,
    ...(facts ? { schema_version: 1 } : {}),
    scrollback: history.map((text) => ({ cells: [], text })),
    scrollback_count_total: history.length,
    seq: 0,
    shell_state: facts ? facts.prompt : null,
    timestamp_secs: nowSeconds,
  };
}

function rowCharacters(line: string, row: number): Record<string, unknown>[] {
  return [...line].map((text, col) => ({ col, row, selected: false, text, width: text < "\x80" ? 1 : 2 }));
}
