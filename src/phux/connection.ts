import type {
  AnyFrame,
  Command,
  CommandValue,
  FrameValue,
  Scope,
  ServerCapabilities,
  SessionSnapshot,
  UnknownFrame,
} from "../wire/frame.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import { type ProtocolVersion, versionText } from "../wire/version.ts";
import { lostConnection, type RequestFailure, refused, strangeAnswer, unanswered } from "./request-failure.ts";
import type { FrameListener, FrameStream, StreamEnd } from "./socket.ts";

/** What HELLO_OK said, and where the server listens. */
export interface Server {
  readonly socket: string;
  readonly version: ProtocolVersion;
  readonly capabilities: ServerCapabilities;
  /** Opaque bytes in lowercase hex: another server process has another. */
  readonly id: string;
}

/** What one GET_STATE said, and which satellites did not answer before it. */
export interface StateView {
  readonly snapshot: SessionSnapshot;
  readonly notices: readonly string[];
}

/** A frame that a subscription brings. */
export type Pushed =
  | { readonly name: "EVENT"; readonly value: FrameValue<"EVENT"> }
  | { readonly name: "METADATA_CHANGED"; readonly value: FrameValue<"METADATA_CHANGED"> };

/** Milliseconds that one request may take (client.md 1.4). */
const REQUEST_MS = 30_000;
const PLACEMENT_MS = 60_000;

/** How many pushed frames wait for the caller; a reader that slow has lost the later ones anyway. */
const MAX_PUSHED = 100_000;

type Reply = Result<AnyFrame, RequestFailure>;
interface Outstanding {
  readonly what: string;
  settle(reply: Reply): void;
}

/**
 * One negotiated connection of one tool call: requests, each matched by its id, and the frames that subscriptions push
 * (client.md 1.2). Closing it, or an abort of the call, ends everything at once.
 */
export class Connection implements FrameListener {
  readonly server: Server;
  readonly #stream: FrameStream;
  readonly #signal: AbortSignal;
  readonly #outstanding = new Map<number, Outstanding>();
  /** Texts of errors that answer no request: part of the fleet is missing, or the reason of an end that follows. */
  readonly #notices: string[] = [];
  readonly #pushed: Pushed[] = [];
  #wake: (() => void) | null = null;
  #lastRequestId = 0;
  #farewell: number | null = null;
  #end: StreamEnd | null = null;

  constructor(stream: FrameStream, server: Server, signal: AbortSignal) {
    this.#stream = stream;
    this.server = server;
    this.#signal = signal;
    stream.listen(this);
    signal.addEventListener("abort", this.close, { once: true });
    if (signal.aborted) this.close();
  }

  /** Whether the server speaks 0.8, which has rules of its own (wire.md section 26). */
  get isOldest(): boolean {
    return this.server.version.major === 0 && this.server.version.minor === 8;
  }

  /** The version of layout documents that this server reads (client.md 8.2). */
  get layoutVersion(): 2 | 3 {
    return this.isOldest ? 2 : 3;
  }

  readonly close = (): void => {
    this.#signal.removeEventListener("abort", this.close);
    this.#stream.close();
  };

