import type { CommandResult } from "../../src/wire/command.ts";
import { CloseReason, ResourceKind } from "../../src/wire/enums.ts";
import type { FrameValue } from "../../src/wire/frame.ts";
import type { ResourceId } from "../../src/wire/identity.ts";
import { limits } from "../../src/wire/limits.ts";
import type { SpawnError } from "../../src/wire/resource.ts";
import { parseRecords, stateAfter } from "./agent-record.ts";
import { local, okay, refuse } from "./answer.ts";
import type { Connection } from "./connection.ts";
import type { Cause } from "./pane.ts";
import type { LabServer } from "./server.ts";

/** A resource that is no terminal: what an agent in a pane says about itself, kept as records. */
export type AgentSession = {
  readonly id: number;
  readonly resource: ResourceId;
  readonly parent: number;
  readonly provider: string;
  readonly nativeId: string | null;
  /** The connection that opened it: nobody else may append. */
  readonly producer: Connection;
  readonly lines: { readonly seq: number; readonly line: string }[];
  nextSeq: number;
  state: string;
  finished: boolean;
};

const retainedBytes = 4 * 1024 * 1024;

/** SPAWN_RESOURCE of kind 1 (wire.md 15.1). */
export function openAgentSession(
  server: LabServer,
  producer: Connection,
  ask: FrameValue<"SPAWN_RESOURCE">,
): AgentSession | SpawnError {
  const broken = brokenRule(ask);
  if (broken) return { tag: "spawn_failed", message: broken };
  const { parent, provider = "", native_id = null } = ask;
  if (parent?.tag === "satellite") return { tag: "unsupported_satellite_route" };
  if (parent && server.agents.has(parent.id)) return { tag: "parent_kind_mismatch" };
  const terminal = parent && server.panes.get(parent.id);
  if (!terminal || terminal.retained) return { tag: "parent_not_found" };
  const id = server.store.newPaneId();
  const agent: AgentSession = {
    ...{ id, resource: local(id), parent: terminal.id, provider, nativeId: native_id, producer },
    ...{ lines: [], nextSeq: 1, state: "unknown", finished: false },
  };
  server.agents.set(id, agent);
  const event = { tag: "pane_spawned", kind: ResourceKind.agent_session, parent: terminal.resource } as const;
  server.hub.publish({ terminal: agent.resource, event, actor: producer.actor });
  return agent;
}

function brokenRule({ provider, native_id, ...ask }: FrameValue<"SPAWN_RESOURCE">): string | null {
  const forbidden = ["command", "cwd", "env", "term", "owner_terminal", "initial_size", "retain_secs"] as const;
  const found = forbidden.find((name) => ask[name] !== undefined);
  if (found) return `an agent session takes no ${found}`;
  if (!ask.parent) return "an agent session needs a parent";
  if (provider === undefined || !fits(provider, 120)) return "an agent session needs a provider";
  if (native_id !== undefined && (!fits(native_id, 1024) || native_id.startsWith("-"))) return "a bad native id";
  return null;
}

function fits(text: string, most: number): boolean {
  const bytes = Buffer.byteLength(text);
  return bytes >= 1 && bytes <= most && ![...text].some((character) => character < " " || character === "\x7f");
}

/** APPEND_RESOURCE_OUTPUT: all of the records or none. */
export function append(server: LabServer, agent: AgentSession, by: Connection, bytes: Uint8Array): CommandResult {
  if (agent.producer !== by && !server.options.openLogs) {
    return refuse("NOT_PRODUCER", "only the connection that opened the session appends to it");
  }
  if (bytes.length < 1 || bytes.length > limits.append_bytes) {
    return refuse("OVERFLOW", `an append is 1 to ${limits.append_bytes} bytes`);
  }
  const records = parseRecords(bytes);
  const ends = records?.findIndex(({ type }) => type === "session_end") ?? -1;
  const afterEnd = records !== null && ends >= 0 && ends < records.length - 1;
  if (!records || agent.finished || afterEnd) return refuse("RECORD_INVALID", "a record breaks the grammar");
  const lines = records.map(({ type, data }) => {
    const seq = agent.nextSeq++;
    return { seq, line: `${JSON.stringify({ seq, ts_ms: Date.now(), type, data })}\n` };
  });
  for (const record of records) {
    const state = stateAfter(record);
    if (state !== null) agent.state = state === "withdrawn" ? "unknown" : state;
    if (record.type === "session_end") agent.finished = true;
  }
  agent.lines.push(...lines);
  for (let held = size(agent); held > retainedBytes; held = size(agent)) agent.lines.shift();
  for (const connection of server.connections) feed(connection, agent, lines);
  stirParent(server, agent);
  return okay;
}

function size({ lines }: AgentSession): number {
  return lines.reduce((sum, { line }) => sum + line.length, 0);
}

function feed(connection: Connection, agent: AgentSession, lines: AgentSession["lines"]): void {
  const stream = connection.streams.get(agent.id);
  const last = lines.at(-1);
  if (!stream || !last) return;
  const ids = { terminal_id: agent.resource, stream_id: stream.id, bootstrap_id: stream.bootstrap };
  const bytes = new TextEncoder().encode(lines.map(({ line }) => line).join(""));
  connection.send({ name: "RESOURCE_OUTPUT", value: { ...ids, seq: BigInt(last.seq), bytes } });
}

/** The output stream of an agent session: what is retained, then what comes (wire.md 18.3). */
export function openAgentStream(connection: Connection, agent: AgentSession, id: number, attached: boolean): void {
  const stream = { id: BigInt(id), bootstrap: 1n, attached, waiting: null };
  connection.streams.set(agent.id, stream);
  const ids = { terminal_id: agent.resource, stream_id: stream.id, bootstrap_id: stream.bootstrap };
  const base_seq = BigInt(agent.nextSeq - 1);
  const codec = { tag: "agent_events_jsonl_v1" } as const;
  connection.send({ name: "BOOTSTRAP_BEGIN", value: { ...ids, codec, cols: 0, rows: 0, output_mode: 0, base_seq } });
  const payload = new TextEncoder().encode(agent.lines.map(({ line }) => line).join(""));
  if (payload.length > 0) connection.send({ name: "BOOTSTRAP_CHUNK", value: { ...ids, chunk_seq: 0, payload } });
  connection.send({ name: "BOOTSTRAP_READY", value: ids });
}

export function closeAgentSession(server: LabServer, agent: AgentSession, reason: number, cause: Cause = {}): void {
  if (!server.agents.delete(agent.id)) return;
  for (const connection of server.connections) {
    const stream = connection.streams.get(agent.id);
    connection.streams.delete(agent.id);
    if (stream?.attached) connection.send({ name: "RESOURCE_CLOSED", value: { terminal_id: agent.resource, reason } });
  }
  server.hub.publish({ terminal: agent.resource, event: { tag: "pane_closed", exit_status: null }, ...cause });
  server.metadata.dropScope({ tag: "resource", id: agent.resource });
  stirParent(server, agent);
}

/** What its agent says of itself is the best evidence for a pane's record. */
function stirParent(server: LabServer, { parent }: AgentSession): void {
  const pane = server.panes.get(parent);
  if (pane) server.detector.stir(pane);
}

export function closeChildren(server: LabServer, parent: number): void {
  for (const agent of [...server.agents.values()]) {
    if (agent.parent === parent) closeAgentSession(server, agent, CloseReason.parent_closed);
  }
}
