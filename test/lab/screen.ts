import { Terminal as Emulator, type IBuffer } from "@xterm/headless";
import { glyphWidths } from "./glyph-width.ts";
import type { InputModes } from "./key-encoding.ts";
import { SemanticRegions } from "./semantic-regions.ts";

/** A pane's screen: an emulator that is fed the program's output and asked what a person would see. */
export class Screen {
  readonly #emulator: Emulator;
  readonly regions: SemanticRegions;
  #cursorVisible = true;
  #sgrMouse = false;
  readonly #readers = new Set<() => void>();
  #gone = false;
  #fed = 0;
  #parsed = 0;
  title: string | null = null;

  /** `reply` gets what the terminal itself answers to a program's questions (device attributes, cursor position). */
  constructor(columns: number, rows: number, historyRows: number, reply: (text: string) => void) {
    this.#emulator = new Emulator({
      // The emulator has no grid narrower than two columns.
      cols: Math.max(columns, 2),
      rows,
      scrollback: historyRows,
      allowProposedApi: true,
    });
    this.#emulator.unicode.register(glyphWidths);
    this.#emulator.unicode.activeVersion = glyphWidths.version;
    this.#emulator.onData(reply);
    this.#emulator.onTitleChange((title) => {
      this.title = title;
    });
    this.regions = new SemanticRegions(this.#emulator);
    this.#watchMode("h", true);
    this.#watchMode("l", false);
  }

  #watchMode(final: "h" | "l", on: boolean): void {
    this.#emulator.parser.registerCsiHandler({ prefix: "?", final }, (params) => {
      if (params.includes(25)) this.#cursorVisible = on;
      if (params.includes(1006)) this.#sgrMouse = on;
      return false;
    });
  }

  feed(output: Uint8Array): void {
    this.#fed++;
    this.#emulator.write(output, () => {
      this.#parsed++;
    });
  }

  /** How many chunks of output are on the screen. */
  get parsedChunks(): number {
    return this.#parsed;
  }

  /** Looks at the screen at the moment when everything fed so far, and nothing newer, is on it. */
  read<T>(look: (screen: Screen) => T): Promise<T> {
    // The emulator parses on a timer: waiting for it when there is nothing to wait for would cost a tick.
    if (this.#fed === this.#parsed || this.#gone) return Promise.resolve(look(this));
    const { promise, resolve } = Promise.withResolvers<T>();
    const answer = () => {
      if (this.#readers.delete(answer)) resolve(look(this));
    };
    this.#readers.add(answer);
    this.#emulator.write("", answer);
    return promise;
  }

  resize(columns: number, rows: number): void {
    this.regions.clear();
    this.#emulator.resize(Math.max(columns, 2), rows);
  }

  get buffer(): IBuffer {
    return this.#emulator.buffer.active;
  }

  get rows(): number {
    return this.#emulator.rows;
  }

  get cursor(): { readonly x: number; readonly y: number; readonly visible: boolean } {
    // Past the last column the cursor waits for the next character; it still stands on that column.
    const x = Math.min(this.buffer.cursorX, this.#emulator.cols - 1);
    return { x, y: this.buffer.cursorY, visible: this.#cursorVisible };
  }

  get modes(): InputModes {
    const modes = this.#emulator.modes;
    return {
      applicationCursorKeys: modes.applicationCursorKeysMode,
      applicationKeypad: modes.applicationKeypadMode,
      bracketedPaste: modes.bracketedPasteMode,
      focusReports: modes.sendFocusMode,
      mouse: modes.mouseTrackingMode,
      sgrMouse: this.#sgrMouse,
    };
  }

  dispose(): void {
    // A disposed emulator parses no more: whoever waits for it gets what is there.
    this.#gone = true;
    for (const answer of [...this.#readers]) answer();
    this.#emulator.dispose();
  }
}