  /** Sends a command and gives its value; null for a plain OK. `ms` bounds the wait for the answer. */
  async command(command: Command, what: string, ms = REQUEST_MS): Promise<Result<CommandValue | null, RequestFailure>> {
    const reply = await this.#request((request_id) => ({ name: "COMMAND", value: { request_id, command } }), what, ms);
    if (!reply.ok) return reply;
    if (reply.value.name !== "COMMAND_RESULT") return fail(this.#strange(what));
    const result = reply.value.value.result;
    if (result.tag === "error") return fail(refused(result.code, result.message, what));
    return ok(result.tag === "ok" ? null : result.value);
  }

  /** A command whose value is a JSON text. */
  async json(command: Command, what: string, ms?: number): Promise<Result<string, RequestFailure>> {
    const value = await this.command(command, what, ms);
    if (!value.ok) return value;
    return value.value?.tag === "json" ? ok(value.value.json) : fail(this.#strange(what));
  }

  /** The server's whole state (wire.md section 10), with the notices of satellites that did not answer. */
  async state(): Promise<Result<StateView, RequestFailure>> {
    const heard = this.#notices.length;
    const what = "reading the server's state";
    const value = await this.command({ tag: "GET_STATE", scope: 0 }, what);
    if (!value.ok) return value;
    if (value.value?.tag !== "state") return fail(this.#strange(what));
    return ok({ snapshot: value.value.state, notices: this.#notices.slice(heard) });
  }

  /** The value under a metadata key; null when it is not set. */
  async metadata(scope: Scope, key: string): Promise<Result<Uint8Array | null, RequestFailure>> {
    const what = `reading ${key}`;
    const reply = await this.#request(
      (request_id) => ({ name: "GET_METADATA", value: { request_id, scope, key } }),
      what,
    );
    if (!reply.ok) return reply;
    if (reply.value.name !== "METADATA_VALUE") return fail(this.#strange(what));
    return ok(reply.value.value.value ?? null);
  }

  /**
   * Writes a metadata value and reads the key back on this connection: the server handles frames in order, so the answer
   * proves that the write was seen, and an ERROR for the write that comes first is its refusal (client.md 1.2).
   */
  async writeMetadata(
    scope: Scope,
    key: string,
    value: Uint8Array,
  ): Promise<Result<Uint8Array | null, RequestFailure>> {
    const request_id = ++this.#lastRequestId;
    const refusals: RequestFailure[] = [];
    this.#outstanding.set(request_id, {
      what: `writing ${key}`,
      settle: (reply) => reply.ok || reply.error.lost || refusals.push(reply.error),
    });
    this.#stream.send({ name: "SET_METADATA", value: { request_id, scope, key, value } });
    const readBack = await this.metadata(scope, key);
    this.#outstanding.delete(request_id);
    const refusal = refusals[0];
    return refusal === undefined ? readBack : fail(refusal);
  }

  /** Starts a resource (wire.md 15.1). */
  async spawn(
    request: Omit<FrameValue<"SPAWN_RESOURCE">, "request_id">,
  ): Promise<Result<FrameValue<"RESOURCE_SPAWNED">, RequestFailure>> {
    const what = "starting the pane";
    const reply = await this.#request(
      (request_id) => ({ name: "SPAWN_RESOURCE", value: { ...request, request_id } }),
      what,
      PLACEMENT_MS,
    );
    if (!reply.ok) return reply;
    return reply.value.name === "RESOURCE_SPAWNED" ? ok(reply.value.value) : fail(this.#strange(what));
  }

  /** Sends a frame that has no reply: a subscription. */
  post(frame: AnyFrame): void {
    this.#stream.send(frame);
  }

  /**
   * The next pushed frame in the order of arrival; null when `ms` passed first. Once the stream has ended and everything
   * before its end was taken, the failure: `orderly` when the server merely left.
   */
  async nextPushed(ms: number): Promise<Result<Pushed | null, RequestFailure & { readonly orderly: boolean }>> {
    if (this.#pushed.length === 0 && this.#end === null && ms > 0) await this.#wakeWithin(ms);
    const next = this.#pushed.shift();
    if (next !== undefined) return ok(next);
    if (this.#end === null) return ok(null);
    const failure = lostConnection(this.#end, "watching", this.#farewell, this.#notices.at(-1) ?? null);
    return fail({ ...failure, orderly: failure.refusal.code === "server_disconnected" });
  }

  frame(frame: AnyFrame | UnknownFrame): void {
    switch (frame.name) {
      case "EVENT":
      case "METADATA_CHANGED":
        if (this.#pushed.length < MAX_PUSHED) this.#pushed.push(frame);
        this.#wake?.();
        return;
      case "ERROR":
        this.#error(frame.value);
        return;
      case "DETACHED":
        this.#farewell = frame.value.reason ?? null;
        return;
      case "PING":
        // A 0.8 server ends the connection on any PONG, even on an answer (wire.md 5.4).
        if (!this.isOldest) this.#stream.send({ name: "PONG", value: { nonce: frame.value.nonce } });
        return;
      case "COMMAND_RESULT":
      case "METADATA_VALUE":
      case "METADATA_KEYS":
      case "RESOURCE_SPAWNED":
      case "RESOURCE_MOVED":
        this.#outstanding.get(frame.value.request_id ?? 0)?.settle(ok(frame));
        return;
      default:
      // Output of a pane this connection spawned, a bell, a frame of a later protocol: normal, and nobody's.
    }
  }

  ended(end: StreamEnd): void {
    this.#end = end;
    for (const { what, settle } of this.#outstanding.values()) settle(fail(this.#lost(end, what)));
    this.#outstanding.clear();
    this.#wake?.();
  }

  #error(error: FrameValue<"ERROR">): void {
    const asked = error.request_id === undefined ? undefined : this.#outstanding.get(error.request_id);
    if (asked === undefined) this.#notices.push(error.message);
    else asked.settle(fail(refused(error.code, error.message, asked.what)));
  }

  async #request(frame: (requestId: number) => AnyFrame, what: string, ms = REQUEST_MS): Promise<Reply> {
    if (this.#end !== null) return fail(this.#lost(this.#end, what));
    const requestId = ++this.#lastRequestId;
    const { promise, resolve } = Promise.withResolvers<Reply>();
    const timer = setTimeout(() => resolve(fail(unanswered(what, ms))), ms);
    this.#outstanding.set(requestId, { what, settle: resolve });
    this.#stream.send(frame(requestId));
    const reply = await promise;
    clearTimeout(timer);
    this.#outstanding.delete(requestId);
    return reply;
  }

  async #wakeWithin(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    // setTimeout counts in 32 bits: a longer wait is taken in pieces by the caller's loop.
    const timer = setTimeout(resolve, Math.min(ms, 0x7fffffff));
    this.#wake = resolve;
    await promise;
    this.#wake = null;
    clearTimeout(timer);
  }

  #lost(end: StreamEnd, what: string): RequestFailure {
    return lostConnection(end, what, this.#farewell, this.#notices.at(-1) ?? null);
  }

  #strange(what: string): RequestFailure {
    return strangeAnswer(what, versionText(this.server.version));
  }
}
