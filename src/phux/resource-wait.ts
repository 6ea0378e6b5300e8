import { hasFeature } from "../wire/capability.ts";
import { ErrorCode } from "../wire/error-code.ts";
import type { ResourceId } from "../wire/frame.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import type { Connection } from "./connection.ts";
import { type Cursor, formatCursor } from "./cursor.ts";
import type { Deadline } from "./deadline.ts";
import type { Refusal } from "./errors.ts";
import { ExitWatch, type LearnedExit, NO_REPLAY, type Verdict } from "./exit-watch.ts";
import { hasGone, type RequestFailure } from "./request-failure.ts";
import { findResource } from "./resource-target.ts";
import type { Reconnect } from "./screen-read.ts";
import { refuseMiss } from "./selection-refusal.ts";
import { formatResource } from "./selector.ts";
import { explicitId, type Remarks, selectorOf } from "./target.ts";
import { fromWireError } from "./wire-error.ts";

/** What a wait for an end came to (tools.md 56), its members in the order of the document. */
export interface WaitedResource {
  readonly outcome: "exited" | "gone" | "timed_out";
  readonly exit: LearnedExit | null;
  readonly retained: boolean;
  readonly cursor: string | null;
  readonly evidence_lost: boolean;
}

/** A wait that was interrupted goes on after so many milliseconds, twice as many each time that brings nothing new. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;
/** The first look may take this long however short the wait is. */
export const FIRST_LOOK_MS = 2_000;

/** What one connection came to: an answer, or the need of another connection, with the failure that caused it if any. */
type Leg =
  | { readonly kind: "answer"; readonly answer: Result<WaitedResource, Refusal> }
  | { readonly kind: "interrupted"; readonly why: RequestFailure | null };

/** What one frame came to: the end of the leg, none in time, a reason to read the state again, or nothing of note. */
type Taken = Leg | "none" | "reread" | "noted";

/** What to wait for, and where its subscription begins: null for now. */
export interface WaitStart {
  readonly id: ResourceId;
  readonly from: Cursor | null;
}

/** Finds what a selector names: an explicit id is taken as it is written. `after` is the cursor of an earlier wait. */
export async function startOfWait(
  connection: Connection,
  text: string,
  after: Cursor | null,
  remarks: Remarks,
): Promise<Result<WaitStart, Refusal>> {
  const selector = selectorOf(text);
  if (!selector.ok) return selector;
  const id = explicitId(selector.value);
  if (id !== null) return ok({ id, from: after });
  const found = await findResource(connection, text, remarks);
  if (!found.ok) return found;
  // What happens between finding a pane and subscribing to it is in the journal, behind the state that showed it.
  const head = found.value.state.snapshot.extensions?.journal_head;
  const seen = head === undefined ? null : { serverId: connection.server.id, seq: head };
  return ok({ id: found.value.id, from: after ?? seen });
}

/**
 * Waits until a resource has ended (client.md 4.18). `reconnect` gives another connection when one is lost or leaves
 * a gap.
 */
export async function waitForEnd(
  connection: Connection,
  { id, from }: WaitStart,
  deadline: Deadline,
  reconnect: Reconnect,
): Promise<Result<WaitedResource, Refusal>> {
  const wait = new EndWait(id, deadline);
  let [line, cursor] = [connection, from];
  for (let idle = 0; ; idle += 1) {
    const before = wait.progress;
    const leg = await wait.follow(line, cursor);
    if (leg.kind === "answer") return leg.answer;
    if (wait.progress !== before) idle = 0;
    // A connection that is lost at once a second time would be lost for ever.
    if (leg.why !== null && idle > 0) return fail(wait.resumable(leg.why.refusal));
    await deadline.pause(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** idle));
    if (deadline.hasPassed()) return ok(wait.timedOut());
    const again = await reconnect(deadline.left());
    if (!again.ok) return fail(wait.resumable(leg.why?.refusal ?? again.error));
    cursor = wait.cursor ?? cursor;
    line = again.value;
    // Without a journal nobody knows what happened in between.
    if (!hasJournal(line)) wait.loseEvidence();
  }
}

class EndWait {
  readonly #id: ResourceId;
  readonly #deadline: Deadline;
  readonly #watch: ExitWatch;
  #serverId: string | null = null;
  /** The server will not let us watch. Acted upon when what came before it is taken, so that the cursor is right. */
  #denied: Refusal | null = null;
  #events = 0;

  constructor(id: ResourceId, deadline: Deadline) {
    this.#id = id;
    this.#deadline = deadline;
    this.#watch = new ExitWatch(id);
  }

  /** Grows with every event that was taken. */
  get progress(): number {
    return this.#events;
  }

  /** Where a later wait can go on. */
  get cursor(): Cursor | null {
    const { covered } = this.#watch;
    return covered === null || this.#serverId === null ? null : { serverId: this.#serverId, seq: covered };
  }

  loseEvidence(): void {
    this.#watch.evidenceLost = true;
  }

