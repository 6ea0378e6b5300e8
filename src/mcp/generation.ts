/**
 * The two generations of MCP on one connection. The first begins with `initialize` and says who the host is once; since
 * 2026-07-28 there is no beginning, and each request brings an envelope in `_meta` that says it again. Pure.
 */
import { errorCode, isObject, json, membersOf } from "./message.ts";

/** Older than what any host asks for, and accepted by all of them; never answer a newer one than was asked. */
export const HANDSHAKE_VERSION = "2024-11-05";
const ENVELOPE_VERSION = "2026-07-28";

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
const CLIENT_KEY = "io.modelcontextprotocol/clientInfo";
const SERVER_KEY = "io.modelcontextprotocol/serverInfo";

/** Who asks, as it names itself. */
export interface Host {
  readonly name: string;
  readonly version: string;
}

/** What the envelope of a request says; `refused` is an error to be answered. */
export type Envelope =
  | { readonly kind: "none" }
  | { readonly kind: "complete"; readonly host: Host | null }
  | { readonly kind: "refused"; readonly code: number; readonly message: string; readonly data: object };

/** Reads the envelope of a request. Without a version in it, it is a request of the first generation. */
export function envelopeOf(params: unknown): Envelope {
  const { _meta: meta } = membersOf(params);
  const { [VERSION_KEY]: version, [CAPABILITIES_KEY]: capabilities, [CLIENT_KEY]: client } = membersOf(meta);
  if (version === undefined) return { kind: "none" };
  if (version !== ENVELOPE_VERSION) {
    const message = `protocol version ${json(version).slice(0, 100)} is not served here, but ${ENVELOPE_VERSION} is`;
    const data = { supported: [ENVELOPE_VERSION], requested: version };
    return { kind: "refused", code: errorCode.unsupportedVersion, message, data };
  }
  if (!isObject(capabilities)) {
    const problem = capabilities === undefined ? "missing" : "no object";
    const message = `_meta["${CAPABILITIES_KEY}"] is ${problem}`;
    const data = { envelope: { key: CAPABILITIES_KEY, problem } };
    return { kind: "refused", code: errorCode.invalidParams, message, data };
  }
  return { kind: "complete", host: hostOf(client) };
}

/** The host that a `clientInfo` names, or null. */
export function hostOf(clientInfo: unknown): Host | null {
  const { name, version } = membersOf(clientInfo);
  return typeof name === "string" ? { name, version: typeof version === "string" ? version : "" } : null;
}

/** What the results of a generation carry behind their own members: JSON text that begins with a comma, or nothing. */
export interface Trailer {
  readonly result: string;
  /** For a result that a host may keep for a while: the list of tools. */
  readonly kept: string;
}

export const noTrailer: Trailer = { result: "", kept: "" };

/** The members that 2026-07-28 wants in every result of this server. */
export function envelopeTrailer(serverInfo: object): Trailer {
  const result = `,"resultType":"complete","_meta":${json({ [SERVER_KEY]: serverInfo })}`;
  // The same program started with other options lists other tools, so nothing is promised about the next minute.
  return { result, kept: `${result},"ttlMs":0,"cacheScope":"private"` };
}

/** The answer to `server/discover`, without its trailer and its closing brace. */
export function discovery(capabilities: object, instructions: string): string {
  return json({ supportedVersions: [ENVELOPE_VERSION], capabilities, instructions }).slice(0, -1);
}
