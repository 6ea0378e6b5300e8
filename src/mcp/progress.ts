/** When a running call tells its host that it is alive: not too often, and never too seldom. */
import { oneLine } from "../text/clean.ts";

/** At most five notifications a second. */
const GAP_MS = 200;
/** The contract is 10 s; a timer on a busy machine is late. */
const SILENCE_MS = 8_000;

export interface Clock {
  /** Milliseconds that never run backwards. */
  now(): number;
  /** Runs something once, later; the function it gives back prevents that. */
  after(ms: number, run: () => void): () => void;
}

/** Timers that keep no process alive. */
export const clock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** The status of one call. Sends the latest one: soon when it is new, again when it has been quiet for long. */
export class Progress {
  readonly #send: (progress: number, message: string) => void;
  readonly #clock: Clock;
  #status: string;
  #count = 0;
  #sentAt = Number.NEGATIVE_INFINITY;
  #disarm: () => void = () => {};
  #due = false;
  #stopped = false;

  /** @param status what is sent until the first `say` */
  constructor(status: string, send: (progress: number, message: string) => void, time: Clock) {
    this.#status = status;
    this.#send = send;
    this.#clock = time;
    this.#arm(SILENCE_MS);
  }

  say(message: string): void {
    const status = oneLine(message);
    if (this.#stopped || status === "" || status === this.#status) return;
    this.#status = status;
    if (this.#due) return;
    const wait = this.#sentAt + GAP_MS - this.#clock.now();
    this.#due = wait > 0;
    if (this.#due) this.#arm(wait);
    else this.#emit();
  }

  stop(): void {
    this.#stopped = true;
    this.#disarm();
  }

  #emit(): void {
    this.#due = false;
    this.#sentAt = this.#clock.now();
    this.#arm(SILENCE_MS);
    this.#send(++this.#count, this.#status);
  }

  #arm(ms: number): void {
    this.#disarm();
    this.#disarm = this.#clock.after(ms, () => this.#emit());
  }
}
