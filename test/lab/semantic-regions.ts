import type { Terminal as Emulator, IMarker } from "@xterm/headless";

export type Semantic = "prompt" | "input";

type Region = {
  readonly semantic: Semantic;
  readonly buffer: "normal" | "alternate";
  readonly start: IMarker;
  readonly startColumn: number;
  end: { marker: IMarker; column: number } | null;
};

const regionCap = 500;

/**
 * Which cells a shell marked as prompt or typed input with OSC 133. xterm keeps no such attribute, so the marks'
 * places are kept as markers, which move with the lines; what erases the cells drops the region.
 */
export class SemanticRegions {
  readonly #emulator: Emulator;
  #regions: Region[] = [];

  constructor(emulator: Emulator) {
    this.#emulator = emulator;
    emulator.parser.registerOscHandler(133, (text) => {
      this.#mark(text.charAt(0));
      return true;
    });
    emulator.parser.registerCsiHandler({ final: "J" }, ([kind]) => {
      this.#erase(kind === 2 || kind === 3);
      return false;
    });
  }

  /** The semantic of a cell, by its absolute row in the active buffer. */
  at(row: number, column: number): Semantic | null {
    const active = this.#emulator.buffer.active;
    const here = this.#regions.findLast((region) => {
      if (region.buffer !== active.type || !after(row, column, region.start.line, region.startColumn)) return false;
      const line = region.end ? region.end.marker.line : active.baseY + active.cursorY;
      const limit = region.end ? region.end.column : active.cursorX;
      return !after(row, column, line, limit);
    });
    return here?.semantic ?? null;
  }

  /** Rows of another width hold other cells. */
  clear(): void {
    this.#regions = [];
  }

  #mark(letter: string): void {
    const active = this.#emulator.buffer.active;
    const marker = this.#emulator.registerMarker(0);
    if (!marker || !"ABCD".includes(letter)) return;
    const open = this.#regions.at(-1);
    if (open && !open.end) open.end = { marker, column: active.cursorX };
    const semantic = letter === "A" ? "prompt" : letter === "B" ? "input" : null;
    this.#regions = this.#regions.filter((region) => region.start.line >= 0).slice(-regionCap);
    if (semantic) {
      this.#regions.push({ semantic, buffer: active.type, start: marker, startColumn: active.cursorX, end: null });
    }
  }

  #erase(everything: boolean): void {
    const active = this.#emulator.buffer.active;
    const from = everything ? active.baseY : active.baseY + active.cursorY;
    this.#regions = this.#regions.filter((region) => region.buffer !== active.type || region.start.line < from);
  }
}

function after(row: number, column: number, fromRow: number, fromColumn: number): boolean {
  return row > fromRow || (row === fromRow && column >= fromColumn);
}
