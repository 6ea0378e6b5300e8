/** Random numbers that a seed repeats. */

/** A seed of today, or the one that a failure printed: `K_SEED=123 npm test test/cases/k-protocol.test.ts`. */
export function seeds(fixed: readonly number[], fresh: number): number[] {
  const { K_SEED } = process.env;
  if (K_SEED !== undefined) return [Number(K_SEED)];
  return [...fixed, ...Array.from({ length: fresh }, () => Math.floor(Math.random() * 2 ** 31))];
}

export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to, not including, 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to, not including, `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  chance(of: number): boolean {
    return this.next() < of;
  }

  pick<T>(from: readonly T[]): T {
    const place = this.below(from.length);
    for (const [at, one] of from.entries()) if (at === place) return one;
    throw new Error("nothing to pick from");
  }

  shuffle<T>(all: readonly T[]): T[] {
    const keyed = all.map((one) => ({ one, key: this.next() }));
    return keyed.sort((a, b) => a.key - b.key).map(({ one }) => one);
  }
}
