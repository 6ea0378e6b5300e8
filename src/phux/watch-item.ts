import { ApprovalOutcome, ControlAction, Lifecycle, nameOf, ResourceKind } from "../wire/enums.ts";
import type { AgentEvent, FrameValue } from "../wire/frame.ts";
import { type AgentRecord, effectiveAttention, parseAgentRecord } from "./agent-record.ts";
import { formatResource } from "./selector.ts";

export type WatchItem = Readonly<Record<string, unknown>>;

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

/** The payload of an event, its members in the order of client.md 7.4. */
function payload(event: AgentEvent): WatchItem {
  switch (event.tag) {
    case "command_finished":
      return { exit_code: event.exit_code };
    case "title_changed":
      return { title: event.title };
    case "pane_spawned":
      return {
        kind: nameOf(ResourceKind, event.kind ?? ResourceKind.terminal) ?? "unknown",
        parent: event.parent === undefined ? null : formatResource(event.parent),
      };
    case "pane_closed":
      return { exit_status: event.exit_status };
    case "asked":
      return {
        id: event.id,
        question: event.question,
        suggestions: event.suggestion ?? [],
        elapsed_seconds: event.elapsed_seconds ?? null,
      };
    case "terminal_control":
      return {
        lifecycle: nameOf(Lifecycle, event.lifecycle),
        action: nameOf(ControlAction, event.action),
        exit_status: event.exit_status,
        input_holder: event.input_holder,
        actor_client: event.actor,
      };
    case "cwd_changed":
      return { cwd: event.cwd };
    case "journal_gap":
      return { first_missing: event.first_missing, last_missing: event.last_missing };
    case "source_gap":
      return { dropped: event.dropped };
    case "approval_requested":
      return { id: hex(event.id) };
    case "approval_decided":
      return { id: hex(event.id), outcome: nameOf(ApprovalOutcome, event.outcome) };
    case "unknown":
      return { tag: event.raw_tag };
    default:
      return {};
  }
}

/** An EVENT frame as an item of phux_watch. */
export function eventItem({ terminal, event, seq, ts_ms, actor }: FrameValue<"EVENT">): WatchItem {
  return {
    event: event.tag,
    ...(terminal && { terminal: formatResource(terminal) }),
    ...payload(event),
    ...(seq !== undefined && { seq }),
    ...(ts_ms !== undefined && { ts_ms }),
    ...(actor && {
      actor: { client: actor.client, credential_id: actor.credential_id, client_name: actor.client_name },
    }),
  };
}

/**
 * Agent records as a watch saw them change. What an item says of the past is only what this call saw; a record that
 * went away is forgotten, so a second deletion says nothing of it.
 */
export class AgentHistory {
  readonly #seen = new Map<string, AgentRecord>();

  /** The item for a changed record of `terminal`; `value` undefined for a deletion. */
  item(terminal: string, value: Uint8Array | undefined): WatchItem {
    const before = this.#seen.get(terminal);
    const now = value === undefined ? null : parseAgentRecord(value);
    if (now === null) this.#seen.delete(terminal);
    else this.#seen.set(terminal, now);
    const name = now?.name ?? before?.name;
    const kind = now?.kind ?? before?.kind;
    return {
      event: "agent_state",
      terminal,
      ...(name !== undefined && { name }),
      ...(kind !== undefined && { kind }),
      state: now?.state ?? null,
      ...(now !== null && { attention: effectiveAttention(now) }),
      ...(now?.session !== undefined && { session: now.session }),
      ...(before !== undefined && { from: before.state }),
    };
  }
}
