/** An event in Chrome's trace format, which trace viewers read: times in microseconds since the capture began. */
export interface TraceEvent {
  readonly name: string;
  /** Metadata, a span, a counter's value, or an instant. */
  readonly ph: "M" | "X" | "C" | "i";
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  /** An instant's reach: the whole process. */
  readonly s?: "p";
  readonly args: Readonly<Record<string, unknown>>;
}

/** More than this is no few seconds of a terminal: 64 MiB at the usual size of an event. */
const MOST_EVENTS = 400_000;

/** What happened while somebody watched, oldest first. When it is full, what comes later is left out. */
export class Timeline {
  readonly events: TraceEvent[] = [];
  readonly #most: number;
  #truncated = false;

  constructor(most = MOST_EVENTS) {
    this.#most = most;
  }

  get truncated(): boolean {
    return this.#truncated;
  }

  add(event: TraceEvent): void {
    if (this.events.length < this.#most) this.events.push(event);
    else this.#truncated = true;
  }

  /** Something was left out before it came here. */
  markTruncated(): void {
    this.#truncated = true;
  }
}
