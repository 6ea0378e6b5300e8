import { isUtf8 } from "node:buffer";
import { type WireError, type WireErrorCode, wireError } from "./error.ts";

/** Nested values one decode may walk through: the bound of the retired layout tree (wire.md 10.1). */
export const MAX_NESTING = 64;

const NOTHING = new Uint8Array(0);
// A byte-order mark in front of a string belongs to the string.
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * A cursor over bytes that never throws. The first failure sticks: from then on every read gives zero or empty, and
 * whoever started the decode looks at `failure` once, at the end.
 */
export class Reader {
  failure: WireError | null = null;
  /** Set by a number that decodes but is in none of our tables; whoever can live with that resets it. */
  strange = false;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;
  #end: number;
  #nesting = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#end = bytes.byteLength;
  }

  get position(): number {
    return this.#at;
  }

  /** Bytes left in the innermost value being read; 0 after a failure, so that every loop over it ends. */
  get remaining(): number {
    return this.failure === null ? this.#end - this.#at : 0;
  }

  fail(code: WireErrorCode, message: string): void {
    this.failure ??= wireError(code, message);
  }

  /** Names the place of a failure from the inside out: `COMMAND.command: …`. */
  blame(place: string): void {
    if (this.failure !== null) this.failure = wireError(this.failure.code, `${place}: ${this.failure.message}`);
  }

  #take(length: number): number | null {
    if (this.failure !== null) return null;
    if (length > this.#end - this.#at) {
      this.fail("truncated", `needs ${length} bytes at offset ${this.#at}, has ${this.#end - this.#at}`);
      return null;
    }
    const at = this.#at;
    this.#at += length;
    return at;
  }

  u8(): number {
    const at = this.#take(1);
    return at === null ? 0 : this.#view.getUint8(at);
  }

  u16(): number {
    const at = this.#take(2);
    return at === null ? 0 : this.#view.getUint16(at);
  }

  u32(): number {
    const at = this.#take(4);
    return at === null ? 0 : this.#view.getUint32(at);
  }

  u64(): bigint {
    const at = this.#take(8);
    return at === null ? 0n : this.#view.getBigUint64(at);
  }

  i32(): number {
    const at = this.#take(4);
    return at === null ? 0 : this.#view.getInt32(at);
  }

  i64(): bigint {
    const at = this.#take(8);
    return at === null ? 0n : this.#view.getBigInt64(at);
  }

  f16(): number {
    const at = this.#take(2);
    return at === null ? 0 : this.#view.getFloat16(at);
  }

  f32(): number {
    const at = this.#take(4);
    return at === null ? 0 : this.#view.getFloat32(at);
  }

  f64(): number {
    const at = this.#take(8);
    return at === null ? 0 : this.#view.getFloat64(at);
  }

  /** A view of the input, not a copy. */
  bytes(length: number): Uint8Array {
    const at = this.#take(length);
    return at === null ? NOTHING : this.#bytes.subarray(at, at + length);
  }

  text(length: number): string {
    const bytes = this.bytes(length);
    if (isUtf8(bytes)) return utf8.decode(bytes);
    this.fail("malformed", "text is not UTF-8");
    return "";
  }

  /**
   * An unsigned LEB128 of up to ten bytes. Longer forms than needed are read, as 0.8 does (wire.md 3). Numbers past
   * 2^53 lose precision, which is harmless: as a length they overrun, as a field id they are unknown.
   */
  varint(): number {
    let value = 0;
    for (let place = 0; place < 10; place++) {
      const byte = this.u8();
      value += (byte & 0x7f) * 2 ** (7 * place);
      if (byte < 0x80) return value;
    }
    this.fail("malformed", "varint longer than ten bytes");
    return 0;
  }

  /** Reads inside the next `length` bytes only, then stands behind them whatever was left unread (wire.md 3). */
  within<T>(length: number, read: () => T): T {
    const start = this.#take(length);
    const outer = this.#end;
    const end = start === null ? this.#at : start + length;
    this.#at = start ?? this.#at;
    this.#end = end;
    const value = read();
    this.#at = end;
    this.#end = outer;
    return value;
  }

  /** `within`, and beside the value the bytes it was read from. */
  peeked<T>(length: number, read: () => T): { readonly value: T; readonly raw: Uint8Array } {
    const raw = this.#bytes.subarray(this.#at, this.#at + Math.min(length, this.remaining));
    return { value: this.within(length, read), raw };
  }

  /** Reads a value that may hold another of its kind, at most MAX_NESTING deep. */
  nested<T>(read: () => T): T {
    this.#nesting++;
    if (this.#nesting > MAX_NESTING) this.fail("malformed", `nested more than ${MAX_NESTING} deep`);
    const value = read();
    this.#nesting--;
    return value;
  }
}
