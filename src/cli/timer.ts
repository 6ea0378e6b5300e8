/** The clock a wait runs on; a test gives its own. */
export interface Clock {
  /** Milliseconds that only grow. */
  now(): number;
  /** Calls `act` once after `ms`, at most 2^31-1; gives what takes it back. */
  schedule(ms: number, act: () => void): () => void;
}

const monotonic: Clock = {
  now: () => performance.now(),
  schedule(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

// A timer keeps its delay in 32 bits: a longer one would fire at once.
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Calls `act` once, `ms` from now (any length; zero or less is the next turn). Gives the function that calls it off. */
export function after(ms: number, act: () => void, clock: Clock = monotonic): () => void {
  const due = clock.now() + ms;
  let callOff = () => {};
  const arm = () => {
    const left = Math.max(0, Math.ceil(due - clock.now()));
    callOff = left > LONGEST_TIMER_MS ? clock.schedule(LONGEST_TIMER_MS, arm) : clock.schedule(left, act);
  };
  arm();
  return () => callOff();
}
