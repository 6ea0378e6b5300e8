import type { ResourceId } from "../wire/frame.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import type { Deadline } from "./deadline.ts";
import type { Refusal } from "./errors.ts";
import { rowsForMatching } from "./screen.ts";
import type { ScreenReader } from "./screen-read.ts";

/** What a wait waits for (client.md 7.1): a text in any logical line, or a screen that stays the same. */
export type Condition = { readonly until: string } | { readonly idleMs: number };

export interface WaitOutcome {
  readonly outcome: "met" | "timed_out";
  /** Completed screen reads, at least 1. */
  readonly polls: number;
}

/** Milliseconds that a call takes to look once, however short its limit is (client.md 7.2). */
export const FIRST_LOOK_MS = 2_000;

/** Milliseconds before the deadline at which a wait looks for the last time. */
const LAST_LOOK_MS = 20;

/** The pause between two looks (client.md 7.2). */
export function pollInterval(condition: Condition): number {
  return "until" in condition ? 150 : Math.min(150, Math.max(25, condition.idleMs / 4));
}

/**
 * Decides a wait from one reading after another. Pure: `now` is in milliseconds of any clock. The first reading, and
 * every reading that differs, restarts the quiet time, so even a still screen needs one full dwell.
 */
export class WaitJudge {
  readonly #condition: Condition;
  #rows: readonly string[] | null = null;
  #since = 0;

  constructor(condition: Condition) {
    this.#condition = condition;
  }

  isMet(rows: readonly string[], now: number): boolean {
    const condition = this.#condition;
    if ("until" in condition) return rows.some((row) => row.includes(condition.until));
    if (this.#rows === null || !sameRows(this.#rows, rows)) {
      this.#rows = rows;
      this.#since = now;
    }
    return now - this.#since >= condition.idleMs;
  }
}

function sameRows(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((row, index) => row === b[index]);
}

/** Polls a pane's screen until the condition is met or the deadline has passed (client.md 7.2). */
export async function waitForScreen(
  screens: ScreenReader,
  pane: ResourceId,
  condition: Condition,
  deadline: Deadline,
): Promise<Result<WaitOutcome, Refusal>> {
  const judge = new WaitJudge(condition);
  const interval = pollInterval(condition);
  for (let polls = 0; ; ) {
    const limit = polls === 0 ? Math.max(FIRST_LOOK_MS, deadline.left()) : deadline.left();
    const screen = await screens.read({ pane }, limit);
    if (!screen.ok) {
      // A look that the deadline cut off is a wait that ran out, not an error.
      const cutOff = screen.error.lost && polls > 0 && deadline.hasPassed();
      return cutOff ? ok({ outcome: "timed_out", polls }) : fail(screen.error.refusal);
    }
    polls += 1;
    if (judge.isMet(rowsForMatching(screen.value), deadline.now())) return ok({ outcome: "met", polls });
    await deadline.pause(pauseBefore(deadline, interval));
    if (deadline.hasPassed()) return ok({ outcome: "timed_out", polls });
  }
}

/** The next pause: the interval, or less, so that the answer to a last look is here before the deadline. */
function pauseBefore(deadline: Deadline, interval: number): number {
  const left = deadline.left();
  return left > LAST_LOOK_MS ? Math.min(interval, left - LAST_LOOK_MS) : left;
}
