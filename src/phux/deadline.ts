/** The longest time that one timer counts: it keeps milliseconds in 32 bits, and fires at once for more. */
export const LONGEST_TIMER_MS = 0x7fffffff;

/** Timers count whole milliseconds, so one that was set to an instant may fire this much before it. */
const TIMER_STEP_MS = 1;

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
    return this.#signal.aborted || this.left() < TIMER_STEP_MS;
  }

  /** The same instant, but not before `ms` from now: for the steps that a call takes however short its limit is. */
  notWithin(ms: number): Deadline {
    return new Deadline(Math.max(ms, this.left()), this.#signal);
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
