/** Calls that would get in each other's way go one after the other, in the order they came. Knows no tool. */
import { after } from "../cli/timer.ts";

/** What a call must have to itself, and how long it waits for it. */
export interface Turn {
  /** Calls with the same text go one by one. */
  readonly key: string;
  readonly ms: number;
  /** The whole answer of a call whose turn did not come in time: it has done nothing. */
  readonly refusal: string;
}

/** A place in a line of calls. */
export interface Place {
  /** Waits until it is this call's turn. False when the time is over or the signal aborts first. */
  wait(signal: AbortSignal): Promise<boolean>;
  /** Ends the turn, or gives the place up; those behind then still wait for the one in front. */
  leave(): void;
}

export class Turns {
  readonly #last = new Map<string, Promise<void>>();

  /** Takes the next place in a line. What a call does before it waits, it does beside the others. */
  enter({ key, ms }: Turn): Place {
    const before = this.#last.get(key) ?? Promise.resolve();
    const over = Promise.withResolvers<void>();
    const ours = before.then(() => over.promise);
    this.#last.set(key, ours);
    void ours.then(() => {
      if (this.#last.get(key) === ours) this.#last.delete(key);
    });
    return { wait: (signal) => isFirst(before, ms, signal), leave: over.resolve };
  }
}

/** Whether `event` comes before `ms` have passed and before an abort. */
async function isFirst(event: Promise<void>, ms: number, signal: AbortSignal): Promise<boolean> {
  const tooLate = Promise.withResolvers<boolean>();
  const giveUp = () => tooLate.resolve(false);
  const forget = after(ms, giveUp);
  signal.addEventListener("abort", giveUp, { once: true });
  const came = await Promise.race([event.then(() => true), tooLate.promise]);
  forget();
  signal.removeEventListener("abort", giveUp);
  return came && !signal.aborted;
}
