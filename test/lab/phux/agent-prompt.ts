import type { AgentState } from "../../../src/phux/agent-record.ts";
import { Deadline } from "../../../src/phux/deadline.ts";
import { fail, ok, type Result } from "../../../src/wire/result.ts";
import { type Approached, approach, expectations, strangerGotIt, submission } from "./agent-input.ts";
import { DEFAULT_WAIT_SECONDS, RAN_OUT } from "./agent-wait.ts";
import { AgentWatch, awaitedStates, type Edge, wantedStates } from "./agent-watch.ts";
import { withGrace } from "./grace.ts";
import { type Delivered, typeBatch } from "./input-batch.ts";
import { type CliRefusal, refuseCli } from "./refusal.ts";
import { flag, someOf, wholeNumber, word } from "./slot.ts";
import { json, socket, verb } from "./verb.ts";

export const agentPrompt = verb({
  name: "agent prompt",
  contract: 1,
  slots: {
    wait: flag("--wait"),
    ...expectations,
    until: someOf(awaitedStates, "--until"),
    timeout: wholeNumber("--timeout"),
    json,
    socket,
    target: word("TARGET"),
    text: word("TEXT"),
  },
  exclude: ({ timeout }) => (timeout === 0 ? "--timeout is at least 1 s" : null),
  async run(given, call) {
    const wrong = refusePrompt(given.text);
    if (wrong !== null) return fail(wrong);
    const { timeout = DEFAULT_WAIT_SECONDS } = given;
    const deadline = new Deadline(timeout * 1_000, call.signal);
    const agent = await approach(given.target, given, given.socket, call, withGrace(timeout, call));
    if (!agent.ok) return agent;
    const { connection, pane, terminal, record } = agent.value;
    const typed = await typeBatch(connection, pane, submission(given.text), call, deadline);
    if (!typed.ok) return fail(typed.error.refusal);
    const { operation_id, attempts, ms } = typed.value;
    const began = deadline.now();
    const wanted = wantedStates(given.until);
    const turn = given.wait ? await follow(agent.value, typed.value, wanted, deadline) : ok(unobserved);
    if (!turn.ok) return turn;
    const { edge, state = record.state } = turn.value;
    const { name, kind = null, session = null } = record;
    const waited = Math.round(deadline.now() - began);
    const document = {
      ...{ schema_version: 1, terminal, delivery: "ok", operation_id, agent: { name, kind, state, session } },
      ...{ pre_submit_state: record.state, staleness_bound_ms: null, attempts, submit_ms: ms },
      ...{ transition_observed: edge !== null, matched_by: edge === null ? null : "transition", edge },
      ...{ waited_ms: given.wait ? waited : null, degraded_to_polling: edge?.via === "poll" },
    };
    if (edge !== null) return ok({ document, text: `${terminal}\t${edge.from} -> ${edge.to}\n` });
    if (!given.wait) return ok({ document, text: `${terminal}\tdelivered\n` });
    const aside = `phux: prompt delivered to ${terminal}, and no change into ${wanted.join(", ")} seen within ${timeout} s\n`;
    return ok({ document, aside, exit: RAN_OUT });
  },
});

/** A prompt is one line, with something on it. */
export function refusePrompt(text: string): CliRefusal | null {
  if (/[\r\n]/.test(text)) return refuseCli("prompt_multiline", "the prompt has a line break");
  return text.trim() === "" ? refuseCli("prompt_empty", "the prompt has no text") : null;
}

interface Turn {
  readonly edge: Edge | null;
  /** The state that was seen last. */
  readonly state?: AgentState | undefined;
}

const unobserved: Turn = { edge: null };

/** Waits for what the agent makes of a prompt: the watch began before it was typed, so that no change is missed. */
async function follow(
  { connection, pane, terminal, record, watch }: Approached,
  delivered: Delivered,
  wanted: readonly AgentState[],
  deadline: Deadline,
): Promise<Result<Turn, CliRefusal>> {
  let current = watch;
  if (delivered.connection !== connection) {
    // What was pushed to the connection that broke is lost: the state now is all there is to go by.
    const again = await AgentWatch.begin(delivered.connection, [pane]);
    if (!again.ok) return again;
    current = again.value;
    const now = current.recordOf(pane);
    if (now === null || now.kind !== record.kind) return fail(strangerGotIt(terminal));
    const edge = { from: record.state, to: now.state, via: "poll" } as const;
    if (edge.from !== edge.to && wanted.includes(edge.to)) return ok({ edge, state: edge.to });
  }
  const movement = await current.edgeInto(wanted, deadline);
  if (!movement.ok) return movement;
  return ok({ edge: movement.value?.edge ?? null, state: current.recordOf(pane)?.state });
}
