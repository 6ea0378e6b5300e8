import { parentPort } from "node:worker_threads";
import { type Count, type Failure, fuzz } from "./run.ts";
import { targets } from "./targets.ts";

/** Three numbers, how many inputs there were, the length of the current one and its seed; then its bytes. */
export const SLOT_BYTES = 12 + 8 * 1024;

export interface Order {
  readonly name: string;
  readonly seed: number;
  readonly ms: number;
  readonly slot: SharedArrayBuffer;
}

export interface Report {
  readonly count: Count;
  readonly failure: Failure | null;
  readonly ms: number;
}

function work({ name, seed, ms, slot }: Order): Report {
  const target = targets.find((one) => one.name === name);
  if (target === undefined) throw new Error(`no target ${name}`);
  const header = new Int32Array(slot, 0, 3);
  const bytes = new Uint8Array(slot, 12);
  const count: Count = { target: name, inputs: 0, understood: 0 };
  const began = performance.now();
  const failure = fuzz(
    target,
    seed,
    count,
    () => performance.now() - began < ms,
    (input, own) => {
      const kept = input.subarray(0, bytes.length);
      bytes.set(kept);
      header[1] = kept.length;
      header[2] = own | 0;
      Atomics.add(header, 0, 1);
    },
  );
  return { count, failure, ms: performance.now() - began };
}

// Loaded by main.ts for its constant too, where there is nobody to answer.
parentPort?.on("message", (order: Order) => parentPort?.postMessage(work(order)));
