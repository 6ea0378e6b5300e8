import type {
  AnyFrame,
  Command,
  CommandValue,
  FrameValue,
  MoveResult,
  ResourceId,
  Scope,
  ServerCapabilities,
  SessionSnapshot,
  UnknownFrame,
} from "../wire/frame.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import { type Dialect, dialectOf, type ProtocolVersion, versionText } from "../wire/version.ts";
import { Deadline } from "./deadline.ts";
import { PushedFrames } from "./pushed-frames.ts";
import {
  type LastWords,
  lostConnection,
  type RequestFailure,
  refused,
  strangeAnswer,
  unanswered,
} from "./request-failure.ts";
import { formatResource } from "./selector.ts";
import type { FrameListener, FrameStream, StreamEnd } from "./socket.ts";

/** What HELLO_OK said, and where the server listens. */
export interface Server {
  readonly socket: string;
  /** The server's own triple; major and minor are those that we offered, and both sides speak. */
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

/** What became of a metadata write, and of the read that followed it. */
export interface MetadataWrite {
  readonly refusal: RequestFailure | null;
  readonly readBack: Result<Uint8Array | null, RequestFailure>;
}

/** Milliseconds that one request may take (client.md 1.4). */
const REQUEST_MS = 30_000;
const PLACEMENT_MS = 60_000;

/** A fleet has few hosts; more notices than this say nothing new. */
const MOST_NOTICES = 1_000;

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
  /** Frames that answer no request, in the order of arrival. */
  readonly pushed = new PushedFrames();
  /** Aborted when the call ends. */
  readonly signal: AbortSignal;
  readonly #stream: FrameStream;
  readonly #deadline: Deadline;
  readonly #outstanding = new Map<number, Outstanding>();
  /** Texts of errors that answer no request, since the last GET_STATE was sent: parts of the fleet that are missing. */
  #notices: string[] = [];
  #words: LastWords = { reason: null, text: null, complaint: false };
  #lastRequestId = 0;
  #end: StreamEnd | null = null;

  /** `deadline` bounds every request that brings no limit of its own. */
  constructor(
    stream: FrameStream,
    server: Server,
    signal: AbortSignal,
    deadline = new Deadline(Number.POSITIVE_INFINITY, signal),
  ) {
    this.#stream = stream;
    this.server = server;
    this.signal = signal;
    this.#deadline = deadline;
    signal.addEventListener("abort", this.close, { once: true });
    stream.listen(this);
    if (signal.aborted) this.close();
  }

  /** What this server's version does in its own way (wire.md section 26). */
  get dialect(): Dialect {
    return dialectOf(this.server.version);
  }

