import type { AgentRecord } from "../../../src/phux/agent-record.ts";
import type { Connection } from "../../../src/phux/connection.ts";
import { Deadline } from "../../../src/phux/deadline.ts";
import { refuse } from "../../../src/phux/errors.ts";
import { keyInput, pasteInput } from "../../../src/phux/key-event.ts";
import { requireFeature } from "../../../src/phux/target.ts";
import type { InputEvent, ResourceId } from "../../../src/wire/frame.ts";
import { PhysicalKey } from "../../../src/wire/physical-key.ts";
import { fail, ok, type Result } from "../../../src/wire/result.ts";
import { findOwnPane, refuseTarget, TYPES } from "./agent-target.ts";
import { AgentWatch } from "./agent-watch.ts";
import type { Call } from "./call.ts";
import { typeBatch } from "./input-batch.ts";
import { keyEvents } from "./key-spec.ts";
import { type CliRefusal, refuseCli } from "./refusal.ts";
import { value, word, words } from "./slot.ts";
import { json, socket, verb } from "./verb.ts";

/** Milliseconds for finding an agent and typing to it. */
const TYPING_MS = 25_000;

/** Options that say who must be in the pane. */
export const expectations = { agent: value("--expect-agent"), kind: value("--expect-kind") };

interface Expected {
  readonly agent: string | undefined;
  readonly kind: string | undefined;
}

/** An agent that was found, and is watched from then on. */
export interface Approached {
  readonly connection: Connection;
  readonly pane: ResourceId;
  readonly terminal: string;
  readonly record: AgentRecord;
  readonly watch: AgentWatch;
}

export const agentSendKeys = verb({
  name: "agent send-keys",
  contract: 1,
  slots: { ...expectations, json, socket, target: word("TARGET"), keys: words("KEYS") },
  async run(given, call) {
    const events = keyEvents(given.keys);
    if (!events.ok) return events;
    const deadline = new Deadline(TYPING_MS, call.signal);
    const agent = await approach(given.target, given, given.socket, call, deadline);
    if (!agent.ok) return agent;
    const { connection, pane, terminal, record, watch } = agent.value;
    const typed = await typeBatch(connection, pane, events.value, call, deadline);
    if (!typed.ok) return fail(typed.error.refusal);
    if (await watch.changedHands()) return fail(strangerGotIt(terminal));
    const { name, kind = null } = record;
    const { operation_id, attempts } = typed.value;
    return ok({
      document: {
        ...{ schema_version: 1, terminal, agent: { name, kind }, keys: given.keys.length },
        ...{ verified: true, delivery: "ok", operation_id, attempts },
      },
      text: `${terminal}\t${name}\n`,
    });
  },
});

/** Finds an agent's pane and reads who is in it, right before something is typed. Refusals: tools.md section 11. */
export async function approach(
  target: string,
  expected: Expected,
  socket: string | undefined,
  call: Call,
  deadline: Deadline,
): Promise<Result<Approached, CliRefusal>> {
  const refused = refuseTarget(target, TYPES);
  if (refused !== null) return fail(refused);
  const connection = await call.connect(socket, deadline);
  if (!connection.ok) return connection;
  const lacking = requireFeature(connection.value, "acknowledged_input");
  if (lacking !== null) return fail(lacking);
  const found = await findOwnPane(connection.value, target, call, TYPES);
  if (!found.ok) return found;
  const { pane, name: terminal } = found.value;
  const watch = await AgentWatch.begin(connection.value, [pane]);
  if (!watch.ok) return watch;
  const record = watch.value.recordOf(pane);
  if (record === null) return fail(refuseCli("no_agent_record", `${terminal} has no agent`));
  const stranger = refuseStranger(record, expected, terminal);
  return stranger === null
    ? ok({ connection: connection.value, pane, terminal, record, watch: watch.value })
    : fail(stranger);
}

function refuseStranger({ name, kind, state }: AgentRecord, expected: Expected, terminal: string): CliRefusal | null {
  const is = `${terminal} has ${JSON.stringify(name)} of kind ${kind ?? "unknown"}`;
  if (expected.agent !== undefined && expected.agent !== name) {
    return refuseCli("agent_mismatch", `${is}, not ${JSON.stringify(expected.agent)}`);
  }
  if (expected.kind !== undefined && expected.kind !== kind) {
    return refuseCli("agent_mismatch", `${is}, not of kind ${expected.kind}`);
  }
  const isWithdrawn = kind !== undefined && state === "unknown";
  return isWithdrawn ? refuse("agent_withdrawn", `${is}, of whom nothing is known any more`) : null;
}

/** The input was typed, and somebody else may have got it. */
export function strangerGotIt(terminal: string): CliRefusal {
  return refuseCli("unknown_occupant", `the agent of ${terminal} changed while the input was on its way`);
}

/** A line and Enter, in one piece: a program that knows pastes cannot take the Enter for a part of it. */
export function submission(line: string): readonly InputEvent[] {
  return [pasteInput(new TextEncoder().encode(line), true), keyInput(PhysicalKey.Enter)];
}
