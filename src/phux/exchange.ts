import type { AnyFrame, ServerCapabilities, UnknownFrame } from "../wire/frame.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import { type Dialect, dialectOf, type ProtocolVersion, versionText } from "../wire/version.ts";
import { Deadline } from "./deadline.ts";
import { isAct } from "./method.ts";
import { PushedFrames } from "./pushed-frames.ts";
import {
  type Effect,
  type LastWords,
  lostConnection,
  type RequestFailure,
  refused,
  strangeAnswer,
  unanswered,
} from "./request-failure.ts";
import type { FrameListener, FrameStream, StreamEnd } from "./socket.ts";
import { UnsettledKeys } from "./unsettled-keys.ts";

/** What HELLO_OK said, and where the server listens. */
export interface Server {
  readonly socket: string;
  /** The server's own triple; major and minor are those that we offered, and both sides speak. */
  readonly version: ProtocolVersion;
  readonly capabilities: ServerCapabilities;
  /** Opaque bytes in lowercase hex: another server process has another. */
  readonly id: string;
}

/** Milliseconds that one request may take (client.md 1.4). */
export const REQUEST_MS = 30_000;

/** A fleet has few hosts; more notices than this say nothing new. */
const MOST_NOTICES = 1_000;

/** The end that DETACHED announces. */
const DISMISSED: StreamEnd = { kind: "closed" };

type Reply = Result<AnyFrame, RequestFailure>;
interface Outstanding {
  readonly what: string;
  /** The number of its frame in the stream, once it is sent. */
  frame: number;
  settle(reply: Reply): void;
}

/**
 * Questions and answers on one negotiated connection, whatever they are about: each reply is matched by the id of its
 * request, and the frames that subscriptions push are kept in order (client.md 1.2). Closing it, or an abort of the call,
 * ends everything at once.
 */
export class Exchange implements FrameListener {
  readonly server: Server;
  /** Frames that answer no request, in the order of arrival: notices, and what a subscription of ours brings. */
  readonly pushed = new PushedFrames();
  /** Aborted when the call ends. */
  readonly signal: AbortSignal;
  /** Bytes of all frames that came so far. */
  bytesRead = 0;
  /** The keys of this process whose outcome is not known, whatever the connection they were sent on. */
  readonly unsettled: UnsettledKeys;
  /** What bounds every request that brings no limit of its own. */
  protected readonly deadline: Deadline;
  readonly #stream: FrameStream;
  readonly #outstanding = new Map<number, Outstanding>();
  #notices: string[] = [];
  #words: LastWords = { reason: null, text: null, complaint: false };
  #lastRequestId = 0;
  #subscribed = false;
  /** The first frame that changes something; those behind it are handed over later. */
  #firstAct = Number.POSITIVE_INFINITY;
  #end: StreamEnd | null = null;
  /** The server said its last word: it reads nothing more, and the end is on its way. */
  #detached = false;

  constructor(
    stream: FrameStream,
    server: Server,
    signal: AbortSignal,
    deadline = new Deadline(Number.POSITIVE_INFINITY, signal),
    unsettled = new UnsettledKeys(),
  ) {
    this.#stream = stream;
    this.server = server;
    this.signal = signal;
    this.deadline = deadline;
    this.unsettled = unsettled;
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

  /** A new question about the fleet: what was said before belongs to an older one. */
  protected forgetNotices(): void {
    this.#notices = [];
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
    if (this.lost(what) === null) this.#put(requestId, frame(requestId), what, settle);
    const answer = await question();
    this.#outstanding.delete(requestId);
    return [refusals[0] ?? null, answer];
  }

  /** Sends a frame that has no reply: a subscription. */
  post(frame: AnyFrame): void {
    this.#subscribed = true;
    this.#stream.send(frame);
  }

  /** Why nothing more will come, as the failure of `what`, which was not sent; null while the stream stands. */
  lost(what: string): RequestFailure | null {
    const end = this.#end ?? (this.#detached ? DISMISSED : null);
    return end === null ? null : lostConnection(end, what, this.#words, this.#effect, false);
  }

  /** What may have come of this connection's requests so far. */
  get #effect(): Effect {
    return this.#stream.hasHanded(this.#firstAct) ? "possible" : "none";
  }

  /** Sends a request whose reply goes to `settle`. */
  #put(requestId: number, frame: AnyFrame, what: string, settle: Outstanding["settle"]): Outstanding {
    const asked: Outstanding = { what, frame: Number.POSITIVE_INFINITY, settle };
    this.#outstanding.set(requestId, asked);
    asked.frame = this.#stream.send(frame);
    if (isAct(frame)) this.#firstAct = Math.min(this.#firstAct, asked.frame);
    return asked;
  }

