import type { Socket } from "bun";
import type { WireError } from "../wire/error.ts";
import { type AnyFrame, decodeFrame, encodeFrame, type UnknownFrame } from "../wire/frame.ts";
import { FrameReader } from "../wire/frame-reader.ts";
import { fail, ok, type Result } from "../wire/result.ts";

/** How a frame stream ended: by the peer, by us, or because what came was no frame. */
export type StreamEnd =
  | { readonly kind: "closed" }
  | { readonly kind: "unreadable"; readonly error: WireError }
  | { readonly kind: "broken"; readonly message: string };

/** Who listens to a frame stream. `ended` comes once, after the last frame. */
export interface FrameListener {
  frame(frame: AnyFrame | UnknownFrame): void;
  ended(end: StreamEnd): void;
}

/** A connect that failed, by the name the system gives it. */
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
  #end: StreamEnd | null = null;
  /** Nothing is decoded any more: we closed, or the bytes made no sense. */
  #deaf = false;

  /** Connects to a socket path, or names what stands in the way. `ms` bounds the wait; an abort ends it. */
  static async connect(path: string, ms: number, signal: AbortSignal): Promise<Result<FrameStream, ConnectFailure>> {
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
      opening.then((late) => late.ok && late.value.terminate());
      return fail({ code: signal.aborted ? "aborted" : "timeout", message: "no answer to connect" });
    }
    if (!opened.ok) return opened;
    stream.#socket = opened.value;
    return ok(stream);
  }

  /** Hands every frame from now on to `listener`, and the end, also when it has already come. */
  listen(listener: FrameListener): void {
    this.#listener = listener;
    const end = this.#end;
    // A peer can answer and leave before anyone listens: what it said comes first.
    this.#drainReader();
    if (end !== null) listener.ended(end);
  }

  /** Stops handing out frames; they wait, in order, for the next listener. */
  hold(): void {
    this.#listener = null;
  }

  send(frame: AnyFrame): void {
    if (this.#end !== null) return;
    this.#unsent.push(encodeFrame(frame));
    this.#flush();
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
      close: () => this.#finish({ kind: "closed" }),
      end: () => this.#finish({ kind: "closed" }),
      error: (_, error) => this.#finish({ kind: "broken", message: error.message }),
    };
  }

  #drainReader(): void {
    while (this.#listener !== null && !this.#deaf) {
      const frame = nextFrame(this.#reader);
      if (frame === null) return;
      if (frame.ok) this.#listener.frame(frame.value);
      else this.#spoil(frame.error);
    }
  }

  #flush(): void {
    while (this.#socket !== null && this.#end === null) {
      const bytes = this.#unsent[0];
      if (bytes === undefined) return;
      const written = this.#socket.write(bytes);
      if (written < 0) {
        this.#finish({ kind: "broken", message: "the socket takes no more" });
        return;
      }
      if (written < bytes.length) {
        this.#unsent[0] = bytes.subarray(written);
        return;
      }
      this.#unsent.shift();
    }
  }

  #spoil(error: WireError): void {
    this.#deaf = true;
    this.#finish({ kind: "unreadable", error });
  }

  #finish(end: StreamEnd): void {
    if (this.#end !== null) return;
    this.#end = end;
    this.#unsent = [];
    this.#socket?.terminate();
    this.#listener?.ended(end);
  }
}

/** The next whole frame, null when more bytes must come first, or why the bytes make none. */
function nextFrame(reader: FrameReader): Result<AnyFrame | UnknownFrame, WireError> | null {
  const next = reader.next();
  if (!next.ok) return next;
  return next.value === null ? null : decodeFrame(next.value.type, next.value.body);
}

function connectFailure(error: unknown): ConnectFailure {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return { code, message };
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
