import { randomBytes } from "node:crypto";
import type { Command, CommandResult } from "../../src/wire/command.ts";
import { ApprovalOutcome, nameOf, TerminalSignal } from "../../src/wire/enums.ts";
import { ErrorCode } from "../../src/wire/error-code.ts";
import type { ActorRef, ResourceId } from "../../src/wire/identity.ts";
import { hex, refuse } from "./answer.ts";
import type { Call } from "./call.ts";
import type { Connection } from "./connection.ts";
import type { LabServer } from "./server.ts";

type Outcome = keyof typeof ApprovalOutcome;
/** What ended a hold: a decision, or that there is nothing left to decide about. */
type Ending = Outcome | "target_gone";

type Hold = {
  readonly requester: Connection;
  readonly subjects: readonly string[];
  readonly end: (ending: Ending, by?: ActorRef) => void;
};

const global = { tag: "global" } as const;
const recordPrefix = "phux.approval/v1/";
const decidePrefix = "phux.approval.decide/v1/";
const heldByOne = 64;
const heldByAll = 1_024;

/** Commands that wait for somebody else's consent (wire.md 16, 21.5). */
export class Approvals {
  readonly #server: LabServer;
  readonly #holds = new Map<string, Hold>();

  constructor(server: LabServer) {
    this.#server = server;
  }

  /** Whether the policy holds this command. What names nothing that is here is refused at once, as without a policy. */
  holds(command: Command): boolean {
    const { options, release } = this.#server;
    if (!release.features.includes("approvals") || !options.hold.includes(command.tag)) return false;
    return !("terminal_id" in command) || this.#isHere(command.terminal_id);
  }

  #isHere(id: ResourceId): boolean {
    return id.tag === "local" ? this.#server.hasResource(id.id) : this.#server.fleet.reaches(id.host);
  }

  /** Holds a command until it is decided, then runs it or refuses it, and answers. */
  async hold(call: Call, command: Command, run: () => Promise<CommandResult>): Promise<void> {
    const requester = call.connection;
    const own = [...this.#holds.values()].filter((hold) => hold.requester === requester).length;
    if (own >= heldByOne || this.#holds.size >= heldByAll) {
      return call.result(refuse("RESOURCE_EXHAUSTED", "too many actions wait for an approval"));
    }
    const ending = await this.#decision(requester, command);
    if (ending === "withdrawn") return;
    if (ending === "approved") return call.result(await run());
    const why = ending === "target_gone" ? "its target is gone" : `it was ${ending}`;
    await call.result(refuse("PERMISSION_DENIED", `the action did not run: ${why}`));
  }

  #decision(requester: Connection, command: Command): Promise<Ending> {
    const server = this.#server;
    const { promise, resolve } = Promise.withResolvers<Ending>();
    const id = new Uint8Array(randomBytes(16));
    const key = recordPrefix + hex(id);
    const targets = subjects(command);
    // The record goes with the decision, in one step: a read behind the write no longer finds it.
    const end = (ending: Ending, actor?: ActorRef) => {
      if (!this.#holds.delete(hex(id))) return;
      server.deleteMetadata(global, key);
      const outcome = ApprovalOutcome[ending === "target_gone" ? "withdrawn" : ending];
      server.hub.publish({ terminal: null, event: { tag: "approval_decided", id, outcome }, actor });
      resolve(ending);
    };
    this.#holds.set(hex(id), { requester, subjects: targets, end });
    server.writeMetadata(global, key, this.#record(requester, command, id, targets));
    server.hub.publish({ terminal: null, event: { tag: "approval_requested", id }, actor: requester.actor });
    server.after(server.options.holdMs, () => end("expired"));
    return promise;
  }

  #record(requester: Connection, command: Command, id: Uint8Array, targets: readonly string[]): Uint8Array {
    const now = Date.now();
    const record = {
      schema_version: 1,
      id: hex(id),
      requester: { client: requester.id, client_name: requester.clientName },
      method: command.tag,
      ...(command.tag === "SIGNAL_TERMINAL" ? { signal: nameOf(TerminalSignal, command.signal) } : {}),
      subjects: targets,
      requested_at_ms: now,
      expires_at_ms: now + this.#server.options.holdMs,
    };
    return new TextEncoder().encode(JSON.stringify(record));
  }

  /** A write to the decide key; the refusal of a bad one, or null. */
  decide(by: Connection, key: string, value: Uint8Array): { code: number; message: string } | null {
    const hold = this.#holds.get(key.slice(decidePrefix.length));
    const word = new TextDecoder().decode(value);
    const denied = (message: string) => ({ code: ErrorCode.PERMISSION_DENIED, message });
    if (!hold) return denied("no such approval is pending");
    if (hold.requester === by) return denied("a request is not decided by who made it");
    if (word !== "approve" && word !== "deny") return { code: ErrorCode.INVALID_COMMAND, message: "approve or deny" };
    hold.end(word === "approve" ? "approved" : "denied", by.actor);
    return null;
  }

  withdraw(requester: Connection): void {
    for (const hold of this.#holds.values()) if (hold.requester === requester) hold.end("withdrawn");
  }

  /** A resource has ended: what was to happen to it alone cannot happen any more. */
  targetGone(id: ResourceId): void {
    const gone = subjectOf(id);
    for (const hold of this.#holds.values()) if (hold.subjects.every((one) => one === gone)) hold.end("target_gone");
  }
}

function subjectOf(id: ResourceId): string {
  return id.tag === "satellite" ? `terminal:${id.host}/${id.id}` : `terminal:${id.id}`;
}

function subjects(command: Command): string[] {
  if ("terminal_id" in command) return [subjectOf(command.terminal_id)];
  if ("ids" in command) return command.ids.map(subjectOf);
  if ("session" in command && command.session !== null) return [`session:${command.session}`];
  return ["global"];
}
