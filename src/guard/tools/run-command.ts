import type { Connection } from "../../phux/connection.ts";
import { Deadline } from "../../phux/deadline.ts";
import { type Refusal, refuse } from "../../phux/errors.ts";
import { fail, ok, type Result } from "../../wire/result.ts";
import { type KnownTerminal, knowSame, knowTerminal } from "../terminal/found-terminal.ts";
import { besideChild, busyWith } from "../terminal/front.ts";
import { processTable } from "../terminal/process-table.ts";
import { typeLine } from "../terminal/type-line.ts";
import { guardTool } from "../tool.ts";
import { line, terminal } from "./argument.ts";

const MOST_COMMAND_BYTES = 4_000;
/** A first no may be about a command that has just ended. */
const SETTLE_MS = 500;
const POLL_MS = 25;

export const runCommand = guardTool({
  name: "run_command",
  about:
    "Type one command and Enter into an idle terminal, one whose shell waits at its prompt. Needs `run`: the person may be " +
    "asked, with the exact text. Refused when something runs there, which is named. Answers as soon as it is typed and " +
    "waits for nothing: read the outcome with read_output. One line; join several with && or ;.",
  readOnly: false,
  input: { terminal, command: line("The command, exactly as it is typed.", MOST_COMMAND_BYTES, 1) },
  async run({ terminal: name, command }, call) {
    const connection = await call.connect();
    if (!connection.ok) return connection;
    const shown = await knowTerminal(connection.value, name);
    if (!shown.ok) return shown;
    // The grant comes first: whether a terminal is busy is already news about it.
    const refused = await call.permit({
      capability: "run",
      target: shown.value.target,
      act: command,
      stake:
        "It runs with everything that shell may do: change files, reach the network, end programs. It is typed behind " +
        "whatever already stands on the line.",
    });
    if (refused !== null) return fail(refused);
    const idle = await awaitIdle(connection.value, shown.value, new Deadline(SETTLE_MS, call.signal));
    if (!idle.ok) return idle;
    const failed = await typeLine(connection.value, idle.value.id, command, () => call.connect());
    return failed === null ? ok({ schema_version: 1, typed: true, terminal: idle.value.name, command }) : fail(failed);
  },
});

/** The same terminal, once it is idle: looked at again until then, and right before anything is typed. */
async function awaitIdle(
  connection: Connection,
  shown: KnownTerminal,
  deadline: Deadline,
): Promise<Result<KnownTerminal, Refusal>> {
  for (;;) {
    const now = await knowSame(connection, shown);
    if (!now.ok) return now;
    const beside = besideChild(processTable(), now.value.front, now.value.id.id);
    const busy = busyWith(now.value.front, beside);
    if (busy === null) return now;
    if (deadline.hasPassed()) {
      const remedy = "nothing was typed: wait until it has ended, or use another terminal";
      return fail(refuse("agent_pane_not_available", `${now.value.name} is busy: ${busy.why}`, remedy));
    }
    await deadline.pause(POLL_MS);
  }
}
