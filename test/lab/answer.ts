import type { CommandResult } from "../../src/wire/command.ts";
import { ErrorCode, type ErrorName } from "../../src/wire/error-code.ts";
import type { ResourceId } from "../../src/wire/identity.ts";

/** The three shapes of a command's answer. */
export const okay: CommandResult = { tag: "ok" };

export function json(text: string): CommandResult {
  return { tag: "ok_with", value: { tag: "json", json: text } };
}

export function refuse(code: ErrorName, message: string): CommandResult {
  return { tag: "error", code: ErrorCode[code], message };
}

/** Why a request that has no result of its own was not carried out: the content of an ERROR that answers it. */
export type Refused = { readonly code: number; readonly message: string };

export function refused(code: ErrorName, message: string): Refused {
  return { code: ErrorCode[code], message };
}

/** A resource id as 0.22 prints it in its messages. */
export function idText(id: ResourceId): string {
  return id.tag === "local" ? `Local { id: ${id.id} }` : `Satellite { host: "${id.host}", id: ${id.id} }`;
}

export function noSuchTerminal(id: ResourceId): CommandResult {
  return refuse("TERMINAL_NOT_FOUND", `no such terminal: ${idText(id)}`);
}

export function noRoute(host: string): string {
  return `no satellite route to SatelliteHost("${host}"): this server is not a federation hub for that host`;
}

export function local(id: number): ResourceId {
  return { tag: "local", id };
}

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
