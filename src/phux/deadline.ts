/** The longest time that one timer counts: it keeps milliseconds in 32 bits. */
const LONGEST_TIMER_MS = 0x7fffffff;

/**
 * An instant by which a call must end, fixed once at its start (client.md 1.4). Every later wait is clipped to it, and
 * ends early when the call is aborted. `Infinity` for a call without a limit.
 */
export class Deadline {
  readonly #at: number;
  readonly #signal: AbortSignal;

  /** `ms` from now. */
  constructor(ms: number, signal: AbortSignal) {
    this.#at = performance.now() + ms;
    this.#signal = signal;
  }

  now(): number {
    return performance.now();
  }

  /** Milliseconds until then, never negative. */
  left(): number {
    return Math.max(0, this.#at - performance.now());
  }

  hasPassed(): boolean {
    return this.#signal.aborted || performance.now() >= this.#at;
  }

  /** Waits `ms`, or until the deadline or an abort when those come first. */
  async pause(ms: number): Promise<void> {
    if (this.#signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = () => resolve();
    const timer = setTimeout(wake, Math.min(ms, this.left(), LONGEST_TIMER_MS));
    this.#signal.addEventListener("abort", wake, { once: true });
    await promise;
    clearTimeout(timer);
    this.#signal.removeEventListener("abort", wake);
  }
}
