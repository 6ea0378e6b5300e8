import type { AgentState } from "../../../src/phux/agent-record.ts";
import type { Connection } from "../../../src/phux/connection.ts";
import { Deadline } from "../../../src/phux/deadline.ts";
import type { ResourceId } from "../../../src/wire/frame.ts";
import { fail, ok, type Result } from "../../../src/wire/result.ts";
import { look, stateOf } from "../detect/look.ts";
import { assertsIdle, type Manifest } from "../detect/manifest.ts";
import { screenRows } from "./agent-sighting.ts";
import type { AgentWatch, Edge } from "./agent-watch.ts";
import type { Call } from "./call.ts";
import { type Occupant, paneProcess } from "./pane-process.ts";
import { type CliRefusal, refuseCli } from "./refusal.ts";

/** How an agent was seen to be ready, in the key order of its document (tools.md 13, tool 38). */
export interface Readiness {
  readonly identity: "kernel-foreground-pgid" | "unconfirmed";
  readonly transition: Edge | null;
  readonly state_source: "rule" | "fallback" | "record";
  readonly matched_rule: string | null;
  readonly fallback_reason: string | null;
  readonly manifest_asserts_idle: boolean;
  readonly evaluated_client_side: boolean;
  readonly latency_ms: number;
  readonly observations: AgentWatch["observations"];
}

export interface Ready {
  readonly state: AgentState;
  readonly readiness: Readiness;
}

export interface Start {
  readonly connection: Connection;
  readonly pane: ResourceId;
  /** As a selector. */
  readonly terminal: string;
  readonly manifest: Manifest;
  readonly watch: AgentWatch;
}

/** An agent in one of these takes a prompt, or says what it waits for. */
const READY: readonly AgentState[] = ["idle", "blocked", "done"];

const LOOK_MS = 200;
/** Another program in front for so long is no wrapper that is about to start the agent. */
const STRANGER_MS = 1_500;
/** A shell in front for so long after the line was typed has started nothing, or nothing that stayed. */
const NOTHING_MS = 3_000;
/** The same state on the screen for so long, without a word of the server, is what it is. */
const UNTOLD_MS = 500;

/** Waits until the agent that was started is ready. Null when the deadline passes first. */
export async function waitUntilReady(
  start: Start,
  call: Call,
  deadline: Deadline,
): Promise<Result<Ready | null, CliRefusal>> {
  const arrival = new Arrival(start, deadline.now());
  while (!deadline.hasPassed()) {
    const moved = await start.watch.edgeInto(READY, new Deadline(Math.min(LOOK_MS, deadline.left()), call.signal));
    if (!moved.ok) return cameToNothing(moved.error, deadline);
    if (moved.value !== null) arrival.transition = moved.value.edge;
    const process = await paneProcess(start.connection, start.pane);
    if (!process.ok) return cameToNothing(process.error, deadline);
    const wrong = arrival.notice(process.value.occupant, deadline.now());
    if (wrong !== null) return fail(wrong);
    const rows = arrival.isHere ? await screenRows(start.connection, start.pane, call) : ok(null);
    if (!rows.ok) return cameToNothing(rows.error, deadline);
    const ready = arrival.judge(rows.value, deadline.now());
    if (ready !== null) return ok(ready);
  }
  return ok(null);
}

/** A failure of the wait; at its end a server that does not answer is only late. */
function cameToNothing(refusal: CliRefusal, deadline: Deadline): Result<null, CliRefusal> {
  if (deadline.hasPassed()) return ok(null);
  const left = refusal.code === "agent_departed";
  return fail(left ? refuseCli("agent_start_failed", `the agent came and went: ${refusal.message}`) : refusal);
}

/** What is known of an agent that is coming up. Times are milliseconds of the deadline's clock. */
class Arrival {
  transition: Edge | null = null;
  /** The agent's own process is in front. */
  isHere = false;
  readonly #start: Start;
  readonly #began: number;
  #identity: Readiness["identity"] = "unconfirmed";
  #wasHere = false;
  #stranger: { readonly name: string; readonly since: number } | null = null;
  #untold: { readonly state: AgentState; readonly since: number } | null = null;

  constructor(start: Start, began: number) {
    this.#start = start;
    this.#began = began;
  }

  /** Takes in who has the terminal; a refusal when it cannot be the agent any more. */
  notice(occupant: Occupant | null, now: number): CliRefusal | null {
    const { manifest, terminal } = this.#start;
    this.isHere = occupant !== null && !occupant.isPaneProgram && manifest.programs.includes(occupant.name);
    this.#wasHere ||= this.isHere;
    if (this.isHere) this.#identity = occupant?.pgid == null ? "unconfirmed" : "kernel-foreground-pgid";
    // What the agent puts in front itself is its own affair.
    if (occupant === null || this.isHere || (this.#wasHere && !occupant.isPaneProgram)) {
      this.#stranger = null;
      return null;
    }
    const { name, isPaneProgram } = occupant;
    if (this.#stranger?.name !== name) this.#stranger = { name, since: now };
    const lasts = now - this.#stranger.since;
    if (!isPaneProgram && lasts >= STRANGER_MS) {
      return refuseCli(
        "agent_kind_mismatch",
        `${name} runs in ${terminal}, which is no agent of kind ${manifest.kind}`,
      );
    }
    if (!isPaneProgram || lasts < (this.#wasHere ? STRANGER_MS : NOTHING_MS)) return null;
    return refuseCli(
      "agent_start_failed",
      `${terminal} is at its shell: the agent ${this.#wasHere ? "has ended" : "did not come up"}`,
    );
  }

  /** Whether the agent is ready: by the server's word and the screen, or by one of them where the other says nothing. */
  judge(rows: readonly string[] | null, now: number): Ready | null {
    const { manifest, watch, pane } = this.#start;
    const told = watch.recordOf(pane)?.state ?? "unknown";
    const seen = rows === null ? null : look(manifest, rows);
    const shown = rows === null ? null : stateOf(manifest, seen);
    const evaluated = rows !== null;
    const source = { evaluated, rule: seen?.rule.id ?? null, now };
    if (READY.includes(told)) {
      if (shown === told || told === "done") return this.#ready(told, source, null);
      // The two looked at different moments; if they go on to differ, the server's is the one that others see.
      return this.#lasts(told, now)
        ? this.#ready(told, { ...source, rule: null }, "the screen did not confirm it")
        : null;
    }
    if (told !== "unknown" || shown === null || !READY.includes(shown)) {
      this.#untold = null;
      return null;
    }
    return this.#lasts(shown, now) ? this.#ready(shown, source, "the server keeps no state of it") : null;
  }

  #lasts(state: AgentState, now: number): boolean {
    if (this.#untold?.state !== state) this.#untold = { state, since: now };
    return now - this.#untold.since >= UNTOLD_MS;
  }

  #ready(
    state: AgentState,
    { evaluated, rule, now }: { readonly evaluated: boolean; readonly rule: string | null; readonly now: number },
    fallback_reason: string | null,
  ): Ready {
    const { manifest, watch } = this.#start;
    const byTheWord = this.transition === null && fallback_reason !== null ? "fallback" : "record";
    return {
      state,
      readiness: {
        ...{ identity: this.#identity, transition: this.transition },
        ...{ state_source: rule === null ? byTheWord : "rule", matched_rule: rule, fallback_reason },
        ...{ manifest_asserts_idle: assertsIdle(manifest), evaluated_client_side: evaluated },
        ...{ latency_ms: Math.round(now - this.#began), observations: watch.observations },
      },
    };
  }
}
