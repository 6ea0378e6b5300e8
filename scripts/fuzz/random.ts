/** A stream of pseudo-random numbers that a seed repeats exactly (xorshift32): fast, and good enough to choose by. */
export class Random {
  #state: number;

  constructor(seed: number) {
    // Zero would stay zero.
    this.#state = (seed ^ 0x9e3779b9) >>> 0 || 1;
  }

  /** A whole number from 0 to 2^32 - 1. */
  next(): number {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x >>> 0;
    return this.#state;
  }

  /** A whole number from 0 to `below` - 1. */
  below(below: number): number {
    return this.next() % below;
  }

  oneIn(times: number): boolean {
    return this.below(times) === 0;
  }

  pick<T>(from: readonly [T, ...T[]]): T {
    return from[this.below(from.length)] ?? from[0];
  }
}
