import type { AgentEvent } from "../../src/wire/event.ts";
import type { ActorRef, ResourceId } from "../../src/wire/identity.ts";
import { scopeText } from "./metadata-map.ts";

/** An event as it happened: `terminal` null for one of the whole server. */
export type Happening = {
  readonly terminal: ResourceId | null;
  readonly event: AgentEvent;
  readonly actor?: ActorRef | undefined;
  readonly operationId?: Uint8Array | undefined;
};

export type EventValue = {
  terminal?: ResourceId;
  event: AgentEvent;
  seq?: bigint;
  ts_ms?: bigint;
  actor?: ActorRef;
  operation_id?: Uint8Array;
};

export type Subscriber = { event(value: EventValue): void };

/** `types` null is a SUBSCRIBE_EVENTS; a list, also an empty one, is a SUBSCRIBE_RESOURCE_EVENTS. */
type Subscription = {
  readonly terminal: ResourceId | null;
  readonly types: readonly number[] | null;
  readonly journalled: boolean;
};

/** Event types of the filtered subscription that have an event (wire.md 19.1). */
const typeNumbers: Readonly<Record<string, number>> = {
  command_started: 1,
  command_finished: 2,
  idle: 3,
  dirty: 5,
  cwd_changed: 6,
};

export type HubRules = {
  /** The two ways to subscribe deliver different sets, as on 0.8. */
  readonly eight: boolean;
  /** null: a server without a journal stamps nothing and replays nothing. */
  readonly journal: { readonly events: number } | null;
  readonly now: () => number;
};

const liveOnly = 2n ** 64n - 1n;

/** Who hears of what, and the journal of what was said (wire.md 19). */
export class EventHub {
  readonly #rules: HubRules;
  readonly #subscribers = new Map<Subscriber, Map<string, Subscription>>();
  readonly #journal: { value: EventValue; terminal: ResourceId | null }[] = [];
  #nextSeq = 1n;

  constructor(rules: HubRules) {
    this.#rules = rules;
  }

  /** The newest sequence number given, 0 before the first. */
  get head(): bigint {
    return this.#nextSeq - 1n;
  }

  subscribe(subscriber: Subscriber, terminal: ResourceId | null, afterSeq: bigint | undefined): void {
    const cursor = this.#rules.journal ? afterSeq : undefined;
    this.#add(subscriber, { terminal, types: null, journalled: cursor !== undefined });
    if (cursor !== undefined && cursor !== liveOnly) this.#replay(subscriber, terminal, cursor);
  }

  subscribeFiltered(subscriber: Subscriber, terminal: ResourceId, types: readonly number[]): void {
    this.#add(subscriber, { terminal, types, journalled: false });
  }

  unsubscribe(subscriber: Subscriber, terminal?: ResourceId): void {
    if (!terminal) this.#subscribers.delete(subscriber);
    else this.#subscribers.get(subscriber)?.delete(scopeText({ tag: "resource", id: terminal }));
  }

  #add(subscriber: Subscriber, subscription: Subscription): void {
    const scopes = this.#subscribers.get(subscriber) ?? new Map<string, Subscription>();
    const { terminal } = subscription;
    scopes.set(terminal ? scopeText({ tag: "resource", id: terminal }) : "all", subscription);
    this.#subscribers.set(subscriber, scopes);
  }

  publish(happening: Happening): void {
    const value = this.#stamped(happening);
    for (const [subscriber, scopes] of this.#subscribers) {
      if ([...scopes.values()].some((subscription) => this.#wants(subscription, happening))) subscriber.event(value);
    }
  }

  #stamped({ terminal, event, actor, operationId }: Happening): EventValue {
    const plain = { ...(terminal ? { terminal } : {}), event };
    if (!this.#rules.journal) return plain;
    const value: EventValue = {
      ...plain,
      seq: this.#nextSeq++,
      ts_ms: BigInt(this.#rules.now()),
      ...(actor ? { actor } : {}),
      ...(operationId ? { operation_id: operationId } : {}),
    };
    this.#journal.push({ value, terminal });
    if (this.#journal.length > this.#rules.journal.events) this.#journal.shift();
    return value;
  }

  #wants({ terminal, types, journalled }: Subscription, { terminal: from, event }: Happening): boolean {
    if (terminal && !(from && Bun.deepEquals(terminal, from))) return false;
    // Expiry and role changes are news only to those who follow the journal (wire.md 19.2).
    if (event.tag === "terminal_control" && event.action >= 9 && !journalled) return false;
    const { eight } = this.#rules;
    if (types === null) return !(eight && event.tag === "terminal_control");
    if (event.tag === "terminal_control") return true;
    const number = typeNumbers[event.tag];
    if (number === undefined) return !eight && types.length === 0;
    return types.length === 0 || types.includes(number);
  }

  #replay(subscriber: Subscriber, scope: ResourceId | null, cursor: bigint): void {
    const gap = (first: bigint, last: bigint) =>
      subscriber.event({ event: { tag: "journal_gap", first_missing: first, last_missing: last } });
    if (cursor > this.head) gap(1n, this.head);
    const oldest = this.#journal[0]?.value.seq ?? this.#nextSeq;
    if (cursor + 1n < oldest) gap(cursor + 1n, oldest - 1n);
    for (const { value, terminal } of this.#journal) {
      if (
        (value.seq ?? 0n) > cursor &&
        this.#wants({ terminal: scope, types: null, journalled: true }, { terminal, event: value.event })
      ) {
        subscriber.event(value);
      }
    }
  }
}
