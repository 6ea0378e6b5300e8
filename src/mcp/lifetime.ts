/** When a server process ends, and that nothing else ends it. */
import { reasonOf } from "./result.ts";
import type { Session } from "./session.ts";
import { complain } from "./stderr.ts";
import type { End, StdioTransport } from "./stdio.ts";

/** Signals by which hosts end their servers; none of them is a failure. */
const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
/** A parent that is gone is noticed within 5 s; a look every 2 s costs nothing that can be measured. */
const PARENT_MS = 2_000;
/** The end is due within 1 s, whether or not anybody reads what is left. */
const END_MS = 900;

/**
 * Keeps the process until its host is gone: the first of the end of input, a closed output, a signal or the parent's
 * death aborts every call, gives their work 40 ms, flushes the replies that are complete, and exits with 0.
 * A stdin or stdout that fails in another way is exit 1, with one line on stderr.
 */
export function endWithHost(session: Session, transport: StdioTransport): void {
  let ending = false;
  const end = async (code: number) => {
    if (ending) return;
    ending = true;
    // Not a bound on the waits below, which have their own, but on a mistake in them.
    setTimeout(() => process.exit(code), END_MS);
    const due = performance.now() + END_MS;
    await session.close();
    await transport.flush(due - performance.now() - 50);
    process.exit(code);
  };

  for (const signal of SIGNALS) process.on(signal, () => void end(0));
  void transport.ended.then((why) => end(exitCode(why)));
  whenParentIsGone(() => void end(0));
}

/** An exception that nobody caught is a mistake of ours, and no reason to leave the host without a server. */
export function surviveMistakes(): void {
  process.on("uncaughtException", (error) => complain(`uncaught: ${reasonOf(error)}`));
  process.on("unhandledRejection", (error) => complain(`unhandled: ${reasonOf(error)}`));
}

function exitCode(end: End): number {
  if (end.kind !== "failed") return 0;
  complain(`${end.what}: ${reasonOf(end.error)}`);
  return 1;
}

// An orphan has another parent than it began with, be that init or a supervisor in between.
function whenParentIsGone(run: () => void): void {
  const first = process.ppid;
  const look = setInterval(() => {
    if (process.ppid === first) return;
    clearInterval(look);
    run();
  }, PARENT_MS);
  look.unref();
}
