/** MCP's line transport: one JSON value a line, in on stdin and out on stdout, whatever the two are. */
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type Arrival, Backlog, cancelledId } from "./backlog.ts";
import { isGone } from "./gone.ts";
import { leadingId } from "./leading-id.ts";
import type { Line } from "./line.ts";
import { LINE_BYTES, LineSplitter } from "./lines.ts";
import { errorCode, errorLine, json, parseLine } from "./message.ts";
import type { LineTransport } from "./session.ts";
import { type ByteSink, LineWriter } from "./writer.ts";

/**
 * Unread output at which new requests begin to wait. A host that works never leaves this much: its socket holds
 * 200 KiB, and the largest single result is 8 MB, behind which waiting is right.
 */
const CONGESTED_CHARACTERS = 4 * 1024 * 1024;

/** A reader that has taken nothing for so long is not waited for at the end. A working one takes 64 KiB in a few ms. */
const STALLED_MS = 400;

/**
 * Input that never pauses is read in one stretch, in which no signal, timer or child is heard. So after this time there
 * is a pause for them, looked for after every piece: a piece of the shortest broken lines takes a tenth of a second.
 */
const STRETCH_MS = 10;
const PIECE_BYTES = 16 * 1024;

/** Why the connection is over: no more input, nobody reads, or one of the two failed. */
export type End =
  | { readonly kind: "input ended" }
  | { readonly kind: "output closed" }
  | { readonly kind: "failed"; readonly what: "stdin" | "stdout"; readonly error: unknown };

export class StdioTransport implements LineTransport {
  onmessage?: Transport["onmessage"];
  onclose?: Transport["onclose"];
  onerror?: Transport["onerror"];

  /** Resolves once, with the first reason. Input that was held back may still be answered, see `flush`. */
  readonly ended: Promise<End>;
  readonly #end: (end: End) => void;
  readonly #input: () => ReadableStream<Uint8Array>;
  readonly #writer: LineWriter;
  readonly #splitter: LineSplitter;
  readonly #backlog = new Backlog();
  #closed = false;
  #movedAt = Number.NEGATIVE_INFINITY;
  #reader: { cancel(): Promise<void> } | null = null;
  #waiting: (() => void)[] = [];

  /**
   * @param input opens the stream of bytes; called by `start`
   * @param output where lines go; an error of it ends the connection
   */
  constructor(input: () => ReadableStream<Uint8Array>, output: ByteSink) {
    this.#input = input;
    const { promise, resolve } = Promise.withResolvers<End>();
    this.ended = promise;
    this.#end = resolve;
    this.#writer = new LineWriter(output, {
      moved: () => this.#moved(),
      failed: (error) => {
        this.#over(endOf("stdout", error));
        // Also when the input ended first, and only the rest of the output is waited for.
        this.#wake();
      },
    });
    this.#splitter = new LineSplitter({
      line: (bytes) => this.#line(bytes, false),
      overlong: (front) => {
        const message = `a line is at most ${LINE_BYTES} bytes`;
        this.#arrive({ refusal: errorLine(leadingId(front), errorCode.invalidRequest, message) }, 0);
      },
    });
  }

  async start(): Promise<void> {
    void this.#read();
  }

  /** True while the host leaves so much unread that new requests wait. */
  get congested(): boolean {
    return this.#writer.pending >= CONGESTED_CHARACTERS;
  }

  sendLine(line: Line): void {
    this.#writer.write(line);
  }

  async send(message: Parameters<Transport["send"]>[0]): Promise<void> {
    this.sendLine(json(message));
  }

  /**
   * Waits until everything has been answered and taken by the system; says whether it was. At most `ms`, unless the
   * other side is reading just then: as long as it goes on, up to `most`.
   */
  async flush(ms: number, most = ms): Promise<boolean> {
    const began = performance.now();
    let late = false;
    const look = () => {
      const now = performance.now();
      const until = Math.min(began + most, this.#movedAt + STALLED_MS);
      late = now >= until;
      if (late) this.#wake();
      else timer = setTimeout(look, until - now);
    };
    let timer = setTimeout(look, ms);
    while (!this.#settled && !late) await this.#nextMove();
    clearTimeout(timer);
    return this.#settled;
  }

  /** Reads no more. What was sent before still goes out. */
  async close(): Promise<void> {
    this.#over({ kind: "input ended" });
    await this.#reader?.cancel().catch(() => {});
  }

  get #settled(): boolean {
    return this.#writer.broken || (this.#writer.idle && this.#backlog.empty);
  }

  async #read(): Promise<void> {
    try {
      const reader = this.#input().getReader();
      this.#reader = reader;
      let began = performance.now();
      for (;;) {
        // Not even cancels are read now; signals, a closed stdout and the parent's end are noticed all the same.
        while (this.#backlog.full && !this.#closed) await this.#nextMove();
        const { done, value } = await reader.read();
        if (this.#closed) return;
        if (done) break;
        for (let at = 0; at < value.length; at += PIECE_BYTES) {
          this.#splitter.push(value.subarray(at, at + PIECE_BYTES));
          if (performance.now() - began < STRETCH_MS) continue;
          await new Promise<void>((resolve) => setImmediate(resolve));
          if (this.#closed) return;
          began = performance.now();
        }
      }
      this.#line(this.#splitter.rest(), true);
      this.#over({ kind: "input ended" });
    } catch (error) {
      this.#over(endOf("stdin", error));
    }
  }

  /** @param last the input ended without a newline: half a message is no mistake of the host then */
  #line(bytes: Uint8Array, last: boolean): void {
    const parsed = parseLine(bytes);
    if (parsed.ok) this.#arrive({ message: parsed.value }, bytes.length);
    else if (parsed.error !== "blank" && !last) {
      this.#arrive({ refusal: errorLine(null, errorCode.parse, `this line is ${parsed.error}`) }, bytes.length);
    }
  }

  #arrive(arrival: Arrival, bytes: number): void {
    if (this.#backlog.empty && !this.congested) {
      this.#deliver(arrival);
      return;
    }
    // A cancel does not wait in the line of those it cancels.
    const id = "message" in arrival ? cancelledId(arrival.message) : undefined;
    if (id === undefined) this.#backlog.add(arrival, bytes);
    else if (!this.#backlog.withdraw(id)) this.#deliver(arrival);
  }

  #deliver(arrival: Arrival): void {
    if ("refusal" in arrival) {
      this.sendLine(arrival.refusal);
      return;
    }
    try {
      // The parse boundary: the session is the judge of what the value is.
      this.onmessage?.(arrival.message as Parameters<NonNullable<Transport["onmessage"]>>[0]);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #moved(): void {
    this.#movedAt = performance.now();
    while (!this.congested) {
      const arrival = this.#backlog.next();
      if (arrival === undefined) break;
      this.#deliver(arrival);
    }
    this.#wake();
  }

  #nextMove(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    return promise;
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #over(end: End): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#end(end);
    this.onclose?.();
    this.#wake();
  }
}

function endOf(what: "stdin" | "stdout", error: unknown): End {
  if (!isGone(error)) return { kind: "failed", what, error };
  return what === "stdin" ? { kind: "input ended" } : { kind: "output closed" };
}
