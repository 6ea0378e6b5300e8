/** One connection of a host: requests in, replies in the order they are complete. Knows no tool by name. */
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { quote } from "../text/clean.ts";
import {
  type Envelope,
  envelopeOf,
  type Handshake,
  type Host,
  hostOf,
  Introduction,
  noTrailer,
  type Trailer,
} from "./generation.ts";
import { type Line, wholeLine } from "./line.ts";
import {
  classify,
  errorCode,
  errorLine,
  type Incoming,
  isObject,
  isRequestId,
  membersOf,
  notificationLine,
  type RequestId,
  resultLine,
} from "./message.ts";
import { type Clock, clock, Progress } from "./progress.ts";
import { answerLine, brokenTool, mistakeOf, reasonOf, type ToolAnswer, unusableArguments } from "./result.ts";

export type { Handshake, Host } from "./generation.ts";
export type { ToolAnswer } from "./result.ts";

/** A host's SIGKILL can follow its signal after 45 ms: what a call must undo has this long. */
export const WIND_DOWN_MS = 40;

/** What the run of a tool gets from the engine. */
export interface ToolCall {
  /** Aborted when the host cancels, the input ends or a signal comes; after that nobody hears the answer. */
  readonly signal: AbortSignal;
  /** Who asked, as it named itself in `initialize`; null when it did not. */
  readonly host: Host | null;
  /** Sets the status of the call. Costs nothing when the host wants no progress, and may be called at any rate. */
  progress(message: string): void;
}

/** The tools of a server. */
export interface Catalog {
  /** The JSON text of the `tools` array, written when the program was built: it goes out without being parsed. */
  readonly toolsJson: string;
  /** Runs a tool, and answers for a name that it does not have. Rejects only by mistake, which becomes an answer too. */
  run(name: string, args: Readonly<Record<string, unknown>>, call: ToolCall): Promise<ToolAnswer>;
}

export interface SessionOptions {
  readonly name: string;
  readonly version: string;
  readonly instructions: string;
  readonly catalog: Catalog;
  /** Without it the revision of 2024-11-05 is spoken after `initialize`, and the envelope's beside it. */
  readonly handshake?: Handshake;
  /** Gets one line about every mistake of ours. */
  readonly report?: (line: string) => void;
  readonly clock?: Clock;
}

/** What a transport of lines offers beside the SDK's interface, so that a reply is serialised once. */
export interface LineTransport extends Transport {
  /** Queues one message, JSON on one line without its newline; order is kept. */
  sendLine(line: Line): void;
  /** True while the host does not read what it was sent. */
  readonly congested: boolean;
}

interface Call {
  readonly name: string;
  readonly abort: AbortController;
  readonly progress: Progress | null;
  readonly asker: Asker;
}

/** Who asks, and what the answer carries for its generation. */
interface Asker {
  readonly host: Host | null;
  readonly trailer: Trailer;
}

type Request = Extract<Incoming, { kind: "request" }>;

export class Session {
  readonly #transport: Transport;
  readonly #lines: LineTransport | null;
  readonly #catalog: Catalog;
  readonly #introduction: Introduction;
  readonly #onlyGeneration: boolean;
  readonly #report: (line: string) => void;
  readonly #clock: Clock;
  readonly #calls = new Map<RequestId, Call>();
  readonly #work = new Set<Promise<void>>();
  /** Set by `initialize`, for good: from then on this host sees the first generation, whatever its requests carry. */
  #greeted: Asker | null = null;
  #closing = false;

  constructor(transport: Transport, options: SessionOptions) {
    this.#transport = transport;
    this.#lines = isLineTransport(transport) ? transport : null;
    this.#catalog = options.catalog;
    const { name, version, instructions, catalog, handshake = {} } = options;
    this.#introduction = new Introduction(name, version, instructions, catalog.toolsJson, handshake);
    this.#onlyGeneration = handshake.alone ?? false;
    this.#report = options.report ?? (() => {});
    this.#clock = options.clock ?? clock;
  }

  /** Begins to serve. A host need not say `initialize` first. */
  start(): Promise<void> {
    this.#transport.onmessage = (message) => this.#receive(message);
    this.#transport.onclose = () => void this.close();
    this.#transport.onerror = (error) => this.#report(reasonOf(error));
    return this.#transport.start();
  }

