import type { FrameOf } from "../wire/frame.ts";
import { LONGEST_TIMER_MS } from "./deadline.ts";

/** A frame that answers no request. An ERROR here is a notice, or the refusal of a subscription. */
export type Pushed = FrameOf<"EVENT" | "METADATA_CHANGED" | "ERROR">;

/** What one connection holds for a reader that is slower than the server, at most (client.md 7.5). */
export const MOST_FRAMES = 100_000;
export const MOST_BYTES = 16 * 1024 * 1024;

/** Pushed frames in the order of arrival, until somebody takes them. Past its cap it takes in nothing more. */
export class PushedFrames {
  #frames: { readonly frame: Pushed; readonly bytes: number }[] = [];
  #taken = 0;
  #bytes = 0;
  #closed = false;
  #wake: (() => void) | null = null;

  push(frame: Pushed, bytes: number): void {
    if (this.#closed) return;
    this.#frames.push({ frame, bytes });
    this.#bytes += bytes;
    // A frame left out in the middle would be a gap that nobody sees, so the first one left out is the last one.
    if (this.#frames.length - this.#taken >= MOST_FRAMES || this.#bytes >= MOST_BYTES) this.#closed = true;
    this.#wake?.();
  }

  /** Takes in nothing more: the stream has ended. What is here can still be taken. */
  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  /** Nothing is here, and nothing will come. */
  get isExhausted(): boolean {
    return this.#closed && this.#taken === this.#frames.length;
  }

  /** The next frame; null when `ms` passed first, or when nothing will come any more. */
  async take(ms: number): Promise<Pushed | null> {
    const until = performance.now() + ms;
    for (let left = ms; this.#taken === this.#frames.length && !this.#closed && left > 0; ) {
      await this.#pushedWithin(Math.min(left, LONGEST_TIMER_MS));
      left = until - performance.now();
    }
    return this.#shift();
  }

  // Array.shift moves the whole rest each time; a burst of a hundred thousand frames would cost seconds.
  #shift(): Pushed | null {
    const next = this.#frames[this.#taken];
    if (next === undefined) return null;
    this.#taken += 1;
    this.#bytes -= next.bytes;
    if (this.#taken * 2 >= this.#frames.length) {
      this.#frames = this.#frames.slice(this.#taken);
      this.#taken = 0;
    }
    return next.frame;
  }

  async #pushedWithin(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.#wake = resolve;
    await promise;
    this.#wake = null;
    clearTimeout(timer);
  }
}
