import type { Socket } from "node:net";
import { DetachReason } from "../../src/wire/enums.ts";
import { ErrorCode, type ErrorName } from "../../src/wire/error-code.ts";
import { type AnyFrame, decodeFrame, encodeFrame, frameDirection } from "../../src/wire/frame.ts";
import { FrameReader, type RawFrame } from "../../src/wire/frame-reader.ts";
import type { ActorRef } from "../../src/wire/identity.ts";
import { unknownToEight } from "../../src/wire/version.ts";
import { Call } from "./call.ts";
import type { EventValue, Subscriber } from "./events.ts";
import type { LabServer } from "./server.ts";
import type { OutputStream } from "./streams.ts";

/** A client that reads slower than this is let go, and one that writes faster is held back. */
const outboundCap = 64 * 1024 * 1024;
const inboundHigh = 32 * 1024 * 1024;

/** Decodes and answers one client, a request at a time and in order (wire.md 5). */
export class Connection implements Subscriber {
  readonly id: number;
  readonly server: LabServer;
  readonly streams = new Map<number, OutputStream>();
  readonly attachIds = new Set<number>();
  readonly viewerOf = new Set<number>();
  readonly metadataSubscriptions = new Set<string>();
  /** Session-create results by request token, each read once and only here. */
  readonly createResults = new Map<string, Uint8Array>();
  clientName = "";
  layers = 0;
  phase: "new" | "ready" | "closed" = "new";
  attachedSession: number | null = null;
  readonly #socket: Socket;
  readonly #reader = new FrameReader();
  #busy = false;

  constructor(server: LabServer, id: number, socket: Socket) {
    this.server = server;
    this.id = id;
    this.#socket = socket;
    socket.on("data", (chunk: Buffer) => {
      server.meter.bytesIn.add(chunk.length);
      this.#reader.push(chunk);
      if (this.#reader.buffered > inboundHigh) socket.pause();
      void this.#drain();
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#closed());
  }

  get actor(): ActorRef {
    return { client: this.id, credential_id: null, client_name: this.clientName };
  }

  async #drain(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    while (this.phase !== "closed") {
      const next = this.#reader.next();
      if (!next.ok) {
        this.fatal("FRAME_TOO_LARGE", `frame violates the framing rules: ${next.error.message}`);
        break;
      }
      if (next.value === null) break;
      try {
        await this.#take(next.value);
      } catch (error) {
        // A bug of the lab: its client learns of it, and the other clients keep their server.
        console.error(error);
        this.fatal("INTERNAL_ERROR", String(error), DetachReason.internal_error);
      }
    }
    this.#busy = false;
    if (this.#socket.isPaused()) this.#socket.resume();
  }

  async #take(raw: RawFrame): Promise<void> {
    const { faults, meter, release } = this.server;
    meter.framesIn.add();
    const decoded = decodeFrame(raw.type, raw.body);
    if (!decoded.ok) {
      return this.fatal("MALFORMED_MESSAGE", `could not decode client frame: ${decoded.error.message}`);
    }
    const frame = decoded.value;
    if (frame.name === "UNKNOWN" || (release.eight && newerThanEight(frame))) {
      return this.fatal("MALFORMED_MESSAGE", `could not decode client frame: UnknownFrameKind { tag: ${raw.type} }`);
    }
    if (frameDirection(raw.type) === "s2c" || (frame.name === "PONG" && release.eight)) {
      return this.fatal("INVALID_COMMAND", `frame is not valid from a client in the negotiated phase: ${frame.name}`);
    }
    const call = new Call(this, frame);
    if (faults.slowMs > 0) await Bun.sleep(faults.slowMs);
    if (faults.silent === "all" || faults.silent.includes(call.name)) return;
    const refusal = faults.refuse[call.name];
    if (refusal) return call.refuse(refusal);
    const began = performance.now();
    await this.server.serve(call, frame);
    meter.requestTime.record((performance.now() - began) * 1_000);
  }

  /** Sends a frame now. A frame to a client that is gone, or that does not read, is dropped with the connection. */
  send(frame: AnyFrame): void {
    if (this.phase !== "closed") this.write(this.encoded(frame));
  }

  /** The frame as it goes out, with the field that no version has when that fault is on. */
  encoded(frame: AnyFrame): Uint8Array {
    const bytes = encodeFrame(frame);
    if (!this.server.faults.unknownField) return bytes;
    const grown = Buffer.concat([bytes, Uint8Array.of(99, 4, 2, 0xca, 0xfe)]);
    grown.writeUInt32BE(grown.length - 4);
    return grown;
  }

  write(bytes: Uint8Array): void {
    const { meter } = this.server;
    meter.framesOut.add();
    meter.bytesOut.add(bytes.length);
    this.#socket.write(bytes);
    if (this.#socket.writableLength > outboundCap) this.drop();
  }

  event(value: EventValue): void {
    this.server.meter.eventsOut.add();
    this.send({ name: "EVENT", value });
    if (this.server.faults.unknownEvent) {
      const event = { tag: "unknown", raw_tag: 0x7e, body: Uint8Array.of(1, 2, 3) } as const;
      this.send({ name: "EVENT", value: { ...value, event } });
    }
  }

  /** Every fatal end has this shape: ERROR, DETACHED with the same text, end of file (wire.md 7.1). */
  fatal(code: ErrorName, message: string, reason = 4): void {
    this.send({ name: "ERROR", value: { code: ErrorCode[code], message } });
    this.end(reason, message);
  }

  end(reason: number, message?: string): void {
    if (this.phase === "closed") return;
    this.send({ name: "DETACHED", value: { reason, ...(message === undefined ? {} : { message }) } });
    this.phase = "closed";
    this.#socket.end();
    this.server.forget(this);
  }

  /** Closes without a word. */
  drop(): void {
    this.phase = "closed";
    this.#socket.destroy();
    this.server.forget(this);
  }

  #closed(): void {
    this.phase = "closed";
    this.server.forget(this);
  }
}

function newerThanEight(frame: AnyFrame): boolean {
  const names: readonly string[] = frame.name === "COMMAND" ? unknownToEight.commands : unknownToEight.frames;
  return names.includes(frame.name === "COMMAND" ? frame.value.command.tag : frame.name);
}