  /**
   * Aborts every call, at once, and starts no other; what needs no work is still answered.
   * Resolves when the aborted work has ended, or 40 ms have passed. Sends nothing for it.
   */
  async close(): Promise<void> {
    this.#closing = true;
    for (const id of [...this.#calls.keys()]) this.#abort(id);
    if (this.#work.size === 0) return;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const disarm = this.#clock.after(WIND_DOWN_MS, resolve);
    await Promise.race([Promise.all(this.#work), late]);
    disarm();
  }

  #receive(value: unknown): void {
    const message = classify(value);
    if (message.kind === "invalid") this.#send(errorLine(message.id, errorCode.invalidRequest, message.reason));
    else if (message.kind === "request") this.#answer(message);
    else if (message.kind === "notification" && message.method === "notifications/cancelled")
      this.#cancel(message.params);
  }

  #answer({ id, method, params }: Request): void {
    // With a null id, so that the answer of the first request of this id is not taken for this one.
    if (this.#calls.has(id)) {
      this.#send(errorLine(null, errorCode.invalidRequest, `the id ${quote(id)} is in flight already`));
      return;
    }
    if (method === "initialize") {
      const { clientInfo, protocolVersion } = membersOf(params);
      this.#greeted = { host: hostOf(clientInfo), trailer: noTrailer };
      this.#send(resultLine(id, this.#introduction.greeting(protocolVersion)));
      return;
    }
    const asker = this.#askerOf(id, params);
    if (asker !== null) this.#serve(id, method, params, asker);
  }

  /** Who sent a request; null when its envelope had to be refused. */
  #askerOf(id: RequestId, params: unknown): Asker | null {
    if (this.#greeted !== null) return this.#greeted;
    const envelope: Envelope = this.#onlyGeneration ? { kind: "none" } : envelopeOf(params);
    if (envelope.kind === "none") return { host: null, trailer: noTrailer };
    if (envelope.kind === "complete") return { host: envelope.host, trailer: this.#introduction.trailer };
    this.#send(errorLine(id, envelope.code, envelope.message, envelope.data));
    return null;
  }

  #serve(id: RequestId, method: string, params: unknown, asker: Asker): void {
    const { trailer } = asker;
    // Each generation has one method that the other does not know.
    const own = trailer === noTrailer ? "ping" : "server/discover";
    if (method === "tools/list") {
      this.#send(resultLine(id, this.#introduction.tools(trailer)));
    } else if (method === "tools/call") {
      this.#startCall(id, params, asker);
    } else if (method !== own) {
      this.#send(errorLine(id, errorCode.unknownMethod, `unknown method ${quote(method)}`));
    } else if (own === "ping") {
      this.#send(resultLine(id, "{}"));
    } else {
      this.#send(resultLine(id, this.#introduction.discovery(trailer)));
    }
  }

  #startCall(id: RequestId, params: unknown, asker: Asker): void {
    if (this.#closing) return;
    const { name, arguments: args, _meta: meta } = membersOf(params);
    if (typeof name !== "string") {
      const message = isObject(params) ? "params.name is a string" : "params is an object with name and arguments";
      this.#send(errorLine(id, errorCode.invalidParams, message));
      return;
    }
    const given = args ?? {};
    if (isObject(given)) {
      this.#begin(id, { name, abort: new AbortController(), progress: this.#progressOf(id, name, meta), asker }, given);
    } else {
      this.#send(answerLine(id, unusableArguments(given), asker.trailer.result));
    }
  }

  #begin(id: RequestId, call: Call, args: Readonly<Record<string, unknown>>): void {
    this.#calls.set(id, call);
    const work = this.#run(id, call, args);
    this.#work.add(work);
    void work.then(() => this.#work.delete(work));
  }

  /** The whole life of a call; never rejects. */
  async #run(id: RequestId, call: Call, args: Readonly<Record<string, unknown>>): Promise<void> {
    // A cancel in the same chunk as its call comes before this goes on, and then nothing is started.
    await null;
    const { name, asker } = call;
    const { signal } = call.abort;
    if (signal.aborted) return;
    let answer: ToolAnswer;
    try {
      const progress = (message: string) => call.progress?.say(message);
      answer = await this.#catalog.run(name, args, { signal, host: asker.host, progress });
    } catch (error) {
      if (!signal.aborted) this.#report(`${name}: ${mistakeOf(error)}`);
      answer = brokenTool(name, error);
    }
    // Not this call any more: it was cancelled, and its id may already belong to another.
    if (this.#calls.get(id) !== call) return;
    this.#forget(id, call);
    this.#send(this.#replyOf(id, call, answer));
  }

  #replyOf(id: RequestId, { name, asker }: Call, answer: ToolAnswer): Line {
    try {
      return answerLine(id, answer, asker.trailer.result);
    } catch (error) {
      this.#report(`${name}: ${mistakeOf(error)}`);
      return errorLine(id, errorCode.internal, "the result could not be written as JSON");
    }
  }

  // A host sends a cancel after every finished call, so an unknown id is silence, not an error.
  #cancel(params: unknown): void {
    const { requestId } = membersOf(params);
    if (isRequestId(requestId)) this.#abort(requestId);
  }

  #abort(id: RequestId): void {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    this.#forget(id, call);
    call.abort.abort();
  }

  #forget(id: RequestId, call: Call): void {
    this.#calls.delete(id);
    call.progress?.stop();
  }

  #progressOf(id: RequestId, name: string, meta: unknown): Progress | null {
    const { progressToken } = membersOf(meta);
    if (!isRequestId(progressToken)) return null;
    const send = (progress: number, message: string) => {
      // A host that does not read has no use for a queue of old statuses.
      if (this.#lines?.congested) return;
      this.#send(notificationLine("notifications/progress", { progressToken, progress, message }), id);
    };
    return new Progress(`${name} is running`, send, this.#clock);
  }

  /** @param related the call in whose stream a transport with several streams puts the message */
  #send(line: Line, related?: RequestId): void {
    if (this.#lines === null) {
      const options = related === undefined ? {} : { relatedRequestId: related };
      this.#transport.send(JSON.parse(wholeLine(line)), options).catch((error) => this.#report(reasonOf(error)));
    } else {
      this.#lines.sendLine(line);
    }
  }
}

function isLineTransport(transport: Transport): transport is LineTransport {
  return "sendLine" in transport;
}
