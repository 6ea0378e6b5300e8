/** Bytes into lines, with a bound on what one line may cost. Pure. */

/** A line of more bytes than this is not parsed (design.md section 4). */
export const LINE_BYTES = 16 * 1024 * 1024;
/** How much of such a line is kept, to find its id in. */
export const FRONT_BYTES = 4096;

/** Where the splitter puts what it found. A line's bytes are valid until the call returns. */
export interface LineReceiver {
  line(bytes: Uint8Array): void;
  /** A line passed the bound; the rest of it will be dropped. Called once, when that is known. */
  overlong(front: Uint8Array): void;
}

/** Cuts a stream of chunks at newlines. Holds at most one unfinished line, and never more than the bound of it. */
export class LineSplitter {
  readonly #to: LineReceiver;
  // Grown by doubling, so that a line that comes byte by byte costs no more than one that comes at once.
  #held = new Uint8Array(FRONT_BYTES);
  #length = 0;
  #skipping = false;

  constructor(to: LineReceiver) {
    this.#to = to;
  }

  push(chunk: Uint8Array): void {
    let from = 0;
    for (let newline = chunk.indexOf(10); newline !== -1; newline = chunk.indexOf(10, from)) {
      this.#finish(chunk.subarray(from, newline));
      from = newline + 1;
    }
    if (from < chunk.length) this.#keep(chunk.subarray(from));
  }

  /** The bytes after the last newline, at the end of the stream; none in the middle of an overlong line. */
  rest(): Uint8Array {
    return this.#skipping ? new Uint8Array(0) : this.#held.subarray(0, this.#length);
  }

  #finish(end: Uint8Array): void {
    if (this.#skipping) {
      this.#skipping = false;
    } else if (this.#length === 0 && end.length <= LINE_BYTES) {
      this.#to.line(end);
    } else {
      this.#keep(end);
      if (this.#skipping) this.#skipping = false;
      else this.#to.line(this.#held.subarray(0, this.#length));
    }
    this.#release();
  }

  #keep(part: Uint8Array): void {
    if (this.#skipping) return;
    const length = this.#length + part.length;
    if (length > LINE_BYTES) {
      this.#skipping = true;
      this.#to.overlong(this.#front(part));
      this.#release();
      return;
    }
    if (length > this.#held.length) this.#grow(length);
    this.#held.set(part, this.#length);
    this.#length = length;
  }

  #front(part: Uint8Array): Uint8Array {
    const kept = Math.min(this.#length, FRONT_BYTES);
    const front = new Uint8Array(Math.min(kept + part.length, FRONT_BYTES));
    front.set(this.#held.subarray(0, kept));
    front.set(part.subarray(0, front.length - kept), kept);
    return front;
  }

  #grow(length: number): void {
    const grown = new Uint8Array(Math.min(Math.max(length, this.#held.length * 2), LINE_BYTES));
    grown.set(this.#held.subarray(0, this.#length));
    this.#held = grown;
  }

  // A long line was an exception: its memory is not kept for the next one.
  #release(): void {
    this.#length = 0;
    if (this.#held.length > 64 * 1024) this.#held = new Uint8Array(FRONT_BYTES);
  }
}
