import { ResourceKind } from "../../src/wire/enums.ts";
import type { FrameValue } from "../../src/wire/frame.ts";
import type { SpawnError } from "../../src/wire/resource.ts";
import { openAgentSession, openAgentStream } from "./agent-session.ts";
import { local } from "./answer.ts";
import type { Call } from "./call.ts";
import { fingerprint } from "./keyed-results.ts";
import { type Pane, startPane } from "./pane.ts";
import type { LabServer } from "./server.ts";
import type { Window } from "./store.ts";
import { openStream } from "./streams.ts";

const defaultRetainSeconds = 600;
const agentSessionKey = "phux.agent-session/v1";

/** SPAWN_RESOURCE (wire.md 15.1): the reply, then on the same connection the output of the new pane. */
export async function spawn(server: LabServer, call: Call, ask: FrameValue<"SPAWN_RESOURCE">): Promise<void> {
  const { features } = server.release;
  const request_id = call.requestId;
  const instance = features.includes("conditional_kill") && ask.bind_instance ? { instance: server.instance } : {};
  const key = features.includes("spawn_idempotency") ? ask.idempotency_key : undefined;
  const print = fingerprint({ name: "SPAWN_RESOURCE", value: { ...ask, request_id: 0 } });
  const kept = key && server.spawnResults.recall(key, print);
  const fail = (error: SpawnError) =>
    call.reply({ name: "RESOURCE_SPAWNED", value: { request_id, result: { tag: "err", error } } });
  if (kept === "conflict") return fail({ tag: "idempotency_conflict" });
  if (kept) {
    const value = { request_id, result: { tag: "ok", id: local(kept) }, ...instance, replayed: true } as const;
    return call.reply({ name: "RESOURCE_SPAWNED", value });
  }
  const isAgent = features.includes("resource_kinds") && ask.kind === ResourceKind.agent_session;
  const made = isAgent ? openAgentSession(server, call.connection, ask) : make(server, call, ask);
  if ("tag" in made) return fail(made);
  if (key) server.spawnResults.keep(key, print, made.id);
  if ("terminal" in made) server.announce(made);
  const value = { request_id, result: { tag: "ok", id: made.resource }, ...instance } as const;
  await call.reply({ name: "RESOURCE_SPAWNED", value });
  if ("terminal" in made) await openStream(call.connection, made, request_id + 1, false);
  else openAgentStream(call.connection, made, request_id + 1, false);
}

function make(server: LabServer, call: Call, ask: FrameValue<"SPAWN_RESOURCE">): Pane | SpawnError {
  const failed = (message: string): SpawnError => ({ tag: "spawn_failed", message });
  if ((ask.group ?? 0) !== 1) return { tag: "group_not_found" };
  if (ask.satellite !== undefined) return { tag: "unsupported_satellite_route" };
  if (!server.release.eight && (ask.kind ?? 0) !== ResourceKind.terminal) return { tag: "unsupported_kind" };
  const window = ask.owner_terminal ? ownerWindow(server, ask.owner_terminal) : focusWindow(server);
  if (!window) {
    const owner = "owner terminal was not found on this server";
    return failed(ask.owner_terminal ? owner : "server has no session to host the spawned pane");
  }
  const started = startPane(server, {
    command: ask.command ? [...ask.command] : undefined,
    cwd: ask.cwd,
    env: ask.env ?? [],
    term: ask.term,
    size: ask.initial_size,
    retainMs: retainMs(server, ask.retain_secs),
    spawnedBy: call.connection.id,
  });
  if (!started.ok) return failed(started.error);
  const pane = started.value;
  window.panes.push(pane.id);
  if (ask.agent_session) {
    server.writeMetadata({ tag: "resource", id: pane.resource }, agentSessionKey, ask.agent_session);
  }
  return pane;
}

function retainMs(server: LabServer, seconds: number | undefined): number | null {
  if (seconds === undefined || !server.release.features.includes("retain_on_exit")) return null;
  return (seconds || defaultRetainSeconds) * 1000;
}

function ownerWindow(server: LabServer, owner: { readonly tag: string; readonly id: number }): Window | undefined {
  return owner.tag === "local" ? server.store.windowOf(owner.id) : undefined;
}

function focusWindow({ store }: LabServer): Window | undefined {
  const { focus } = store;
  return focus && (store.windowsOf(focus)[0] ?? store.createWindow(focus));
}
