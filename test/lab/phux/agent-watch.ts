import { AGENT_KEY, type AgentRecord, type AgentState, parseAgentRecord } from "../../../src/phux/agent-record.ts";
import type { Connection } from "../../../src/phux/connection.ts";
import type { Deadline } from "../../../src/phux/deadline.ts";
import type { Pushed } from "../../../src/phux/pushed-frames.ts";
import { formatResource } from "../../../src/phux/selector.ts";
import { fromWireError } from "../../../src/phux/wire-error.ts";
import { ErrorCode } from "../../../src/wire/error-code.ts";
import type { ResourceId } from "../../../src/wire/frame.ts";
import { fail, ok, type Result } from "../../../src/wire/result.ts";
import { type CliRefusal, refuseCli } from "./refusal.ts";

/** States that can be waited for. Becoming unknown is a departure. */
export const awaitedStates = ["idle", "working", "blocked", "done"] as const satisfies readonly AgentState[];
/** What ends a wait that names no state. */
const RESTS: readonly AgentState[] = ["idle", "blocked", "done"];

/** The states of a wait; none named means all that end a turn. */
export function wantedStates(until: readonly AgentState[]): readonly AgentState[] {
  return until.length === 0 ? RESTS : until;
}

/** Between two reads of the records, for what a subscription does not bring. */
const POLL_MS = 150;

export interface Edge {
  readonly from: AgentState;
  readonly to: AgentState;
  readonly via: "push" | "poll";
}

/** An agent that has changed its state. */
export interface Movement {
  readonly pane: ResourceId;
  readonly edge: Edge;
  readonly record: AgentRecord;
}

interface Watched {
  readonly pane: ResourceId;
  /** Null while no agent is there. */
  record: AgentRecord | null;
}

/** Follows the records of panes on one connection, from the moment it begins: no change after that is missed. */
export class AgentWatch {
  readonly observations = { edges: 0, pushes: 0, polls: 0 };
  readonly #connection: Connection;
  readonly #watched = new Map<string, Watched>();
  /** Whether agents of all panes count: then one that leaves is one less, and new panes count too. */
  readonly #any: boolean;

  private constructor(connection: Connection, any: boolean) {
    this.#connection = connection;
    this.#any = any;
  }

  /** Subscribes first and reads then, so that nothing falls in between. */
  static async begin(
    connection: Connection,
    panes: readonly ResourceId[],
    any = false,
  ): Promise<Result<AgentWatch, CliRefusal>> {
    const watch = new AgentWatch(connection, any);
    if (any) connection.post({ name: "SUBSCRIBE_EVENTS", value: {} });
    else for (const terminal of panes) connection.post({ name: "SUBSCRIBE_EVENTS", value: { terminal } });
    for (const pane of panes) watch.#follow(pane);
    const refusal = await watch.#readAll();
    return refusal === null ? ok(watch) : fail(refusal);
  }

  /** The record of a pane as it was seen last. */
  recordOf(pane: ResourceId): AgentRecord | null {
    return this.#watched.get(formatResource(pane))?.record ?? null;
  }

  /** How many of the panes have an agent. */
  get agents(): number {
    return [...this.#watched.values()].filter(({ record }) => record !== null).length;
  }

  /** Reads every record: where changes begin. */
  async #readAll(): Promise<CliRefusal | null> {
    for (const watched of this.#watched.values()) {
      const record = await this.#read(watched);
      if (!record.ok) return record.error;
      watched.record = record.value;
    }
    return null;
  }

  /** The next change into one of these states, null when the deadline passes before. Refusals: `agent_departed`. */
  async edgeInto(states: readonly AgentState[], deadline: Deadline): Promise<Result<Movement | null, CliRefusal>> {
    const wanted = (seen: Movement | null) => seen !== null && states.includes(seen.edge.to);
    for (let pollAt = deadline.now() + POLL_MS; ; ) {
      const pushed = await this.#connection.pushed.take(
        Math.min(deadline.left(), Math.max(0, pollAt - deadline.now())),
      );
      const seen = pushed === null ? ok(null) : this.#see(pushed);
      if (!seen.ok || wanted(seen.value)) return seen;
      if (pushed !== null) continue;
      const lost = this.#connection.lost("watching agents");
      if (lost !== null) return fail(lost.refusal);
      if (deadline.hasPassed()) return ok(null);
      for (const watched of [...this.#watched.values()]) {
        const polled = await this.#poll(watched);
        // A server that does not answer any more in time has told of no change.
        if (!polled.ok && deadline.hasPassed()) return ok(null);
        if (!polled.ok || wanted(polled.value)) return polled;
      }
      this.observations.polls++;
      pollAt = deadline.now() + POLL_MS;
    }
  }

