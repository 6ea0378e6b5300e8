/**
 * The two generations of MCP on one connection. The first begins with `initialize` and says who the host is once; since
 * 2026-07-28 there is no beginning, and each request brings an envelope in `_meta` that says it again. Pure.
 */
import { quote } from "../text/clean.ts";
import { errorCode, isObject, json, membersOf, onOneLine } from "./message.ts";

/** Older than what any host asks for, and accepted by all of them; never answer a newer one than was asked. */
const OLDEST_VERSION = "2024-11-05";
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
    const asked = quote(typeof version === "string" ? version : json(version));
    const message = `protocol version ${asked} is not served here, but ${ENVELOPE_VERSION} is`;
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

/** How a server differs from the plain one towards hosts that begin with `initialize`. */
export interface Handshake {
  /** Revisions that may be agreed on: the one that was asked for when it is here, else the first. */
  readonly revisions?: readonly [string, ...string[]];
  /** What the `tools` capability says. */
  readonly tools?: { readonly listChanged: true };
  /** No other generation is served: an envelope is ignored, and there is no `server/discover`. */
  readonly alone?: true;
}

/** What a server says of itself. Texts are made when a host asks: it asks for half of them, and waits for the first. */
export class Introduction {
  readonly #server: { readonly name: string; readonly version: string };
  readonly #instructions: string;
  readonly #toolsJson: string;
  readonly #handshake: Handshake;
  #trailer: Trailer | null = null;

  constructor(name: string, version: string, instructions: string, toolsJson: string, handshake: Handshake) {
    this.#server = { name, version };
    this.#instructions = instructions;
    this.#toolsJson = toolsJson;
    this.#handshake = handshake;
  }

  /** The result of `initialize`. `asked`: the revision that the host asks for, not yet checked. */
  greeting(asked: unknown): string {
    const { revisions = [OLDEST_VERSION], tools = {} } = this.#handshake;
    return json({
      protocolVersion: revisions.find((revision) => revision === asked) ?? revisions[0],
      capabilities: { tools },
      serverInfo: this.#server,
      instructions: this.#instructions,
    });
  }

  /** The result of `server/discover`. */
  discovery(trailer: Trailer): string {
    const found = json({
      supportedVersions: [ENVELOPE_VERSION],
      capabilities: { tools: {} },
      instructions: this.#instructions,
    });
    return `${found.slice(0, -1)}${trailer.kept}}`;
  }

  /** The result of `tools/list`. */
  tools(trailer: Trailer): string {
    return `{"tools":${onOneLine(this.#toolsJson)}${trailer.kept}}`;
  }

  /** What 2026-07-28 wants in every result. */
  get trailer(): Trailer {
    if (this.#trailer === null) {
      const result = `,"resultType":"complete","_meta":${json({ [SERVER_KEY]: this.#server })}`;
      // The same program started with other options lists other tools, so nothing is promised about the next minute.
      this.#trailer = { result, kept: `${result},"ttlMs":0,"cacheScope":"private"` };
    }
    return this.#trailer;
  }
}
