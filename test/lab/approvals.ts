import { randomBytes } from "node:crypto";
import type { Command, CommandResult } from "../../src/wire/command.ts";
import { ApprovalOutcome, nameOf, TerminalSignal } from "../../src/wire/enums.ts";
import { ErrorCode } from "../../src/wire/error-code.ts";
import { hex, refuse } from "./answer.ts";
import type { Call } from "./call.ts";
import type { Connection } from "./connection.ts";
import type { LabServer } from "./server.ts";

type Hold = {
  readonly id: Uint8Array;
  readonly requester: Connection;
  readonly decided: (outcome: keyof typeof ApprovalOutcome) => void;
};

const global = { tag: "global" } as const;
const recordPrefix = "phux.approval/v1/";
const decidePrefix = "phux.approval.decide/v1/";

/** Commands that wait for somebody else's consent (wire.md 16, 21.5). */
export class Approvals {
  readonly #server: LabServer;
  readonly #holds = new Map<string, Hold>();

  constructor(server: LabServer) {
    this.#server = server;
  }

  /** Holds a command until it is decided, then runs it or refuses it, and answers. */
  async hold(call: Call, command: Command, run: () => Promise<CommandResult>): Promise<void> {
    const { hub, options } = this.#server;
    const id = new Uint8Array(randomBytes(16));
    const decision = Promise.withResolvers<keyof typeof ApprovalOutcome>();
    this.#holds.set(hex(id), { id, requester: call.connection, decided: decision.resolve });
    this.#server.writeMetadata(global, recordPrefix + hex(id), this.#record(call.connection, command, id));
    hub.publish({ terminal: null, event: { tag: "approval_requested", id }, actor: call.connection.actor });
    this.#server.after(options.holdMs, () => decision.resolve("expired"));
    const outcome = await decision.promise;
    this.#holds.delete(hex(id));
    this.#server.deleteMetadata(global, recordPrefix + hex(id));
    hub.publish({ terminal: null, event: { tag: "approval_decided", id, outcome: ApprovalOutcome[outcome] } });
    if (outcome === "withdrawn") return;
    await call.result(outcome === "approved" ? await run() : refuse("PERMISSION_DENIED", `the action was ${outcome}`));
  }

  #record(requester: Connection, command: Command, id: Uint8Array): Uint8Array {
    const now = Date.now();
    const record = {
      schema_version: 1,
      id: hex(id),
      requester: { client: requester.id, client_name: requester.clientName },
      method: command.tag,
      ...(command.tag === "SIGNAL_TERMINAL" ? { signal: nameOf(TerminalSignal, command.signal) } : {}),
      subjects: subjects(command),
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
    hold.decided(word === "approve" ? "approved" : "denied");
    return null;
  }

  withdraw(requester: Connection): void {
    for (const hold of this.#holds.values()) if (hold.requester === requester) hold.decided("withdrawn");
  }
}

function subjects(command: Command): string[] {
  const text = (id: { readonly tag: string; readonly id: number; readonly host?: string }) =>
    id.tag === "satellite" ? `terminal:${id.host}/${id.id}` : `terminal:${id.id}`;
  if ("terminal_id" in command) return [text(command.terminal_id)];
  if ("ids" in command) return command.ids.map(text);
  if ("session" in command && command.session !== null) return [`session:${command.session}`];
  return ["global"];
}
