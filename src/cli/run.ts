import { existsSync } from "node:fs";
import { fail, ok, type Result } from "../wire/result.ts";
import { type Capture, capture } from "./capture.ts";
import { after } from "./timer.ts";
import { killGroup, releaseGroup, spawnWatched } from "./watcher.ts";

/** Bytes a child may print before it is ended (design.md section 6). */
export const STDOUT_CAP = 1024 * 1024;
export const STDERR_CAP = 64 * 1024;

// How long a grandchild that keeps a pipe open is waited for, once the child itself has ended.
const DRAIN_MS = 100;
// How long a start waits for descriptors or processes that others hold, our own children most of all.
const CROWDED_MS = 5_000;
const CROWDED_STEP_MS = 20;
// A process that the kernel cannot end yet (a dead network disk) is reaped later, without us.
const REAP_MS = 1_000;

export interface Command {
  /** Absolute path of the program. */
  readonly path: string;
  /** Its arguments, exactly. No shell sees them. */
  readonly args: readonly string[];
  /** The whole environment, or null to hand our own on untouched. */
  readonly environment: Readonly<Record<string, string>> | null;
  /** Time until the whole process group is killed; any length. */
  readonly deadlineMs: number;
  /** Working folder; ours when absent. */
  readonly cwd?: string;
  /** Bytes it may print, in place of `STDOUT_CAP`. */
  readonly stdoutCap?: number;
}

/** Why a run is over: by itself, or what we ended it for. */
export type Ending = "exited" | "deadline" | "aborted" | "stdout_cap" | "stderr_cap";

export interface CommandOutcome {
  readonly ended: Ending;
  /** Null when a signal ended it, or when it was not reaped in time. */
  readonly exitCode: number | null;
  /** `SIGTERM`, or a number for one without a name; null when it exited. */
  readonly signal: string | null;
  /** What was read, at most the caps of both; whole only when `ended` is `exited`. */
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly durationMs: number;
}

export interface SpawnFailure {
  readonly code: "spawn_failed";
  /** One sentence that names the program. */
  readonly message: string;
}

type Child = Bun.Subprocess<"ignore", "pipe", "pipe">;

/**
 * Runs a program in a process group of its own, stdin null, and gives what it printed and how it ended.
 *
 * The whole group gets SIGKILL at the deadline, on abort, and with the first byte past a cap; then the child is reaped.
 * A child that ends by itself has its group left alone, and one that hangs after its answer still ends at the deadline.
 * Resolves always, at the latest about a second after the deadline or the abort. A signal aborted before starts nothing.
 */
export async function runCommand(command: Command, signal: AbortSignal): Promise<Result<CommandOutcome, SpawnFailure>> {
  const began = performance.now();
  const refused = unspeakable(command);
  if (refused !== null) return fail({ code: "spawn_failed", message: refused });
  if (signal.aborted) return ok(NOT_STARTED);

  const reaped = Promise.withResolvers<Ending>();
  const started = await startWhenRoom(command, signal, () => reaped.resolve("exited"));
  if (signal.aborted && !started.ok) return ok(NOT_STARTED);
  if (!started.ok) return fail({ code: "spawn_failed", message: spawnFailure(command, started.error) });
  const child = started.value;

  const stopped = Promise.withResolvers<Ending>();
  const stop = (why: Ending) => {
    killGroup(child.pid);
    stopped.resolve(why);
  };
  const stdout = capture(child.stdout, command.stdoutCap ?? STDOUT_CAP, () => stop("stdout_cap"));
  const stderr = capture(child.stderr, STDERR_CAP, () => stop("stderr_cap"));
  const abort = () => stop("aborted");
  signal.addEventListener("abort", abort, { once: true });
  const forgetDeadline = after(began + command.deadlineMs - performance.now(), () => stop("deadline"));

  let ended = await Promise.race([reaped.promise, stopped.promise]);
  forgetDeadline();
  if (ended === "exited") ended = await drained(stdout, stderr, stopped.promise);
  else await atMost(REAP_MS, reaped.promise, ended);

  signal.removeEventListener("abort", abort);
  stdout.close();
  stderr.close();
  return ok({
    ended,
    exitCode: child.exitCode,
    signal: child.signalCode === null ? null : String(child.signalCode),
    stdout: stdout.bytes(),
    stderr: stderr.bytes(),
    durationMs: performance.now() - began,
  });
}

