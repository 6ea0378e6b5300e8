import { logicalLines } from "../../../src/phux/screen.ts";

/** A screen as the marks are looked for on it: its viewport, and which rows go on in the next. */
export interface Viewport {
  readonly cols: number;
  readonly lines?: readonly string[];
  readonly soft_wrap?: { readonly lines: readonly number[] };
}

export interface Finished {
  readonly exitCode: number;
  /** The rows between the marks. */
  readonly output: string;
  /** The opening mark has left the viewport: `output` is only the end. */
  readonly truncated: boolean;
}

/** The two lines between which a shell prints what a command does (recorded 0.8). */
export class Markers {
  readonly #tag: string;

  /** Both numbers together are unique: the process that types, and the nanosecond at which it does. */
  constructor(pid: number, nanoseconds: bigint) {
    this.#tag = `PHUXrun${pid}x${nanoseconds}x0`;
  }

  /** What is typed: the echo of it shows neither mark as a line of its own, nor a number behind `RC=`. */
  around(command: string): string {
    return `printf '${this.#tag}BEGIN\\n'; ${command}; printf '\\n${this.#tag}RC=%d=END\\n' $?`;
  }

  /** Null while the closing mark is not on the screen. */
  find(screen: Viewport): Finished | null {
    const rows = wholeLines(screen);
    const closing = new RegExp(`^${this.#tag}RC=(\\d+)=END$`);
    const end = rows.findLastIndex((row) => closing.test(row));
    if (end < 0) return null;
    // A shell that found the line typed ahead prints its prompt first, and the mark behind it.
    const begin = rows.slice(0, end).findLastIndex((row) => row.endsWith(`${this.#tag}BEGIN`));
    const between = rows.slice(begin + 1, end);
    // The line end in front of the closing mark makes an empty row exactly when the output had ended its own last line.
    if (between.at(-1) === "") between.pop();
    const exitCode = Number(closing.exec(rows[end] ?? "")?.[1]);
    return { exitCode, output: between.join("\n"), truncated: begin < 0 };
  }
}

function wholeLines({ cols, lines = [], soft_wrap }: Viewport): readonly string[] {
  if (soft_wrap === undefined) return lines;
  const wraps = new Set(soft_wrap.lines);
  // A row that goes on is full: what is missing are blanks, which the server cuts off at its end.
  const full = lines.map((row, at) => (wraps.has(at) && isNarrow(row) ? row.padEnd(cols) : row));
  return logicalLines(full, [], { lines: soft_wrap.lines, scrollback: [] }).lines;
}

/** Whether every character takes one column, so that the missing ones can be counted. */
function isNarrow(row: string): boolean {
  return /^[\x20-\x7e]*$/.test(row);
}
