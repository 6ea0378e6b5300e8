/** The one way to stdout: whole lines, in order, as fast as the host reads them. */

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

/** Lines that are complete at the same time share a write; one that is longer goes alone. */
const BATCH_CHARACTERS = 64 * 1024;

export class LineWriter {
  readonly #sink: ByteSink;
  readonly #events: WriterEvents;
  #queue: string[] = [];
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

  write(line: string): void {
    if (this.#broken) return;
    this.#queue.push(line);
    this.#pending += line.length + 1;
    if (this.#writing) return;
    this.#writing = true;
    // After the current chunk of input: the replies to all its lines leave together.
    queueMicrotask(() => this.#drain());
  }

  #drain(): void {
    try {
      while (this.#queue.length > 0) {
        const batch = this.#take();
        const wrote = this.#sink.write(batch);
        const flushed = this.#sink.flush();
        // The flush tells of every failure; the promise of the write would tell it a second time, to nobody.
        if (wrote instanceof Promise) wrote.catch(() => {});
        if (flushed instanceof Promise) {
          flushed.then(
            () => this.#wrote(batch),
            (error) => this.#fail(error),
          );
          return;
        }
        this.#pending -= batch.length;
        this.#events.moved();
      }
      this.#writing = false;
      this.#events.moved();
    } catch (error) {
      this.#fail(error);
    }
  }

  #wrote(batch: string): void {
    this.#pending -= batch.length;
    this.#events.moved();
    this.#drain();
  }

  #take(): string {
    let batch = "";
    let count = 0;
    for (const line of this.#queue) {
      if (count > 0 && batch.length + line.length >= BATCH_CHARACTERS) break;
      batch += `${line}\n`;
      count++;
    }
    this.#queue.splice(0, count);
    return batch;
  }

  #fail(error: unknown): void {
    if (this.#broken) return;
    this.#broken = true;
    this.#writing = false;
    this.#queue = [];
    this.#pending = 0;
    this.#events.failed(error);
  }
}
