import { AGENT_KEY } from "../../src/phux/agent-record.ts";
import { ErrorCode } from "../../src/wire/error-code.ts";
import type { FrameOf, FrameValue } from "../../src/wire/frame.ts";
import type { Scope } from "../../src/wire/identity.ts";
import { limits } from "../../src/wire/limits.ts";
import { noRoute } from "./answer.ts";
import type { Call } from "./call.ts";
import type { Connection } from "./connection.ts";
import { scopeText } from "./metadata-map.ts";
import type { Pane } from "./pane.ts";
import type { LabServer } from "./server.ts";
import { clearKeepEmpty, createdPrefix, createSession, renameSession } from "./session-keys.ts";
import { whoami } from "./whoami.ts";

type MetadataFrame = FrameOf<
  "GET_METADATA" | "SET_METADATA" | "DELETE_METADATA" | "LIST_METADATA" | "SUBSCRIBE_METADATA"
>;

/** The metadata frames (wire.md 20) and the keys that are more than storage (wire.md 21). */
export function serveMetadata(server: LabServer, call: Call, frame: MetadataFrame): Promise<void> {
  const request_id = call.requestId;
  switch (frame.name) {
    case "GET_METADATA": {
      const value = read(server, call, frame.value.scope, frame.value.key);
      return call.reply({ name: "METADATA_VALUE", value: { request_id, ...(value ? { value } : {}) } });
    }
    case "LIST_METADATA": {
      const keys = list(server, frame.value.scope);
      return call.reply({ name: "METADATA_KEYS", value: { request_id, keys } });
    }
    case "SET_METADATA":
      return server.faults.silentSet ? Promise.resolve() : set(server, call, frame.value);
    case "DELETE_METADATA":
      if (writable(server, frame.value.scope, frame.value.key)) {
        server.deleteMetadata(frame.value.scope, frame.value.key, call.connection.actor);
        tellDetector(server, frame.value);
      }
      return Promise.resolve();
    case "SUBSCRIBE_METADATA":
      return Promise.resolve(follow(server, call.connection, frame.value));
  }
}

const occupantKey = "phux.pane-occupant/v1";

function paneOf(server: LabServer, scope: Scope): Pane | undefined {
  return scope.tag === "resource" && scope.id.tag === "local" ? server.panes.get(scope.id.id) : undefined;
}

function occupant(server: LabServer, scope: Scope) {
  return paneOf(server, scope)?.activity.occupant ?? null;
}

function read(server: LabServer, call: Call, scope: Scope, key: string): Uint8Array | undefined {
  const text = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
  if (key === occupantKey) {
    const found = occupant(server, scope);
    return found ? text(found) : undefined;
  }
  if (scope.tag === "global" && key.startsWith(`${createdPrefix}/`)) {
    const token = key.slice(createdPrefix.length + 1);
    const { createResults } = call.connection;
    const result = createResults.get(token);
    createResults.delete(token);
    return result;
  }
  if (scope.tag === "global" && key === "phux.whoami/v1" && server.release.features.includes("whoami")) {
    return text(whoami(server));
  }
  if (scope.tag !== "global") return server.metadata.get(scope, key);
  server.designedKeys.sweep();
  return server.designedKeys.receipt(call, key) ?? server.metadata.get(scope, key);
}

function list(server: LabServer, scope: Scope): string[] {
  server.designedKeys.sweep();
  const keys = server.metadata.keys(scope);
  return occupant(server, scope) ? [...keys, occupantKey].sort() : keys;
}

/** Keys that the server alone writes; a client's write to one is ignored. */
function ownedByServer(server: LabServer, key: string): boolean {
  if (key === occupantKey || key.startsWith(createdPrefix)) return true;
  if (server.release.eight) return false;
  if (server.designedKeys.owns(key)) return true;
  return key === "phux.agent.asked/v1" || key === "phux.whoami/v1" || key.startsWith("phux.approval/v1/");
}

function writable(server: LabServer, scope: Scope, key: string): boolean {
  if (ownedByServer(server, key)) return false;
  if (scope.tag !== "resource") return true;
  return scope.id.tag === "local" && server.hasResource(scope.id.id);
}

function set(server: LabServer, call: Call, { scope, key, value }: FrameValue<"SET_METADATA">): Promise<void> {
  const { connection } = call;
  const bytes = value ?? new Uint8Array();
  if (scope.tag === "global") {
    if (key === "phux.session.create/v1") return Promise.resolve(createSession(server, connection, bytes));
    if (key === "phux.session.name/v1") return Promise.resolve(renameSession(server, connection, bytes));
    if (!server.release.eight && key === "phux.session.keep_empty/v1") {
      return Promise.resolve(clearKeepEmpty(server, bytes));
    }
    if (!server.release.eight && key.startsWith("phux.approval.decide/v1/")) {
      const refused = server.approvals.decide(connection, key, bytes);
      return refused ? call.refuse(refused) : Promise.resolve();
    }
    const done = server.designedKeys.intercept(call, key, bytes);
    if (done) return done;
  }
  if (writable(server, scope, key)) {
    server.writeMetadata(scope, key, bytes, connection.actor);
    tellDetector(server, { scope, key });
  }
  return Promise.resolve();
}

/** A client's word about an agent outranks what is seen of it (wire.md 21.2). */
function tellDetector(server: LabServer, { scope, key }: { readonly scope: Scope; readonly key: string }): void {
  const pane = paneOf(server, scope);
  if (pane && key === AGENT_KEY) server.detector.recordWritten(pane);
}

function follow(server: LabServer, connection: Connection, { scope, key }: FrameValue<"SUBSCRIBE_METADATA">): void {
  if (scope.tag === "resource" && scope.id.tag === "satellite" && !server.fleet.reaches(scope.id.host)) {
    const code = ErrorCode.UNSUPPORTED_SATELLITE_ROUTE;
    connection.send({ name: "ERROR", value: { code, message: noRoute(scope.id.host) } });
    return;
  }
  const { metadataSubscriptions } = connection;
  // One more than the bound is silently not installed.
  if (metadataSubscriptions.size < limits.metadata_subscriptions_per_connection) {
    metadataSubscriptions.add(`${scopeText(scope)} ${key}`);
  }
}
