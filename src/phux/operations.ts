import type { Result } from "../wire/result.ts";
import type { Action } from "./action.ts";

/** How many operations are remembered, and for how many milliseconds a finished one is (tools.md 1). */
export const MOST_OPERATIONS = 256;
export const REMEMBERED_MS = 600_000;

type Members = Readonly<Record<string, unknown>>;

/** What an operation came to: the document or the text that its call would have answered with. */
export interface Outcome {
  readonly finishedAtMs: number;
  readonly result: Members | null;
  readonly error: string | null;
}

/** A mutation that outlived the call that made it. */
export interface Operation {
  /** 32 lowercase hex digits. */
  readonly id: string;
  readonly tool: string;
  readonly action: Action;
  /** Unix milliseconds. */
  readonly startedAtMs: number;
  /** Null while it runs. */
  readonly outcome: Outcome | null;
}

/**
 * The mutations of this process whose calls answered that they are pending (tools.md 10.4). Bounded: a finished one goes
 * after ten minutes, or earlier when its place is needed; one that runs is never forgotten.
 */
export class Operations {
  /** In the order in which they were taken in. */
  readonly #rows = new Map<string, Operation>();
  readonly #now: () => number;

  /** `now` gives Unix milliseconds. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Takes an action in, or gives null when 256 run already: then somebody must wait for it. */
  admit(tool: string, action: Action): Operation | null {
    this.#forget();
    if (this.#rows.size >= MOST_OPERATIONS) {
      const finished = [...this.#rows.values()].filter(({ outcome }) => outcome !== null);
      const oldest = finished.sort((a, b) => finishedAt(a) - finishedAt(b))[0];
      if (oldest === undefined) return null;
      this.#rows.delete(oldest.id);
    }
    const id = crypto.getRandomValues(new Uint8Array(16)).toHex();
    const operation: Operation = { id, tool, action, startedAtMs: this.#now(), outcome: null };
    this.#rows.set(id, operation);
    return operation;
  }

  /** Writes down what an operation came to: once, the first time. */
  settle(id: string, came: Result<Members, string>): void {
    const row = this.#rows.get(id);
    if (row === undefined || row.outcome !== null) return;
    const [result, error] = came.ok ? [came.value, null] : [null, came.error];
    this.#rows.set(id, { ...row, outcome: { finishedAtMs: this.#now(), result, error } });
  }

  /** One operation; null when this process never had it, or has forgotten it. */
  find(id: string): Operation | null {
    this.#forget();
    return this.#rows.get(id) ?? null;
  }

  /** All of them, newest first. */
  list(): Operation[] {
    this.#forget();
    return [...this.#rows.values()].reverse();
  }

  #forget(): void {
    const past = this.#now() - REMEMBERED_MS;
    for (const row of this.#rows.values())
      if (row.outcome !== null && finishedAt(row) <= past) this.#rows.delete(row.id);
  }
}

function finishedAt({ outcome }: Operation): number {
  return outcome?.finishedAtMs ?? Number.POSITIVE_INFINITY;
}
