import type { Connection } from "../../../src/phux/connection.ts";
import { formatResource } from "../../../src/phux/selector.ts";
import { hasFeature } from "../../../src/wire/capability.ts";
import { fail, ok, type Result } from "../../../src/wire/result.ts";
import { type Question, questionInTitle } from "../marks.ts";
import type { FoundPane } from "./agent-target.ts";
import { RecordStream } from "./record-stream.ts";
import type { CliRefusal } from "./refusal.ts";

const ASKED_KEY = "phux.agent.asked/v1";

/** The question that is open in a pane; "unreadable" when one is, and nobody can say which. */
export type LiveAsk = Question | "unreadable" | null;

/**
 * Finds the question that is open in a pane: one that was reported, else one in its title, else one that the records of
 * its agent end with. Afterwards `overtaken` tells whether another one came. On 0.8 nothing of this can be seen.
 */
export class AskFinder {
  readonly #connection: Connection;
  readonly #found: FoundPane;

  constructor(connection: Connection, found: FoundPane) {
    this.#connection = connection;
    this.#found = found;
  }

  async find(): Promise<Result<LiveAsk, CliRefusal>> {
    const { pane, inventory } = this.#found;
    const reported = await this.#reported();
    if (!reported.ok || (reported.value !== null && reported.value !== "unreadable")) return reported;
    const titled = questionInTitle(inventory.find(pane)?.title ?? "");
    if (titled !== null) return ok(titled);
    const streamed = await this.#streamed();
    return streamed.ok && streamed.value === null ? reported : streamed;
  }

  /** Whether the pane has asked anything since. */
  async overtaken(): Promise<boolean> {
    return (await this.#lastAsked()) !== null;
  }

  /** A key says that a question is open, and the journal of events what it was (wire.md sections 17 and 19.4). */
  async #reported(): Promise<Result<LiveAsk, CliRefusal>> {
    const { dialect, server } = this.#connection;
    // 0.8 lets anybody write the key, so it means nothing there.
    if (!dialect.screen_format) return ok(null);
    const journal = hasFeature(server.capabilities, "event_journal");
    const scope = { tag: "resource", id: this.#found.pane } as const;
    const cursor = journal ? { after_seq: 0n } : {};
    this.#connection.post({ name: "SUBSCRIBE_EVENTS", value: { terminal: this.#found.pane, ...cursor } });
    // The replay comes before this answer.
    const open = await this.#connection.metadata(scope, ASKED_KEY);
    if (!open.ok) return open.error.wireCode === null ? fail(open.error.refusal) : ok(null);
    const asked = await this.#lastAsked();
    return ok(open.value === null ? null : (asked ?? "unreadable"));
  }

  async #lastAsked(): Promise<Question | null> {
    const { pushed } = this.#connection;
    const terminal = formatResource(this.#found.pane);
    let asked: Question | null = null;
    for (let next = await pushed.take(0); next !== null; next = await pushed.take(0)) {
      if (next.name !== "EVENT" || next.value.event.tag !== "asked") continue;
      const { terminal: by, event } = next.value;
      if (by === undefined || formatResource(by) !== terminal) continue;
      asked = { id: event.id, question: event.question, suggestions: event.suggestion ?? [] };
    }
    return asked;
  }

  /** The records of an agent session that waits for an answer end with its question (wire.md 18.3). */
  async #streamed(): Promise<Result<LiveAsk, CliRefusal>> {
    const { pane, inventory } = this.#found;
    const session = inventory.agentSessionsOf(pane).find((id) => inventory.agentFacetOf(id)?.state === "blocked");
    if (session === undefined) return ok(null);
    const attached = await RecordStream.attach(this.#connection.server, session);
    if (!attached.ok) return attached;
    using stream = attached.value;
    const kept = await stream.kept();
    if (!kept.ok) return kept;
    const last = kept.value.at(-1);
    const { id, question, suggestions } = (last?.type === "ask" ? last.data : null) ?? {};
    if (typeof question !== "string") return ok(null);
    const words = Array.isArray(suggestions) ? suggestions.filter((one) => typeof one === "string") : [];
    return ok({ id: typeof id === "string" ? id : "", question, suggestions: words });
  }
}