  /** Whether anything that was pushed by now says that another agent is in the pane than before, or none. */
  async changedHands(): Promise<boolean> {
    for (let next = await this.#arrived(); next !== null; next = await this.#arrived()) {
      if (!this.#see(next).ok) return true;
    }
    return false;
  }

  #arrived(): Promise<Pushed | null> {
    return this.#connection.pushed.take(0);
  }

  #follow(pane: ResourceId): void {
    const name = formatResource(pane);
    if (this.#watched.has(name)) return;
    this.#watched.set(name, { pane, record: null });
    const scope = { tag: "resource", id: pane } as const;
    this.#connection.post({ name: "SUBSCRIBE_METADATA", value: { scope, key: AGENT_KEY } });
  }

  async #read({ pane }: Watched): Promise<Result<AgentRecord | null, CliRefusal>> {
    const stored = await this.#connection.metadata({ tag: "resource", id: pane }, AGENT_KEY);
    return stored.ok ? ok(parseAgentRecord(stored.value)) : fail(stored.error.refusal);
  }

  /** What a read says and no push did: there are more panes than subscriptions, or one was lost. */
  async #poll(watched: Watched): Promise<Result<Movement | null, CliRefusal>> {
    const record = await this.#read(watched);
    if (!record.ok) return record;
    // What was pushed meanwhile may be older than the answer or newer: it alone is in order.
    const pushed = await this.#arrived();
    if (pushed !== null) return this.#see(pushed);
    return this.#compare(watched, record.value, "poll");
  }

  #see(pushed: Pushed): Result<Movement | null, CliRefusal> {
    switch (pushed.name) {
      case "METADATA_CHANGED": {
        const { scope, key, value } = pushed.value;
        const watched = scope.tag === "resource" ? this.#watched.get(formatResource(scope.id)) : undefined;
        if (watched === undefined || key !== AGENT_KEY) return ok(null);
        this.observations.pushes++;
        return this.#compare(watched, parseAgentRecord(value ?? null), "push");
      }
      case "EVENT": {
        const { terminal, event } = pushed.value;
        if (terminal === undefined) return ok(null);
        if (event.tag === "pane_spawned" && this.#any && event.kind === undefined) this.#follow(terminal);
        const watched = event.tag === "pane_closed" ? this.#watched.get(formatResource(terminal)) : undefined;
        return watched === undefined ? ok(null) : this.#compare(watched, null, "push");
      }
      case "ERROR": {
        const { code, message } = pushed.value;
        // A subscription has no reply, so this is the refusal of one; any other is a notice.
        return code === ErrorCode.PERMISSION_DENIED ? fail(fromWireError(code, message, "watching agents")) : ok(null);
      }
    }
  }

  #compare(watched: Watched, record: AgentRecord | null, via: Edge["via"]): Result<Movement | null, CliRefusal> {
    const { pane, record: before } = watched;
    watched.record = record;
    if (before === null) return ok(null);
    const gone = departure(before, record);
    if (gone !== null) {
      watched.record = null;
      const alone = !this.#any || this.agents === 0;
      return alone ? fail(refuseCli("agent_departed", `the agent of ${formatResource(pane)} left: ${gone}`)) : ok(null);
    }
    if (record === null || record.state === before.state) return ok(null);
    this.observations.edges++;
    return ok({ pane, record, edge: { from: before.state, to: record.state, via } });
  }
}

/** Why the agent of a record is not there any more; null when it is. */
function departure(before: AgentRecord, record: AgentRecord | null): string | null {
  if (record === null) return "its record is gone";
  if (before.kind !== undefined && before.kind !== record.kind)
    return `the pane has one of kind ${record.kind ?? "unknown"}`;
  return record.state === "unknown" && before.state !== "unknown" ? "nothing is known of its state any more" : null;
}
