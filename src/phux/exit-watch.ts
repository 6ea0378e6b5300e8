import { Lifecycle } from "../wire/enums.ts";
import type { FrameValue, ResourceId } from "../wire/frame.ts";
import type { StateView } from "./connection.ts";
import { Inventory } from "./inventory.ts";
import { formatResource } from "./selector.ts";

/** How a resource ended, as far as it was learned: what nobody said is null, never guessed. */
export interface LearnedExit {
  readonly status: number | null;
  readonly signal: number | null;
  readonly reason: string | null;
  /** Unix milliseconds. */
  readonly exited_at_ms: bigint | null;
}

/** What is certain about a resource now. `unclear` is an absence in a view that misses part of the fleet. */
export type Verdict =
  | { readonly outcome: "exited"; readonly exit: LearnedExit; readonly retained: boolean }
  | { readonly outcome: "gone" }
  | { readonly outcome: "unclear" };

/** What a frame asks of whoever reads: nothing, a new look at the state, or a new connection that replays what is missing. */
export type Step = "go on" | "reread" | "reconnect";

/** The `after_seq` of a subscription that wants no replay, but the journal's rules. */
export const NO_REPLAY = 2n ** 64n - 1n;

const UNKNOWN: LearnedExit = { status: null, signal: null, reason: null, exited_at_ms: null };

/**
 * Watches one resource for its end, as a subscription and the states read behind it tell (client.md 4.18). It decides,
 * and does nothing: whoever reads the connection feeds it, state before the events that came with it.
 */
export class ExitWatch {
  readonly #id: ResourceId;
  readonly #name: string;
  /** Everything up to this number was seen, in the journal of one server; null without a journal. */
  #covered: bigint | null = null;
  /** The subscription began in the past, and what happened since then is still coming. */
  #replaying = false;
  #head: bigint | null = null;
  #view: { readonly inventory: Inventory; readonly degraded: boolean } | null = null;
  #seen: LearnedExit | null = null;
  #closed = false;
  /** Events were lost, and an exit may have been among them. */
  evidenceLost = false;

  constructor(id: ResourceId) {
    this.#id = id;
    this.#name = formatResource(id);
  }

  /** The last sequence number up to which nothing is missing; null without a journal. */
  get covered(): bigint | null {
    return this.#covered;
  }

  /** A state was read: whether the resource is there is known. */
  get hasLooked(): boolean {
    return this.#view !== null;
  }

  /** The resource is not there, and the replay that may tell how it ended is not over. */
  get isUncertain(): boolean {
    return this.#replaying && this.#view?.inventory.find(this.#id) === null;
  }

  /** A subscription begins: with what came after `cursor`, or with null at what comes from now on. */
  begin(cursor: bigint | null): void {
    this.#covered = cursor;
    this.#replaying = cursor !== null;
    this.#head = null;
  }

  /** A state that was read after the subscription. The events that came before its answer follow now. */
  look({ snapshot, notices }: StateView): void {
    this.#view = { inventory: new Inventory(snapshot), degraded: notices.length > 0 };
    this.#head = snapshot.extensions?.journal_head ?? null;
  }

  /** Every event that came before the state's answer was taken: a live subscription has now seen all up to its head. */
  caughtUp(): void {
    if (this.#head === null) return;
    if (!this.#replaying) this.#covered = later(this.#covered, this.#head);
    else if (this.#covered !== null && this.#covered >= this.#head) this.#replaying = false;
  }

  take({ terminal, event, seq, ts_ms }: FrameValue<"EVENT">): Step {
    if (event.tag === "journal_gap") return this.#gap(event.last_missing);
    if (seq !== undefined) this.#cover(seq);
    const ours = terminal === undefined ? event.tag === "source_gap" : formatResource(terminal) === this.#name;
    if (!ours) return "go on";
    const at = { exited_at_ms: ts_ms ?? this.#seen?.exited_at_ms ?? null };
    switch (event.tag) {
      case "pane_closed":
        this.#closed = true;
        this.#seen = { ...UNKNOWN, ...at, ...this.#seen, status: event.exit_status ?? this.#seen?.status ?? null };
        return "go on";
      case "terminal_control":
        if (event.lifecycle !== Lifecycle.exited) return "go on";
        this.#seen ??= { ...UNKNOWN, ...at, status: event.exit_status };
        return "reread";
      case "source_gap":
        return "reread";
      default:
        return "go on";
    }
  }

  /** What can be said now, or null when it takes more reading. */
  verdict(): Verdict | null {
    if (this.#closed) return this.#exited(false);
    if (this.#view === null) return null;
    const { inventory, degraded } = this.#view;
    if (inventory.find(this.#id) !== null) {
      return inventory.lifecycleOf(this.#id) === "exited" ? this.#exited(true) : null;
    }
    if (this.#seen !== null) return this.#exited(false);
    if (degraded) return { outcome: "unclear" };
    return this.#replaying ? null : { outcome: "gone" };
  }

  /** What can be said when no time is left: an exit that was seen, if only its facts did not arrive; else null. */
  lastWord(): Verdict | null {
    return this.#seen === null ? null : this.#exited(this.isListed);
  }

  /** Whether the server listed the resource when it was last asked. */
  get isListed(): boolean {
    return this.#view !== null && this.#view.inventory.find(this.#id) !== null;
  }

  #exited(retained: boolean): Verdict {
    const facet = retained ? this.#view?.inventory.exitOf(this.#id) : null;
    if (!facet) return { outcome: "exited", exit: this.#seen ?? UNKNOWN, retained };
    const { status, signal, reason, exited_at_ms } = facet;
    return { outcome: "exited", exit: { status, signal, reason, exited_at_ms }, retained };
  }

  #cover(seq: bigint): void {
    this.#covered = later(this.#covered, seq);
    if (this.#replaying && this.#head !== null && this.#covered >= this.#head) this.#replaying = false;
  }

  // In a replay the server says once what it can no longer tell; live, a new replay may still bring it.
  #gap(last: bigint): Step {
    if (!this.#replaying) return "reconnect";
    this.evidenceLost = true;
    // Also when it is below: then the cursor was no number of this server, and is void (wire.md 19.4).
    this.#covered = last;
    this.#cover(last);
    return "go on";
  }
}

function later(a: bigint | null, b: bigint): bigint {
  return a === null || b > a ? b : a;
}
