import { Deadline } from "../../../src/phux/deadline.ts";
import { sentence } from "../../../src/phux/errors.ts";
import { keysToEvents } from "../../../src/phux/keys.ts";
import { formatResource } from "../../../src/phux/selector.ts";
import { resolveOne, selectorOf } from "../../../src/phux/target.ts";
import { fail, ok, type Result } from "../../../src/wire/result.ts";
import type { Call } from "./call.ts";
import type { Finished } from "./markers.ts";
import { refuseOccupant } from "./occupant.ts";
import type { CliRefusal } from "./refusal.ts";
import { ShellRun } from "./shell-run.ts";
import { flag, verbatim, wholeNumber, word, words } from "./slot.ts";
import { json, socket, verb } from "./verb.ts";

const DEFAULT_SECONDS = 600;
/** Exit status of a run that was given up: 124 and the rest are the command's own. */
const GAVE_UP = 125;

export const run = verb({
  name: "run",
  contract: null,
  slots: {
    json,
    /** Seconds; 0 waits as long as it takes. */
    timeout: wholeNumber("--timeout"),
    force: flag("--force"),
    socket,
    target: word("TARGET"),
    command: verbatim("COMMAND"),
  },
  async run(given, call) {
    const seconds = given.timeout ?? DEFAULT_SECONDS;
    // Connecting and resolving are part of the time (tools.md 13, tool 7).
    const deadline = new Deadline(seconds === 0 ? Number.POSITIVE_INFINITY : seconds * 1_000, call.signal);
    const began = deadline.now();
    const command = given.command.join(" ");
    const finished = await runCommand({ ...given, command }, call, deadline);
    if (!finished.ok && !deadline.hasPassed()) return finished;
    if (!finished.ok || finished.value === null) {
      return fail(sentence(`'${command}' did not end within ${seconds} s; it may still be running`, GAVE_UP));
    }
    const { exitCode, output, truncated } = finished.value;
    const duration_ms = Math.round(deadline.now() - began);
    return ok({
      document: { command, exit_code: exitCode, output, duration_ms, truncated },
      text: `${output}${output === "" ? "" : "\n"}exit=${exitCode} (${duration_ms}ms)\n`,
      exit: exitCode,
    });
  },
});

interface Errand {
  readonly target: string;
  readonly command: string;
  readonly force: boolean;
  readonly socket: string | undefined;
}

/** Null: the deadline came first. */
async function runCommand(
  { target, command, force, socket }: Errand,
  call: Call,
  deadline: Deadline,
): Promise<Result<Finished | null, CliRefusal>> {
  const rules = { forInput: true, partialViewExit: 1 };
  const selector = selectorOf(target, rules);
  if (!selector.ok) return selector;
  const connection = await call.connect(socket, deadline);
  if (!connection.ok) return connection;
  const pane = await resolveOne(connection.value, target, call, rules);
  if (!pane.ok) return pane;
  const occupied = force ? null : await refuseOccupant(connection.value, pane.value, deadline);
  if (occupied !== null) return fail(occupied);
  const again = () => call.dial(connection.value.server.socket, deadline);
  return new ShellRun(connection.value, pane.value, again).run(command, deadline);
}

export const sendKeys = verb({
  name: "send-keys",
  slots: { socket, target: word("TARGET"), keys: words("KEYS") },
  async run(given, call) {
    const rules = { forInput: true };
    const selector = selectorOf(given.target, rules);
    if (!selector.ok) return selector;
    const connection = await call.connect(given.socket);
    if (!connection.ok) return connection;
    const pane = await resolveOne(connection.value, given.target, call, rules);
    if (!pane.ok) return pane;
    for (const event of keysToEvents(given.keys)) {
      const what = `typing into ${formatResource(pane.value)}`;
      const typed = await connection.value.command({ tag: "ROUTE_INPUT", terminal_id: pane.value, event }, what);
      if (!typed.ok) return fail(typed.error.refusal);
    }
    return ok({});
  },
});