  /** What has been said since the last GET_STATE was sent that answers no request: parts of the fleet are missing. */
  get notices(): readonly string[] {
    return [...this.#notices];
  }

  readonly close = (): void => {
    this.#stream.close();
  };

  /**
   * Sends a command and gives its value; null for a plain OK. `ms` bounds the wait for the answer, and where it is left
   * out the call's own limit does; `most` is the limit of this kind of request.
   */
  async command(
    command: Command,
    what: string,
    ms?: number,
    most = REQUEST_MS,
  ): Promise<Result<CommandValue | null, RequestFailure>> {
    const frame = (request_id: number) => ({ name: "COMMAND", value: { request_id, command } }) as const;
    const reply = await this.#request(frame, what, ms, most);
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
  async state(ms?: number): Promise<Result<StateView, RequestFailure>> {
    this.#notices = [];
    const what = "reading the server's state";
    const value = await this.command({ tag: "GET_STATE", scope: 0 }, what, ms);
    if (!value.ok) return value;
    if (value.value?.tag !== "state") return fail(this.#strange(what));
    return ok({ snapshot: value.value.state, notices: this.notices });
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

  /** The keys of a metadata scope, sorted. */
  async metadataKeys(scope: Scope): Promise<Result<readonly string[], RequestFailure>> {
    const what = "listing the metadata keys";
    const reply = await this.#request((request_id) => ({ name: "LIST_METADATA", value: { request_id, scope } }), what);
    if (!reply.ok) return reply;
    return reply.value.name === "METADATA_KEYS" ? ok(reply.value.value.keys ?? []) : fail(this.#strange(what));
  }

  /** Writes a metadata value and reads the key back; a refusal of either is the failure. `pauseMs` as below. */
  async writeMetadata(
    scope: Scope,
    key: string,
    value: Uint8Array,
    pauseMs = 0,
  ): Promise<Result<Uint8Array | null, RequestFailure>> {
    const { refusal, readBack } = await this.writeThenRead(scope, key, value, key, pauseMs);
    return refusal === null ? readBack : fail(refusal);
  }

  /**
   * Writes a metadata value and reads `readKey` on this connection: the server handles frames in order, so the answer
   * proves that the write was seen, and an ERROR for the write that comes first is its `refusal` (client.md 1.2). Between
   * the two `pauseMs` are waited, for who wants to see whether somebody writes at the same time.
   */
  async writeThenRead(
    scope: Scope,
    key: string,
    value: Uint8Array,
    readKey: string,
    pauseMs = 0,
  ): Promise<MetadataWrite> {
    const write = (request_id: number) => ({ name: "SET_METADATA", value: { request_id, scope, key, value } }) as const;
    const [refusal, readBack] = await this.prove(write, `writing ${key}`, async () => {
      if (pauseMs > 0) await this.#deadline.pause(pauseMs);
      return this.metadata(scope, readKey);
    });
    return { refusal, readBack };
  }

  /** Deletes a metadata key and reads it back: null when it is gone. */
  async deleteMetadata(scope: Scope, key: string): Promise<Result<Uint8Array | null, RequestFailure>> {
    const deletion = (request_id: number) => ({ name: "DELETE_METADATA", value: { request_id, scope, key } }) as const;
    const [refusal, readBack] = await this.prove(deletion, `deleting ${key}`, () => this.metadata(scope, key));
    return refusal === null ? readBack : fail(refusal);
  }

  /**
   * Sends what has no reply of its own, then asks `question`, whose answer proves that it was seen. The first of the two
   * is the refusal that came before the answer.
   */
  async prove<T>(
    frame: (requestId: number) => AnyFrame,
    what: string,
    question: () => Promise<T>,
  ): Promise<readonly [RequestFailure | null, T]> {
    const requestId = ++this.#lastRequestId;
    const refusals: RequestFailure[] = [];
    const settle = (reply: Reply) => reply.ok || reply.error.lost || refusals.push(reply.error);
    this.#outstanding.set(requestId, { what, settle });
    this.#stream.send(frame(requestId));
    const answer = await question();
    this.#outstanding.delete(requestId);
    return [refusals[0] ?? null, answer];
  }

  /** Moves a local pane into the window of another (wire.md 15.2). Only where `move_resource` is advertised. */
  async move(terminal: ResourceId, owner_terminal: ResourceId): Promise<Result<MoveResult, RequestFailure>> {
    const what = `moving ${formatResource(terminal)}`;
    const frame = (request_id: number) =>
      ({ name: "MOVE_RESOURCE", value: { request_id, terminal, owner_terminal } }) as const;
    const reply = await this.#request(frame, what, undefined, PLACEMENT_MS);
    if (!reply.ok) return reply;
    return reply.value.name === "RESOURCE_MOVED" ? ok(reply.value.value.result) : fail(this.#strange(what));
  }

  /** Starts a resource (wire.md 15.1). */
  async spawn(
    request: Omit<FrameValue<"SPAWN_RESOURCE">, "request_id">,
  ): Promise<Result<FrameValue<"RESOURCE_SPAWNED">, RequestFailure>> {
    const what = "starting the pane";
    const reply = await this.#request(
      (request_id) => ({ name: "SPAWN_RESOURCE", value: { ...request, request_id } }),
      what,
      undefined,
      PLACEMENT_MS,
    );
    if (!reply.ok) return reply;
    return reply.value.name === "RESOURCE_SPAWNED" ? ok(reply.value.value) : fail(this.#strange(what));
  }

  /** Sends a frame that has no reply: a subscription. */
  post(frame: AnyFrame): void {
    this.#stream.send(frame);
  }

  /** Why nothing more will come, as the failure of `what`; null while the stream stands. */
  lost(what: string): RequestFailure | null {
    return this.#end === null ? null : lostConnection(this.#end, what, this.#words);
  }

  frame(frame: AnyFrame | UnknownFrame, bytes: number): void {
    this.#remember(frame);
    switch (frame.name) {
      case "EVENT":
      case "METADATA_CHANGED":
        this.pushed.push(frame, bytes);
        return;
      case "ERROR":
        if (frame.value.request_id !== undefined) {
          const asked = this.#outstanding.get(frame.value.request_id);
          asked?.settle(fail(refused(frame.value.code, frame.value.message, asked.what)));
          return;
        }
        if (this.#notices.length < MOST_NOTICES) this.#notices.push(frame.value.message);
        this.pushed.push(frame, bytes);
        return;
      case "PING":
        // A 0.8 server ends the connection on any PONG, even on an answer (wire.md 5.4). One that does not read what we
        // sent before would not read this either.
        if (this.dialect.answers_ping && !this.#stream.isCongested) {
          this.#stream.send({ name: "PONG", value: { nonce: frame.value.nonce } });
        }
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
    this.signal.removeEventListener("abort", this.close);
    for (const { what, settle } of this.#outstanding.values()) settle(fail(lostConnection(end, what, this.#words)));
    this.#outstanding.clear();
    this.pushed.close();
  }

  /** An uncorrelated ERROR is a notice, unless the end follows it: then it was the reason (client.md 1.2). */
  #remember(frame: AnyFrame | UnknownFrame): void {
    if (frame.name === "ERROR" && frame.value.request_id === undefined) {
      this.#words = { reason: null, text: frame.value.message, complaint: true };
    } else if (frame.name === "DETACHED") {
      const { reason = null, message } = frame.value;
      this.#words = { ...this.#words, reason, text: message || this.#words.text };
    } else if (this.#words.text !== null) {
      this.#words = { reason: null, text: null, complaint: false };
    }
  }

  async #request(frame: (requestId: number) => AnyFrame, what: string, ms?: number, most = REQUEST_MS): Promise<Reply> {
    const lost = this.lost(what);
    if (lost !== null) return fail(lost);
    const requestId = ++this.#lastRequestId;
    const { promise, resolve } = Promise.withResolvers<Reply>();
    const limit = Math.min(most, ms ?? this.#deadline.left());
    const timer = setTimeout(() => resolve(fail(unanswered(what, limit))), limit);
    this.#outstanding.set(requestId, { what, settle: resolve });
    try {
      this.#stream.send(frame(requestId));
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#outstanding.delete(requestId);
    }
  }

  #strange(what: string): RequestFailure {
    return strangeAnswer(what, versionText(this.server.version));
  }
}
