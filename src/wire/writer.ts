const utf8 = new TextEncoder();

/** Bytes of the shortest unsigned LEB128 of a number below 2^53. */
function varintBytes(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
  return bytes;
}

/**
 * A growing buffer. A value that does not fit its type is a bug of the caller, so it throws RangeError: bytes that
 * say something else than the value must never leave the process.
 */
export class Writer {
  #bytes = new Uint8Array(256);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** What was written so far, as a view of the buffer. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  // May replace the buffer and its view, so it runs before either is named.
  #make(room: number): number {
    const at = this.#length;
    const needed = at + room;
    if (needed > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
      grown.set(this.#bytes);
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    this.#length = needed;
    return at;
  }

  u8(value: number): void {
    whole(value, 0, 0xff, "u8");
    const at = this.#make(1);
    this.#view.setUint8(at, value);
  }

  u16(value: number): void {
    whole(value, 0, 0xffff, "u16");
    const at = this.#make(2);
    this.#view.setUint16(at, value);
  }

  u32(value: number): void {
    whole(value, 0, 0xffffffff, "u32");
    const at = this.#make(4);
    this.#view.setUint32(at, value);
  }

  u64(value: bigint): void {
    if (value !== BigInt.asUintN(64, value)) throw new RangeError(`${value} is not a u64`);
    const at = this.#make(8);
    this.#view.setBigUint64(at, value);
  }

  i32(value: number): void {
    whole(value, -0x80000000, 0x7fffffff, "i32");
    const at = this.#make(4);
    this.#view.setInt32(at, value);
  }

  i64(value: bigint): void {
    if (value !== BigInt.asIntN(64, value)) throw new RangeError(`${value} is not an i64`);
    const at = this.#make(8);
    this.#view.setBigInt64(at, value);
  }

  f16(value: number): void {
    const at = this.#make(2);
    this.#view.setFloat16(at, value);
  }

  f32(value: number): void {
    const at = this.#make(4);
    this.#view.setFloat32(at, value);
  }

  f64(value: number): void {
    const at = this.#make(8);
    this.#view.setFloat64(at, value);
  }

  bytes(value: Uint8Array): void {
    const at = this.#make(value.length);
    this.#bytes.set(value, at);
  }

  text(value: string): void {
    if (!value.isWellFormed()) throw new RangeError("text with a lone surrogate has no UTF-8 form");
    this.bytes(utf8.encode(value));
  }

  varint(value: number): void {
    for (const byte of varintBytes(value)) this.u8(byte);
  }

  /** Writes `content` behind its own byte length, as a varint. */
  varintPrefixed(content: () => void): void {
    const start = this.#length;
    content();
    const end = this.#length;
    const prefix = varintBytes(end - start);
    this.#make(prefix.length);
    this.#bytes.copyWithin(start + prefix.length, start, end);
    this.#bytes.set(prefix, start);
  }

  /** Writes `content` behind its own byte length, as a u32. */
  u32Prefixed(content: () => void): void {
    const at = this.#make(4);
    content();
    this.#view.setUint32(at, this.#length - at - 4);
  }
}

function whole(value: number, least: number, most: number, type: string): void {
  if (!Number.isInteger(value) || value < least || value > most) throw new RangeError(`${value} is not a ${type}`);
}
