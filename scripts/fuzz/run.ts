import { mutated } from "./mutation.ts";
import { Random } from "./random.ts";
import type { Target } from "./target.ts";

/** An input that broke a promise, as small as it could be made. */
export interface Failure {
  readonly target: string;
  readonly input: Uint8Array;
  readonly why: string;
  /** Repeats it: with this seed `run` gets the same random numbers. */
  readonly seed: number;
}

export interface Count {
  readonly target: string;
  inputs: number;
  understood: number;
}

/** An input that takes longer has no bound that a user would call one. */
const SLOW_MS = 2_000;
const MOST_SHRINKS = 2_000;

/** Why an input breaks a promise, or null. */
function faultOf(target: Target, input: Uint8Array, seed: number): string | null {
  const began = performance.now();
  try {
    target.run(input, new Random(seed));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const took = performance.now() - began;
  return took > SLOW_MS ? `it took ${took.toFixed(0)} ms` : null;
}

/** The shortest input found that still breaks a promise, by leaving out ever smaller pieces. */
function shrunk(target: Target, input: Uint8Array, seed: number): Uint8Array {
  let left = input;
  let tries = 0;
  for (let piece = Math.ceil(left.length / 2); piece >= 1; piece = Math.floor(piece / 2)) {
    for (let at = 0; at < left.length && tries < MOST_SHRINKS; tries += 1) {
      const less = new Uint8Array(Buffer.concat([left.subarray(0, at), left.subarray(at + piece)]));
      if (faultOf(target, less, seed) === null) at += piece;
      else left = less;
    }
  }
  return left;
}

/**
 * Runs a target on inputs until `goOn` says no. The first broken promise ends it and is returned. `current` is told each
 * input before it runs, so that one which never ends can be named.
 */
export function fuzz(
  target: Target,
  seed: number,
  count: Count,
  goOn: () => boolean,
  current: (input: Uint8Array, seed: number) => void = () => {},
): Failure | null {
  const random = new Random(seed);
  while (goOn()) {
    for (let turn = 0; turn < 64; turn += 1) {
      const input = mutated(target.corpus, random);
      const own = random.next();
      current(input, own);
      count.inputs += 1;
      const began = performance.now();
      try {
        if (target.run(input, new Random(own))) count.understood += 1;
        if (performance.now() - began <= SLOW_MS) continue;
      } catch {
        // Told below, with its reason.
      }
      const small = shrunk(target, input, own);
      return { target: target.name, input: small, why: faultOf(target, small, own) ?? "only sometimes", seed: own };
    }
  }
  return null;
}
