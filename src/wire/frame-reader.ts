import { type WireError, wireError } from "./error.ts";
import { limits } from "./limits.ts";
import { fail, ok, type Result } from "./result.ts";

/** One frame as it came: its type byte and the bytes behind it. */
export type RawFrame = { readonly type: number; readonly body: Uint8Array };

const HEADER = 4;
const FIRST_CAPACITY = 4_096;
/** A sixteenth of a frame is here: then its length is believed, and the rest comes in without another move. */
const BELIEVED_SHARE = 16;

/**
 * Cuts a byte stream into frames (wire.md 2). What it holds grows with what arrives, at most sixteen times that for what a
 * length prefix announces, and pushing is amortized linear however small the chunks are. After an error the stream is
 * lost: `next` repeats the error and further bytes are dropped.
 *
 * A body is a view of a buffer that is never written again, so it stays valid.
 */
export class FrameReader {
  #buffer = new Uint8Array(FIRST_CAPACITY);
  #start = 0;
  #end = 0;
  #lost: WireError | null = null;

  /** Bytes taken in and not yet given out. */
  get buffered(): number {
    return this.#end - this.#start;
  }

  push(chunk: Uint8Array): void {
    if (this.#lost !== null) return;
    if (chunk.length > this.#buffer.length - this.#end) this.#move(chunk.length);
    this.#buffer.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  // Frames already given out are views of the old buffer, so what is unread moves to a new one. Doubling what is held
  // makes the copies a constant share of the bytes pushed.
  #move(room: number): void {
    const held = this.#buffer.subarray(this.#start, this.#end);
    const announced = held.length < HEADER ? 0 : HEADER + new DataView(held.buffer, held.byteOffset).getUint32(0);
    const believed = announced <= Math.min(BELIEVED_SHARE * held.length, HEADER + limits.frame) ? announced : 0;
    const grown = believed > held.length ? believed : 2 * held.length;
    const next = new Uint8Array(Math.max(FIRST_CAPACITY, grown, held.length + room));
    next.set(held);
    this.#buffer = next;
    this.#start = 0;
    this.#end = held.length;
  }

  /** The next whole frame, or null while it is not all here. */
  next(): Result<RawFrame | null, WireError> {
    if (this.#lost !== null) return fail(this.#lost);
    const at = this.#start;
    if (this.buffered < HEADER) return ok(null);
    const length = new DataView(this.#buffer.buffer, at, HEADER).getUint32(0);
    if (length < 1) return this.#lose(wireError("frame_empty", "frame length 0 is outside 1..16777216"));
    if (length > limits.frame) {
      return this.#lose(wireError("frame_too_large", `frame length ${length} is outside 1..16777216`));
    }
    if (this.buffered < HEADER + length) return ok(null);
    this.#start = at + HEADER + length;
    const type = this.#buffer[at + HEADER] ?? 0;
    return ok({ type, body: this.#buffer.subarray(at + HEADER + 1, this.#start) });
  }

  #lose(error: WireError): Result<never, WireError> {
    this.#lost = error;
    this.#buffer = new Uint8Array(0);
    this.#start = 0;
    this.#end = 0;
    return fail(error);
  }
}
