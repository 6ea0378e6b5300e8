import { Deadline } from "../../../src/phux/deadline.ts";
import type { Call } from "./call.ts";

/** Seconds behind the limit of a wait in which it is still told what came of it. The tools give their child five. */
const GRACE_SECONDS = 3;

/** The limit of every request of a wait: a server that is silent cannot hold it longer than the tool waits for us. */
export function withGrace(seconds: number, { signal }: Call): Deadline {
  return new Deadline((seconds + GRACE_SECONDS) * 1_000, signal);
}
