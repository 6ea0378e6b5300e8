/** When a server process ends, and that nothing else ends it. */
import { mistakeOf, reasonOf } from "./result.ts";
import type { Session } from "./session.ts";
import { complain } from "./stderr.ts";
import type { End, StdioTransport } from "./stdio.ts";

/** Signals by which hosts end their servers; none of them is a failure. */
const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
/** A parent that is gone is noticed within 5 s; a look every 2 s costs nothing that can be measured. */
const PARENT_MS = 2_000;
/** The end is due within 1 s, whether or not anybody reads what is left. */
const END_MS = 900;
/** But a host that has only closed our input, and is reading what is complete, gets all of it within this time. */
const LAST_READ_MS = 10_000;

/**
 * Keeps the process until its host is gone: the first of the end of input, a closed output, a signal or the parent's
 * death aborts every call, gives their work 40 ms, flushes the replies that are complete, and exits with 0 within 1 s;
 * after the end of input later, while what is left is being read, until a signal comes too.
 * A stdin or stdout that fails in another way is exit 1, with one line on stderr.
 */
export function endWithHost(session: Session, transport: StdioTransport): void {
  let exiting: number | null = null;
  /** @param most milliseconds, once; a later reason for the end can only shorten them */
  const end = async (code: number, most: number) => {
    const first = exiting === null;
    const status = exiting ?? code;
    exiting = status;
    // Not a bound on the waits below, which have their own, but on a mistake in them.
    setTimeout(() => process.exit(status), most);
    if (!first) return;
    const began = performance.now();
    await session.close();
    const spent = performance.now() - began + 50;
    await transport.flush(END_MS - spent, most - spent);
    process.exit(status);
  };

  for (const signal of SIGNALS) process.on(signal, () => void end(0, END_MS));
  void transport.ended.then((why) => end(exitCode(why), why.kind === "input ended" ? LAST_READ_MS : END_MS));
  whenParentIsGone(() => void end(0, END_MS));
}

/** An exception that nobody caught is a mistake of ours, and no reason to leave the host without a server. */
export function surviveMistakes(): void {
  process.on("uncaughtException", (error) => complain(`uncaught: ${mistakeOf(error)}`));
  process.on("unhandledRejection", (error) => complain(`unhandled: ${mistakeOf(error)}`));
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