const NOTHING = new Uint8Array(0);
const NOT_STARTED: CommandOutcome = {
  ended: "aborted",
  exitCode: null,
  signal: null,
  stdout: NOTHING,
  stderr: NOTHING,
  durationMs: 0,
};

// On a busy machine Bun reads a child that prints for ever for 250 MB before any of our code runs. So it stops the child
// itself, well past our caps; stopped and not killed, because a dead child's group could no longer be killed safely.
const brake = (cap: number) => ({ maxBuffer: 2 * cap, killSignal: "SIGSTOP" }) as const;

/** Starts the child, and tries again while there is no room for it. Fails with what the system said. */
async function startWhenRoom(
  command: Command,
  signal: AbortSignal,
  reaped: () => void,
): Promise<Result<Child, unknown>> {
  const due = performance.now() + Math.min(CROWDED_MS, command.deadlineMs);
  for (;;) {
    const started = start(command, reaped);
    const isOver = performance.now() >= due || signal.aborted;
    if (started.ok || isOver || !CROWDED.has(codeOf(started.error))) return started;
    await Bun.sleep(CROWDED_STEP_MS);
  }
}

const CROWDED: ReadonlySet<string> = new Set(["EMFILE", "ENFILE", "EAGAIN"]);

/** Spawns the child; its group is under watch until it is reaped. */
function start(command: Command, reaped: () => void): Result<Child, unknown> {
  const { path, args, environment, cwd, stdoutCap = STDOUT_CAP } = command;
  const cmd = [path, ...args];
  try {
    const child = spawnWatched(cmd, () =>
      Bun.spawn({
        cmd,
        ...(environment === null ? {} : { env: { ...environment } }),
        ...(cwd === undefined ? {} : { cwd }),
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
        detached: true,
        ...brake(stdoutCap),
        onExit({ pid }) {
          releaseGroup(pid);
          reaped();
        },
      }),
    );
    return ok(child);
  } catch (error) {
    return fail(error);
  }
}

/** Everything the child printed was in the pipes when it ended; a grandchild may hold them open for longer. */
function drained(stdout: Capture, stderr: Capture, stopped: Promise<Ending>): Promise<Ending> {
  const ends = Promise.all([stdout.finished, stderr.finished]).then((): Ending => "exited");
  return atMost(DRAIN_MS, Promise.race([stopped, ends]), "exited");
}

/** Waits for `event`, but no longer than `ms`: then it is `otherwise`. */
async function atMost<T>(ms: number, event: Promise<T>, otherwise: T): Promise<T> {
  const passed = Promise.withResolvers<T>();
  const callOff = after(ms, () => passed.resolve(otherwise));
  const first = await Promise.race([event, passed.promise]);
  callOff();
  return first;
}

/** What no argument vector can carry; written here so that nothing is started with another text in its place. */
function unspeakable({ path, args }: Command): string | null {
  const place = args.findIndex((argument) => argument.includes("\0") || !argument.isWellFormed());
  const argument = args[place];
  if (argument === undefined) return path.includes("\0") ? "The path of the program holds a NUL character." : null;
  const fault = argument.includes("\0") ? "a NUL character" : "half of a surrogate pair, which is no character";
  return `Argument ${place + 1} of ${path} holds ${fault}; it cannot be passed on.`;
}

function spawnFailure({ path, cwd }: Command, error: unknown): string {
  return `${path} could not be executed: ${reasonOf(codeOf(error), path, cwd) ?? String(error)}.`;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function reasonOf(code: string, path: string, cwd: string | undefined): string | null {
  switch (code) {
    case "ENOENT":
      if (cwd !== undefined && !existsSync(cwd)) return `its working folder ${cwd} does not exist (ENOENT)`;
      if (existsSync(path)) return "the interpreter or loader it asks for does not exist (ENOENT)";
      return "there is no such file (ENOENT)";
    case "EACCES":
      return "it is not an executable file for this user (EACCES)";
    case "ENOEXEC":
      return "it is not a program this machine can run (ENOEXEC)";
    case "E2BIG":
      return "its arguments and environment are too large together (E2BIG)";
    case "EMFILE":
    case "ENFILE":
      return `too many files are open (${code})`;
    case "EAGAIN":
    case "ENOMEM":
      return `the machine has no room for another process (${code})`;
    default:
      return null;
  }
}
