import type { Connection } from "../../../src/phux/connection.ts";
import type { Deadline } from "../../../src/phux/deadline.ts";
import { formatResource } from "../../../src/phux/selector.ts";
import type { ResourceId } from "../../../src/wire/frame.ts";
import { type CliRefusal, refuseCli } from "./refusal.ts";

const OCCUPANT_KEY = "phux.pane-occupant/v1";

/** A server looks who is in front only when the output rests: a first no may be about a command that has just ended. */
const SETTLE_MS = 500;
const POLL_MS = 25;

/** Refuses a pane in which a program runs that is not its shell. A server that does not know forbids nothing. */
export async function refuseOccupant(
  connection: Connection,
  pane: ResourceId,
  deadline: Deadline,
): Promise<CliRefusal | null> {
  const until = deadline.now() + SETTLE_MS;
  for (;;) {
    const stored = await connection.metadata({ tag: "resource", id: pane }, OCCUPANT_KEY);
    if (!stored.ok) return stored.error.wireCode === null ? stored.error.refusal : null;
    const foreground = otherProgram(stored.value);
    if (foreground === null) return null;
    if (deadline.hasPassed() || deadline.now() >= until) {
      return refuseCli(
        "agent_pane_not_available",
        `${formatResource(pane)} is not at its prompt: ${foreground} runs there`,
      );
    }
    await deadline.pause(POLL_MS);
  }
}

/** The name of the program in front, null when it is the pane's shell, or nothing that can be read is said. */
function otherProgram(value: Uint8Array | null): string | null {
  if (value === null) return null;
  try {
    const occupant: unknown = JSON.parse(new TextDecoder().decode(value));
    if (typeof occupant !== "object" || occupant === null) return null;
    if (Reflect.get(occupant, "is_pane_shell") !== false) return null;
    const name: unknown = Reflect.get(occupant, "foreground");
    return typeof name === "string" ? name : null;
  } catch {
    return null;
  }
}