  /** Follows the resource on one connection: subscription first, then the state, so that no end falls in between. */
  async follow(line: Connection, from: Cursor | null): Promise<Leg> {
    this.#begin(line, from);
    let step: Taken = "reread";
    while (typeof step === "string") {
      const stop: Leg | null = step === "reread" ? await this.#look(line) : null;
      if (stop !== null) return stop;
      const verdict = this.#watch.verdict();
      if (verdict !== null) return this.#answer(verdict, line);
      step = await this.#take(line, this.#deadline.left());
      if (this.#denied !== null) return this.#refuse(this.#denied);
      if (step === "none" && this.#deadline.hasPassed()) return this.#timeOut();
    }
    return step;
  }

  #begin(line: Connection, from: Cursor | null): void {
    const { server } = line;
    const known = from !== null && hasJournal(line) && from.serverId === server.id;
    // A sequence number of another server, or of one that keeps no journal, says nothing: the gap is real.
    if (from !== null && !known) this.loseEvidence();
    this.#serverId = hasJournal(line) && server.id !== "" ? server.id : null;
    this.#watch.begin(known ? from.seq : null);
    const after_seq = known ? from.seq : NO_REPLAY;
    const value = { terminal: this.#id, ...(hasJournal(line) && { after_seq }) };
    line.post({ name: "SUBSCRIBE_EVENTS", value });
  }

  /** Reads the state, then takes what came before its answer. Null when there is nothing to stop for. */
  async #look(line: Connection): Promise<Leg | null> {
    const first = !this.#watch.hasLooked;
    const state = await line.state(first ? this.#deadline.notWithin(FIRST_LOOK_MS).left() : this.#deadline.left());
    if (!state.ok) {
      if (!first && this.#deadline.hasPassed()) return this.#timeOut();
      return hasGone(state.error) ? { kind: "interrupted", why: state.error } : this.#refuse(state.error.refusal);
    }
    this.#watch.look(state.value);
    let again = false;
    for (;;) {
      const taken = await this.#take(line, 0);
      if (taken === "none") break;
      if (typeof taken !== "string") return taken;
      // It may have come right behind the answer, and then the state is older than what it tells.
      again ||= taken === "reread";
    }
    this.#watch.caughtUp();
    if (this.#denied !== null) return this.#refuse(this.#denied);
    if (again && this.#watch.verdict() === null && !this.#deadline.hasPassed()) return this.#look(line);
    // The head may be an event of another resource, which this subscription never brings: everybody's does.
    if (this.#watch.isUncertain && this.#watch.covered !== null) {
      line.post({ name: "SUBSCRIBE_EVENTS", value: { after_seq: this.#watch.covered } });
    }
    return null;
  }

  /** Takes one frame within `ms`. */
  async #take(line: Connection, ms: number): Promise<Taken> {
    const frame = await line.pushed.take(ms);
    if (frame === null) {
      // Past its cap a connection takes in nothing more, and that is a gap like any other.
      return line.pushed.isExhausted ? this.#interrupted(line) : "none";
    }
    if (frame.name === "ERROR" && frame.value.code === ErrorCode.PERMISSION_DENIED) {
      this.#denied = fromWireError(frame.value.code, frame.value.message, `watching ${formatResource(this.#id)}`);
    }
    if (frame.name !== "EVENT") return "noted";
    this.#events += 1;
    const step = this.#watch.take(frame.value);
    if (step === "reconnect") return { kind: "interrupted", why: null };
    return step === "reread" ? "reread" : "noted";
  }

  #interrupted(line: Connection): Leg {
    const why = line.lost(`watching ${formatResource(this.#id)}`);
    if (why !== null && !hasGone(why)) return this.#refuse(why.refusal);
    return { kind: "interrupted", why };
  }

  #answer(verdict: Verdict, line: Connection): Leg {
    const evidence = { cursor: this.#cursorText(), evidence_lost: this.#watch.evidenceLost };
    switch (verdict.outcome) {
      case "exited": {
        const { outcome, exit, retained } = verdict;
        return { kind: "answer", answer: ok({ outcome, exit, retained, ...evidence }) };
      }
      case "gone":
        return { kind: "answer", answer: ok({ outcome: "gone", exit: null, retained: false, ...evidence }) };
      case "unclear":
        return this.#refuse(refuseMiss(formatResource(this.#id), line.notices));
    }
  }

  #timeOut(): Leg {
    return { kind: "answer", answer: ok(this.timedOut()) };
  }

  /** What is left to say at the deadline. */
  timedOut(): WaitedResource {
    const evidence = { cursor: this.#cursorText(), evidence_lost: this.#watch.evidenceLost };
    const last = this.#watch.lastWord();
    if (last?.outcome === "exited") return { ...last, ...evidence };
    return { outcome: "timed_out", exit: null, retained: this.#watch.isListed, ...evidence };
  }

  #refuse(refusal: Refusal): Leg {
    return { kind: "answer", answer: fail(this.resumable(refusal)) };
  }

  /** A refusal that says where to go on, once that is known. */
  resumable(refusal: Refusal): Refusal {
    const cursor = this.#cursorText();
    return cursor === null ? refusal : { ...refusal, message: `${refusal.message} (go on with after ${cursor})` };
  }

  #cursorText(): string | null {
    const { cursor } = this;
    return cursor === null ? null : formatCursor(Uint8Array.fromHex(cursor.serverId), cursor.seq);
  }
}

function hasJournal(line: Connection): boolean {
  return hasFeature(line.server.capabilities, "event_journal");
}
