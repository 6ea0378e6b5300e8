import { hasFeature } from "../wire/capability.ts";
import type { Command } from "../wire/frame.ts";
import { fail, type Result } from "../wire/result.ts";
import type { Connection } from "./connection.ts";
import { refuse } from "./errors.ts";
import { type Redial, sendKeyed } from "./keyed.ts";
import type { RequestFailure } from "./request-failure.ts";
import { formatResource } from "./selector.ts";

/** The commands that a server may hold until a human has decided (client.md 4.0). */
export type HoldableCommand = Extract<
  Command,
  { tag: "KILL_RESOURCE" | "KILL_RESOURCES" | "SIGNAL_TERMINAL" | "DETACH_CLIENTS" }
>;

/** A request as an approval record describes it: its method, and what it acts on. */
export interface Asked {
  readonly method: string;
  readonly subjects: readonly string[];
}

/** A held request is answered at most 120 s later by default (wire.md section 16). */
const HELD_MS = 150_000;
const ANSWER_MS = 30_000;

/**
 * One dangerous thing that a call does, a request after another. While somebody waits for it, a lost connection is what it
 * always was; once the call has answered that it is pending, only the outcome counts, and a connection that ends then
 * leaves it open (client.md 4.28).
 */
export class Action {
  readonly #connection: Connection;
  readonly #redial: Redial;
  #asked: Asked | null = null;
  #left = false;

  constructor(connection: Connection, redial: Redial) {
    this.#connection = connection;
    this.#redial = redial;
  }

  /** The request that waits for its answer now. */
  get asked(): Asked | null {
    return this.#asked;
  }

  get socket(): string {
    return this.#connection.server.socket;
  }

  /** Whether this server holds anything at all. */
  get isHoldable(): boolean {
    return hasFeature(this.#connection.server.capabilities, "approvals");
  }

  /** Nobody waits for the answer any more: what was sent is never sent again, and a lost connection proves nothing. */
  leave(): void {
    this.#left = true;
  }

  /** Another connection to the same socket, while somebody waits; null when there is none. */
  async another(): Promise<Connection | null> {
    const again = await this.#again();
    return again.ok ? again.value : null;
  }

  /** Sends one command. With a key it is sent again when its answer is lost, while somebody waits for it. */
  async request(command: HoldableCommand, what: string): Promise<Result<string | null, RequestFailure>> {
    const limit = this.isHoldable ? HELD_MS : ANSWER_MS;
    const send = (connection: Connection) => connection.act(command, what, undefined, limit);
    const key = "operation_id" in command ? command.operation_id : undefined;
    const keyed = key === undefined ? null : { key, redial: () => this.#again() };
    this.#asked = askedOf(command);
    const { answer } = await sendKeyed(this.#connection, keyed, send);
    this.#asked = null;
    return !answer.ok && answer.error.ending !== null && this.#left ? fail(unknownOutcome(answer.error, what)) : answer;
  }

  async #again() {
    return this.#left ? fail(refuse("server_disconnected", "nobody waits for the answer any more")) : this.#redial();
  }
}

/** Neither an end of the server nor a refusal: a hold ends with its connection, an upgrade keeps every pane alive. */
function unknownOutcome(failure: RequestFailure, what: string): RequestFailure {
  const message = `the connection ended while ${what} was pending, so whether it happened is not known: ${failure.refusal.message}`;
  return { ...failure, refusal: refuse("server_disconnected", message, "read the state with phux_ls"), ending: null };
}

/** What an approval record says of a command: panes as selectors, else the session, else everything. */
function askedOf(command: HoldableCommand): Asked {
  return { method: command.tag, subjects: subjectsOf(command) };
}

function subjectsOf(command: HoldableCommand): readonly string[] {
  switch (command.tag) {
    case "KILL_RESOURCES":
      return command.ids.map(formatResource);
    case "DETACH_CLIENTS":
      return [command.session === null ? "global" : `session:${command.session}`];
    default:
      return [formatResource(command.terminal_id)];
  }
}
