import type { AgentRecord } from "../../../src/phux/agent-record.ts";
import type { Connection } from "../../../src/phux/connection.ts";
import type { Deadline } from "../../../src/phux/deadline.ts";
import { formatResource } from "../../../src/phux/selector.ts";
import type { ResourceId } from "../../../src/wire/frame.ts";
import { fail, ok, type Result } from "../../../src/wire/result.ts";
import { isShell } from "../detect/manifest.ts";
import { type PaneProcess, paneProcess } from "./pane-process.ts";
import { type CliRefusal, refuseCli } from "./refusal.ts";

/** By what a pane was found to stand at a shell's prompt: the shell's own mark, the process in front, or not at all. */
export type ShellCheck = "prompt-mark" | "occupant" | "forced";

/** A first no may be about a command that has just ended. */
const SETTLE_MS = 500;
const POLL_MS = 25;

/** Makes sure that what is typed into a pane is read by its shell. Refusals: `agent_pane_busy`, `agent_pane_not_available`. */
export async function checkShell(
  connection: Connection,
  pane: ResourceId,
  record: AgentRecord | null,
  deadline: Deadline,
): Promise<Result<ShellCheck, CliRefusal>> {
  const name = formatResource(pane);
  if (record !== null && record.state !== "unknown") {
    return fail(refuseCli("agent_pane_busy", `${name} has an agent already: ${JSON.stringify(record.name)}`));
  }
  const until = deadline.now() + SETTLE_MS;
  for (;;) {
    const process = await paneProcess(connection, pane);
    if (!process.ok) return process;
    const refused = refuseProcess(process.value, name);
    if (refused === null) return ok(process.value.prompt === "at_prompt" ? "prompt-mark" : "occupant");
    if (deadline.hasPassed() || deadline.now() >= until) return fail(refused);
    await deadline.pause(POLL_MS);
  }
}

function refuseProcess({ occupant, prompt }: PaneProcess, name: string): CliRefusal | null {
  if (occupant === null) {
    return refuseCli("agent_pane_not_available", `the server does not say what runs in ${name}`);
  }
  if (!occupant.isPaneProgram) return refuseCli("agent_pane_busy", `${occupant.name} runs in ${name}`);
  if (!isShell(occupant.name)) {
    return refuseCli("agent_pane_not_available", `${name} has no shell, but ${occupant.name}`);
  }
  return prompt === "running" ? refuseCli("agent_pane_busy", `a command runs in ${name}`) : null;
}
