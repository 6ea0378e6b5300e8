import { ErrorCode } from "../wire/error-code.ts";
import type { FrameOf, FrameValue, ResourceId } from "../wire/frame.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import { AGENT_KEY } from "./agent-record.ts";
import type { Connection } from "./connection.ts";
import type { Deadline } from "./deadline.ts";
import type { Refusal } from "./errors.ts";
import { formatResource } from "./selector.ts";
import { AgentHistory, eventItem, type WatchItem } from "./watch-item.ts";
import { fromWireError } from "./wire-error.ts";

/** What one watch holds at most, by items and by the characters of their JSON (client.md 7.5). */
const MAX_ITEMS = 100_000;
const MAX_CHARACTERS = 16 * 1024 * 1024;

/** Subscribes to a pane's events and to its agent record, or to the whole server's events (client.md 7.3). */
export function subscribe(connection: Connection, pane: ResourceId | null): void {
  connection.post({ name: "SUBSCRIBE_EVENTS", value: pane === null ? {} : { terminal: pane } });
  if (pane === null) return;
  connection.post({ name: "SUBSCRIBE_METADATA", value: { scope: { tag: "resource", id: pane }, key: AGENT_KEY } });
}

/**
 * Collects what the subscriptions of this connection bring, in order and unchanged, until `most` items are there, the
 * deadline has passed, the server leaves or the cap is reached. Any other end of the stream is a refusal.
 */
export async function collect(
  connection: Connection,
  pane: ResourceId | null,
  most: number,
  deadline: Deadline,
): Promise<Result<WatchItem[], Refusal>> {
  const history = new AgentHistory();
  const items: WatchItem[] = [];
  let characters = 0;
  while (items.length < Math.min(most, MAX_ITEMS) && characters < MAX_CHARACTERS && !deadline.hasPassed()) {
    const pushed = await connection.pushed.take(deadline.left());
    if (pushed === null && connection.pushed.isExhausted) return ended(connection, items);
    if (pushed?.name === "ERROR") {
      const refusal = refusedSubscription(pushed.value);
      if (refusal !== null) return fail(refusal);
      continue;
    }
    const item = pushed === null ? null : itemOf(pushed, pane, history);
    if (item === null) continue;
    items.push(item);
    characters += roughLength(item);
  }
  return ok(items);
}

/** Nothing more will come: the server left, or what it pushed went past the cap, which ends a watch in good order. */
function ended(connection: Connection, items: WatchItem[]): Result<WatchItem[], Refusal> {
  const failure = connection.lost("watching");
  return failure === null || failure.ending === "left" ? ok(items) : fail(failure.refusal);
}

/**
 * A subscription has no reply, so the refusal of one is an ERROR without a request. Others are notices: of a satellite
 * that is away, or of its metadata, which does not cross a hub (client.md 7.3).
 */
function refusedSubscription({ code, message }: FrameValue<"ERROR">): Refusal | null {
  return code === ErrorCode.PERMISSION_DENIED ? fromWireError(code, message, "watching") : null;
}

function itemOf(pushed: FrameOf<"EVENT" | "METADATA_CHANGED">, pane: ResourceId | null, history: AgentHistory) {
  return pushed.name === "EVENT" ? eventItem(pushed.value) : agentItem(pushed.value, pane, history);
}

function agentItem(change: FrameValue<"METADATA_CHANGED">, pane: ResourceId | null, history: AgentHistory) {
  if (pane === null || change.key !== AGENT_KEY || change.scope.tag !== "resource") return null;
  const terminal = formatResource(pane);
  return formatResource(change.scope.id) === terminal ? history.item(terminal, change.value) : null;
}

/** Only texts can be large; counting them is enough to keep a bound. */
function roughLength(item: WatchItem): number {
  let length = 100;
  for (const member of Object.values(item)) {
    if (typeof member === "string") length += member.length;
    else if (Array.isArray(member)) length += member.reduce<number>((sum, entry) => sum + String(entry).length, 0);
  }
  return length;
}
