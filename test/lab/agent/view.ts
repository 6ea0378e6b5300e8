/** What the agent does, as far as it shows. */
export type Showing =
  | { readonly showing: "rest" }
  | { readonly showing: "work"; readonly seconds: number; readonly tick: number; readonly waiting: number }
  | { readonly showing: "question"; readonly question: string; readonly choices: readonly string[] };

/** The rows at the end of the screen that are drawn anew each time, and where in them the cursor stands. */
export interface Block {
  readonly rows: readonly string[];
  readonly row: number;
  readonly column: number;
}

const WIDEST = 80;
const NARROWEST = 16;
const spinner = ["-", "\\", "|", "/"] as const;

/** The input box, with what goes on above it and what Enter would do below: detection reads these rows. */
export function block(showing: Showing, input: string, notice: string | null, columns: number): Block {
  const width = Math.max(NARROWEST, Math.min(columns, WIDEST)) - 1;
  const above = rowsAbove(showing).map((row) => fit(row, width));
  const room = width - 6;
  const shown = tail(input, room);
  const filled = Bun.stringWidth(shown);
  const line = "─".repeat(width - 2);
  const rows = [
    ...above,
    `╭${line}╮`,
    `│ > ${shown}${" ".repeat(room - filled)} │`,
    `╰${line}╯`,
    fit(`  ${below(showing)}${notice === null ? "" : ` · ${notice}`}`, width),
  ];
  return { rows, row: above.length + 1, column: 4 + filled };
}

function rowsAbove(showing: Showing): string[] {
  switch (showing.showing) {
    case "rest":
      return [];
    case "work": {
      const { seconds, tick, waiting } = showing;
      const sign = spinner[tick % spinner.length] ?? spinner[0];
      return [`${sign} Working (${seconds} s, Esc interrupts)${waiting > 0 ? `, ${waiting} waiting` : ""}`];
    }
    case "question":
      return [`? ${showing.question}`, ...showing.choices.map((choice, at) => `  ${at + 1}. ${choice}`)];
  }
}

function below({ showing }: Showing): string {
  switch (showing) {
    case "rest":
      return "Enter sends · help lists what I do";
    case "work":
      return "Enter queues";
    case "question":
      return "Enter answers · a number or words · Esc declines";
  }
}

/** The beginning of a text that takes at most `width` columns. */
function fit(text: string, width: number): string {
  let fitting = text;
  while (Bun.stringWidth(fitting) > width) fitting = fitting.slice(0, -1);
  return fitting.toWellFormed();
}

/** The end of a text that takes at most `width` columns: where somebody types. */
function tail(text: string, width: number): string {
  let fitting = text.slice(-width);
  while (Bun.stringWidth(fitting) > width) fitting = fitting.slice(1);
  return fitting.toWellFormed();
}

/** A terminal whose end is one block: what is said goes above it, for good. */
export class Canvas {
  readonly #write: (text: string) => void;
  #above = 0;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** One write, so that nobody sees half of it. */
  draw(said: readonly string[], { rows, row, column }: Block): void {
    const lines = [...said, ...rows].join("\r\n");
    const back = rows.length - 1 - row;
    this.#write(`\x1b[?25l${this.#toTop()}${lines}${up(back)}\r\x1b[${column}C\x1b[?25h`);
    this.#above = row;
  }

  /** Takes the block away and leaves the cursor where it began. */
  clear(): void {
    this.#write(this.#toTop());
    this.#above = 0;
  }

  #toTop(): string {
    return `${up(this.#above)}\r\x1b[J`;
  }
}

function up(rows: number): string {
  return rows > 0 ? `\x1b[${rows}A` : "";
}
