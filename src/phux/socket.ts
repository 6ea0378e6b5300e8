import { closeSync, openSync } from "node:fs";
import type { Socket } from "bun";
import type { WireError } from "../wire/error.ts";
import { type AnyFrame, decodeFrame, encodeFrame, type UnknownFrame } from "../wire/frame.ts";
import { FrameReader } from "../wire/frame-reader.ts";
import { fail, ok, type Result } from "../wire/result.ts";

/** How a frame stream ended: by the peer or by us, because what came was no frame, or cut off by the system. */
export type StreamEnd =
  | { readonly kind: "closed" }
  | { readonly kind: "unreadable"; readonly error: WireError }
  | { readonly kind: "broken"; readonly message: string };

/** Who listens to a frame stream. `bytes` is the size of the frame's body; `ended` comes once, after the last frame. */
export interface FrameListener {
  frame(frame: AnyFrame | UnknownFrame, bytes: number): void;
  ended(end: StreamEnd): void;
}

/** A connect that failed, by the name the system gives it, or `timeout` or `aborted`. EMFILE stands for ENFILE too. */
export interface ConnectFailure {
  readonly code: string;
  readonly message: string;
}

/**
 * One Unix stream socket as a stream of frames. The thin shell between the pure codec and the system: it knows nothing
 * of requests. What cannot be sent at once waits in order; a frame is handed to the system whole or the stream ends.
 */
export class FrameStream {
  readonly #reader = new FrameReader();
  #socket: Socket<undefined> | null = null;
  #listener: FrameListener | null = null;
  #unsent: Uint8Array[] = [];
  /** How many frames were taken to be sent, and how many of them the system has whole. */
  #taken = 0;
  #handed = 0;
  #end: StreamEnd | null = null;
  /** The listener was told of the end. */
  #told = false;
  /** We closed: what is still here is for nobody. */
  #deaf = false;
  /** The peer takes no more bytes; what it said before is still to be read. */
  #mute = false;

  /** Connects to a socket path, or names what stands in the way. `ms` bounds the wait; an abort ends it. */
  static async connect(path: string, ms: number, signal: AbortSignal): Promise<Result<FrameStream, ConnectFailure>> {
    if (signal.aborted) return fail({ code: "aborted", message: "cancelled before connecting" });
    const stream = new FrameStream();
    const opening = Bun.connect<undefined>({ unix: path, socket: stream.#callbacks() }).then(
      (socket) => ok(socket),
      (error: unknown) => fail(connectFailure(error)),
    );
    const bound = limit(ms, signal);
    const opened = await Promise.race([opening, bound.passed]);
    bound.clear();
    if (opened === null) {
      stream.close();
      void opening.then((late) => late.ok && late.value.terminate());
      return fail({ code: signal.aborted ? "aborted" : "timeout", message: "no answer to connect" });
    }
    if (!opened.ok) return opened;
    stream.#socket = opened.value;
    return ok(stream);
  }

  /** Something that was sent waits for the peer to read. */
  get isCongested(): boolean {
    return this.#unsent.length > 0;
  }

  /** Hands every frame from now on to `listener`, and the end, also when it has already come. */
  listen(listener: FrameListener): void {
    this.#listener = listener;
    // A peer can answer and leave before anyone listens: what it said comes first.
    this.#drainReader();
    this.#tell();
  }

  /** Stops handing out frames; they wait, in order, for the next listener. */
  hold(): void {
    this.#listener = null;
  }

  /**
   * Queues a frame and gives its number for `hasHanded`. RangeError for one that is over the frame cap: nothing of it is
   * sent.
   */
  send(frame: AnyFrame): number {
    if (this.#end !== null || this.#mute) return Number.POSITIVE_INFINITY;
    this.#unsent.push(encodeFrame(frame));
    this.#taken += 1;
    const number = this.#taken;
    this.#flush();
    return number;
  }

  /** Whether the system has the whole of a frame: of any other, the peer has at most a piece that means nothing. */
  hasHanded(number: number): boolean {
    return number <= this.#handed;
  }

  /** Ends the stream at once, from our side: nothing more is heard or sent. */
  close(): void {
    this.#deaf = true;
    this.#finish({ kind: "closed" });
  }

  #callbacks(): Bun.SocketHandler<undefined> {
    return {
      binaryType: "uint8array",
      data: (_, chunk) => {
        this.#reader.push(chunk);
        this.#drainReader();
      },
      drain: () => this.#flush(),
      // A reset comes here with its error, not as an `error`.
      close: (_, error) => this.#finish(error ? { kind: "broken", message: error.message } : { kind: "closed" }),
      end: () => this.#finish({ kind: "closed" }),
      error: (_, error) => this.#finish({ kind: "broken", message: error.message }),
    };
  }

  #drainReader(): void {
    while (this.#listener !== null && !this.#deaf) {
      const frame = nextFrame(this.#reader);
      if (frame === null) return;
      if (frame.ok) this.#listener.frame(frame.value.frame, frame.value.bytes);
      else this.#spoil(frame.error);
    }
  }

  #flush(): void {
    while (this.#socket !== null && this.#end === null) {
      const bytes = this.#unsent[0];
      if (bytes === undefined) return;
      const written = this.#socket.write(bytes);
      if (written < 0) {
        // The peer has closed. Why stands in what it sent before, and that is still to be read.
        this.#mute = true;
        this.#unsent = [];
        return;
      }
      if (written < bytes.length) {
        this.#unsent[0] = bytes.subarray(written);
        return;
      }
      this.#unsent.shift();
      this.#handed += 1;
    }
  }

  // Bytes that are no frame say more than the end that followed them.
  #spoil(error: WireError): void {
    this.#deaf = true;
    if (!this.#told) this.#end = null;
    this.#finish({ kind: "unreadable", error });
  }

  #finish(end: StreamEnd): void {
    if (this.#end !== null) return;
    this.#end = end;
    this.#unsent = [];
    this.#socket?.terminate();
    this.#tell();
  }

  #tell(): void {
    if (this.#end === null || this.#listener === null || this.#told) return;
    this.#told = true;
    this.#listener.ended(this.#end);
  }
}

/** The next whole frame and its size, null when more bytes must come first, or why the bytes make none. */
function nextFrame(reader: FrameReader): Result<{ frame: AnyFrame | UnknownFrame; bytes: number }, WireError> | null {
  const raw = reader.next();
  if (!raw.ok) return raw;
  if (raw.value === null) return null;
  const { type, body } = raw.value;
  const frame = decodeFrame(type, body);
  return frame.ok ? ok({ frame: frame.value, bytes: body.length }) : frame;
}

function connectFailure(error: unknown): ConnectFailure {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  // Bun says the same of a connect for which there was no descriptor.
  return code === "ECONNREFUSED" && noDescriptorLeft()
    ? { code: "EMFILE", message: "too many files are open" }
    : { code, message };
}

function noDescriptorLeft(): boolean {
  try {
    closeSync(openSync("/dev/null", "r"));
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && (error.code === "EMFILE" || error.code === "ENFILE");
  }
}

/** A timer and an abort as one promise that gives null, and the way to forget both. */
function limit(ms: number, signal: AbortSignal): { passed: Promise<null>; clear(): void } {
  const { promise, resolve } = Promise.withResolvers<null>();
  const pass = () => resolve(null);
  const timer = setTimeout(pass, ms);
  signal.addEventListener("abort", pass, { once: true });
  if (signal.aborted) pass();
  return {
    passed: promise,
    clear() {
      clearTimeout(timer);
      signal.removeEventListener("abort", pass);
    },
  };
}
