/** The one way to stdout: whole lines, in order, as fast as the host reads them. */
import { type Line, PART_CHARACTERS, type Part, partsOf, weightOf } from "./line.ts";

/** What `Bun.stdout.writer()` offers: both calls give a promise when the host has to read first. */
export interface ByteSink {
  write(text: string): unknown;
  flush(): unknown;
}

export interface WriterEvents {
  /** Something left the queue. */
  moved(): void;
  /** Nothing more can be written. */
  failed(error: unknown): void;
}

export class LineWriter {
  readonly #sink: ByteSink;
  readonly #events: WriterEvents;
  #queue: Line[] = [];
  /** What is left of the long line that is being written. */
  #parts: Iterator<Part, undefined> | null = null;
  #pending = 0;
  #writing = false;
  #broken = false;

  constructor(sink: ByteSink, events: WriterEvents) {
    this.#sink = sink;
    this.#events = events;
  }

  /** Characters that were given here and have not been taken by the system. */
  get pending(): number {
    return this.#pending;
  }

  get idle(): boolean {
    return !this.#writing;
  }

  /** The other side is gone: what is written from now on is dropped. */
  get broken(): boolean {
    return this.#broken;
  }

  write(line: Line): void {
    if (this.#broken) return;
    this.#queue.push(line);
    this.#pending += weightOf(line);
    if (this.#writing) return;
    this.#writing = true;
    // After the current chunk of input: the replies to all its lines leave together.
    queueMicrotask(() => this.#drain());
  }

  #drain(): void {
    try {
      for (let part = this.#take(); part !== null; part = this.#take()) {
        const { text, weight } = part;
        const wrote = this.#sink.write(text);
        const flushed = this.#sink.flush();
        // A write that is too long for Bun's buffer fails by its own promise alone, and the flush then says 0.
        if (wrote instanceof Promise) wrote.catch((error) => this.#fail(error));
        if (flushed instanceof Promise) {
          flushed.then(
            () => this.#wrote(weight),
            (error) => this.#fail(error),
          );
          return;
        }
        this.#pending -= weight;
        this.#events.moved();
      }
      this.#writing = false;
      this.#events.moved();
    } catch (error) {
      this.#fail(error);
    }
  }

  #wrote(weight: number): void {
    this.#pending -= weight;
    this.#events.moved();
    this.#drain();
  }

  /** What goes next: a part of a long line, or lines that are complete at the same time and short; null when all went. */
  #take(): Part | null {
    const part = this.#parts?.next().value;
    if (part !== undefined) return part;
    this.#parts = null;
    const [first] = this.#queue;
    if (first === undefined) return null;
    if (typeof first === "string") return this.#takeShort();
    this.#queue.shift();
    this.#parts = partsOf(first);
    return this.#take();
  }

  #takeShort(): Part {
    let text = "";
    let count = 0;
    for (const line of this.#queue) {
      if (typeof line !== "string" || (count > 0 && text.length + line.length >= PART_CHARACTERS)) break;
      text += `${line}\n`;
      count++;
    }
    this.#queue.splice(0, count);
    return { text, weight: text.length };
  }

  #fail(error: unknown): void {
    if (this.#broken) return;
    this.#broken = true;
    this.#writing = false;
    this.#queue = [];
    this.#parts = null;
    this.#pending = 0;
    this.#events.failed(error);
  }
}
