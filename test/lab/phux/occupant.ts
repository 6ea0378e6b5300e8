import type { Connection } from "../../../src/phux/connection.ts";
import type { Deadline } from "../../../src/phux/deadline.ts";
import { OCCUPANT_KEY, parseOccupant } from "../../../src/phux/occupant.ts";
import { formatResource } from "../../../src/phux/selector.ts";
import type { ResourceId } from "../../../src/wire/frame.ts";
import { type CliRefusal, refuseCli } from "./refusal.ts";

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
    const occupant = parseOccupant(stored.value);
    if (occupant === null || occupant.isPaneShell) return null;
    if (deadline.hasPassed() || deadline.now() >= until) {
      return refuseCli(
        "agent_pane_not_available",
        `${formatResource(pane)} is not at its prompt: ${occupant.name} runs there`,
      );
    }
    await deadline.pause(POLL_MS);
  }
}