  frame(frame: AnyFrame | UnknownFrame, bytes: number): void {
    this.bytesRead += bytes;
    this.#remember(frame);
    switch (frame.name) {
      case "EVENT":
      case "METADATA_CHANGED":
        // Nobody takes what nobody asked for: a server that talks all the time would fill the memory with it.
        if (this.#subscribed) this.pushed.push(frame, bytes);
        return;
      case "ERROR":
        if (frame.value.request_id !== undefined) {
          const asked = this.#outstanding.get(frame.value.request_id);
          asked?.settle(fail(refused(frame.value.code, frame.value.message, asked.what)));
          return;
        }
        if (this.#notices.length < MOST_NOTICES) this.#notices.push(frame.value.message);
        if (this.#subscribed || this.#notices.length < MOST_NOTICES) this.pushed.push(frame, bytes);
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
    for (const { what, frame, settle } of this.#outstanding.values()) {
      const sent = this.#stream.hasHanded(frame);
      settle(fail(lostConnection(end, what, this.#words, this.#effect, sent)));
    }
    this.#outstanding.clear();
    this.pushed.close();
  }

  /** An uncorrelated ERROR is a notice, unless the end follows it: then it was the reason (client.md 1.2). */
  #remember(frame: AnyFrame | UnknownFrame): void {
    if (frame.name === "ERROR" && frame.value.request_id === undefined) {
      this.#words = { reason: null, text: frame.value.message, complaint: true };
    } else if (frame.name === "DETACHED") {
      const { reason = null, message } = frame.value;
      this.#detached = true;
      this.#words = { ...this.#words, reason, text: message || this.#words.text };
    } else if (this.#words.text !== null) {
      this.#words = { reason: null, text: null, complaint: false };
    }
  }

  /**
   * Sends a request and waits for its reply: `ms`, or as long as the call has left, and never longer than `most`, the limit
   * of its kind.
   */
  protected async ask(
    frame: (requestId: number) => AnyFrame,
    what: string,
    ms?: number,
    most = REQUEST_MS,
  ): Promise<Reply> {
    const lost = this.lost(what);
    if (lost !== null) return fail(lost);
    const requestId = ++this.#lastRequestId;
    const { promise, resolve } = Promise.withResolvers<Reply>();
    const limit = Math.min(most, ms ?? this.deadline.left());
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      const asked = this.#put(requestId, frame(requestId), what, resolve);
      timer = setTimeout(() => this.#giveUp(asked, limit), limit);
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#outstanding.delete(requestId);
    }
  }

  #giveUp({ what, frame, settle }: Outstanding, ms: number): void {
    const sent = this.#stream.hasHanded(frame);
    settle(fail(unanswered(what, ms, this.#effect, sent)));
    // Nothing gets past a frame that is stuck half sent, and what was called off must not arrive later.
    if (!sent) this.close();
  }

  /** The failure of a reply that is of another kind than its request. */
  strange(what: string): RequestFailure {
    return strangeAnswer(what, versionText(this.server.version), this.#effect);
  }
}
