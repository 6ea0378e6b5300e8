import type { AgentState } from "../../../src/phux/agent-record.ts";
import type { Connection } from "../../../src/phux/connection.ts";
import { Deadline } from "../../../src/phux/deadline.ts";
import { Inventory } from "../../../src/phux/inventory.ts";
import { formatResource } from "../../../src/phux/selector.ts";
import type { ResourceId } from "../../../src/wire/frame.ts";
import { fail, ok } from "../../../src/wire/result.ts";
import { type AgentEntry, agentEntry } from "./agent-report.ts";
import { sightAgent } from "./agent-sighting.ts";
import { CURRENT, findOwnPane, refuseTarget } from "./agent-target.ts";
import { AgentWatch, awaitedStates, type Movement, wantedStates } from "./agent-watch.ts";
import type { Call } from "./call.ts";
import { withGrace } from "./grace.ts";
import { refuseCli } from "./refusal.ts";
import { flag, optionalWord, someOf, wholeNumber } from "./slot.ts";
import { type Answer, json, socket, verb } from "./verb.ts";

export const DEFAULT_WAIT_SECONDS = 600;
/** Exit status of a wait that was not satisfied. */
export const RAN_OUT = 124;

export const agentWait = verb({
  name: "agent wait",
  contract: 1,
  slots: {
    any: flag("--any"),
    until: someOf(awaitedStates, "--until"),
    timeout: wholeNumber("--timeout"),
    json,
    socket,
    target: optionalWord("TARGET"),
  },
  exclude({ any, target, timeout }) {
    if (any && target !== undefined) return "--any and TARGET exclude each other";
    return timeout === 0 ? "--timeout is at least 1 s" : null;
  },
  async run(given, call) {
    const { timeout = DEFAULT_WAIT_SECONDS } = given;
    const deadline = new Deadline(timeout * 1_000, call.signal);
    const wanted = wantedStates(given.until);
    const refused = refuseTarget(given.target ?? CURRENT);
    if (refused !== null) return fail(refused);
    const connection = await call.connect(given.socket, withGrace(timeout, call));
    if (!connection.ok) return connection;
    const about = { connection: connection.value, call, wanted, deadline, timeout };
    return given.any ? waitForAny(about) : waitForOne(given.target ?? CURRENT, about);
  },
});

interface Wait {
  readonly connection: Connection;
  readonly call: Call;
  readonly wanted: readonly AgentState[];
  readonly deadline: Deadline;
  /** Seconds, for what is said at the end of them. */
  readonly timeout: number;
}

async function waitForOne(target: string, wait: Wait): Promise<Answer> {
  const { connection, call, wanted, deadline } = wait;
  const found = await findOwnPane(connection, target, call);
  if (!found.ok) return found;
  const { pane, name: terminal } = found.value;
  const watch = await AgentWatch.begin(connection, [pane]);
  if (!watch.ok) return watch;
  const before = watch.value.recordOf(pane);
  if (before === null) return fail(refuseCli("no_agent_record", `${terminal} has no agent`));
  const movement = await watch.value.edgeInto(wanted, deadline);
  if (!movement.ok) return movement;
  const { name, kind = null, session = null, state } = watch.value.recordOf(pane) ?? before;
  const detection = movement.value === null ? await detect(connection, pane, call) : null;
  return answer(wait, movement.value, {
    ...{ terminal, baseline: before.state, state, agent: { name, kind, session } },
    ...{ observations: watch.value.observations, detection },
  });
}

async function waitForAny(wait: Wait): Promise<Answer> {
  const { connection, wanted, deadline } = wait;
  const state = await connection.state();
  if (!state.ok) return fail(state.error.refusal);
  // Records of other hosts' panes do not cross a hub.
  const panes = new Inventory(state.value.snapshot).terminals.map(({ id }) => id).filter(({ tag }) => tag === "local");
  const watch = await AgentWatch.begin(connection, panes, true);
  if (!watch.ok) return watch;
  if (watch.value.agents === 0) return fail(refuseCli("no_agent_record", "no pane has an agent"));
  const movement = await watch.value.edgeInto(wanted, deadline);
  if (!movement.ok) return movement;
  const observations = { ...watch.value.observations, agents: watch.value.agents };
  if (movement.value === null) {
    return answer(wait, null, { ...nobody, observations });
  }
  const { pane, edge, record } = movement.value;
  const { name, kind = null, session = null } = record;
  return answer(wait, movement.value, {
    ...{ terminal: formatResource(pane), baseline: edge.from, state: edge.to, agent: { name, kind, session } },
    ...{ observations, detection: null },
  });
}

const nobody = { terminal: null, baseline: null, state: null, agent: null, detection: null };

function answer({ timeout, wanted }: Wait, movement: Movement | null, seen: object): Answer {
  const document = { schema_version: 1, satisfied: movement !== null, edge: movement?.edge ?? null, ...seen };
  if (movement !== null) {
    const { from, to } = movement.edge;
    return ok({ document, text: `${formatResource(movement.pane)}\t${from} -> ${to}\n` });
  }
  const aside = `phux: agent wait timed out; no change into ${wanted.join(", ")} within ${timeout} s\n`;
  return ok({ document, aside, exit: RAN_OUT });
}

/** How the pane looks at the end of a wait in which nothing came. */
async function detect(connection: Connection, pane: ResourceId, call: Call): Promise<AgentEntry | null> {
  const state = await connection.state();
  if (!state.ok) return null;
  const sighting = await sightAgent(connection, new Inventory(state.value.snapshot), pane, call);
  return sighting.ok ? agentEntry(sighting.value) : null;
}
