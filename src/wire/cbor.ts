import { Buffer } from "node:buffer";
import { type WireError, wireError } from "./error.ts";
import { Reader } from "./reader.ts";
import { fail, ok, type Result } from "./result.ts";
import { Writer } from "./writer.ts";

/**
 * The part of CBOR (RFC 8949) that documents in metadata use. Integers and floats are different things there, so a
 * float is boxed; integers past 2^53 are bigint. Tags are dropped, undefined reads as null.
 */
export type Cbor = number | bigint | string | boolean | null | Uint8Array | CborFloat | readonly Cbor[] | CborMap;
export type CborMap = ReadonlyMap<string, Cbor>;

export class CborFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** Items inside items. A layout of n panes in a row nests n deep, so this is also a bound on such rows. */
export const MAX_CBOR_DEPTH = 512;

const major = { unsigned: 0, negative: 1, bytes: 2, text: 3, array: 4, map: 5, tag: 6, simple: 7 } as const;

/**
 * Definite lengths, shortest heads, members in map order, floats in the shortest exact form. RangeError for nesting
 * over MAX_CBOR_DEPTH.
 */
export function encodeCbor(value: Cbor): Uint8Array {
  const to = new Writer();
  write(to, value, 0);
  return to.finish();
}

function write(to: Writer, value: Cbor, depth: number): void {
  if (depth > MAX_CBOR_DEPTH) throw new RangeError(`nested more than ${MAX_CBOR_DEPTH} deep`);
  if (typeof value === "number" || typeof value === "bigint") writeInteger(to, value);
  else if (typeof value === "string") writeText(to, value);
  else if (typeof value === "boolean") to.u8(value ? 0xf5 : 0xf4);
  else if (value === null) to.u8(0xf6);
  else if (value instanceof CborFloat) writeFloat(to, value.value);
  else if (value instanceof Uint8Array) {
    head(to, major.bytes, value.length);
    to.bytes(value);
  } else if (isMap(value)) {
    head(to, major.map, value.size);
    for (const [key, member] of value) {
      writeText(to, key);
      write(to, member, depth + 1);
    }
  } else {
    head(to, major.array, value.length);
    for (const item of value) write(to, item, depth + 1);
  }
}

function isMap(value: readonly Cbor[] | CborMap): value is CborMap {
  return value instanceof Map;
}

function writeText(to: Writer, value: string): void {
  head(to, major.text, Buffer.byteLength(value));
  to.text(value);
}

function writeInteger(to: Writer, value: number | bigint): void {
  if (value >= 0) head(to, major.unsigned, value);
  else head(to, major.negative, typeof value === "bigint" ? -1n - value : -1 - value);
}

function head(to: Writer, kind: number, argument: number | bigint): void {
  const lead = kind << 5;
  if (argument < 24) to.u8(lead | Number(argument));
  else if (argument <= 0xff) {
    to.u8(lead | 24);
    to.u8(Number(argument));
  } else if (argument <= 0xffff) {
    to.u8(lead | 25);
    to.u16(Number(argument));
  } else if (argument <= 0xffffffff) {
    to.u8(lead | 26);
    to.u32(Number(argument));
  } else {
    to.u8(lead | 27);
    to.u64(BigInt(argument));
  }
}

function writeFloat(to: Writer, value: number): void {
  // One NaN is enough: the shortest.
  if (Number.isNaN(value) || Math.f16round(value) === value) {
    to.u8(0xf9);
    to.f16(value);
  } else if (Math.fround(value) === value) {
    to.u8(0xfa);
    to.f32(value);
  } else {
    to.u8(0xfb);
    to.f64(value);
  }
}

/**
 * One item and nothing behind it. Refuses indefinite lengths, map keys that are not text or stand twice, reserved
 * heads, and nesting over MAX_CBOR_DEPTH. Byte strings are views of the input.
 */
export function decodeCbor(bytes: Uint8Array): Result<Cbor, WireError> {
  const from = new Reader(bytes);
  const value = read(from, 0);
  if (from.remaining > 0) from.fail("malformed", `${from.remaining} bytes behind the item`);
  // Whoever stores CBOR stores it whole, so a cut-off item is simply no CBOR.
  return from.failure === null ? ok(value) : fail(wireError("malformed", from.failure.message));
}

function read(from: Reader, depth: number): Cbor {
  if (depth > MAX_CBOR_DEPTH) from.fail("malformed", `nested more than ${MAX_CBOR_DEPTH} deep`);
  const lead = from.u8();
  const kind = lead >> 5;
  if (kind === major.simple) return readSimple(from, lead & 31);
  const argument = readArgument(from, lead & 31);
  switch (kind) {
    case major.unsigned:
      return argument;
    case major.negative:
      return typeof argument === "bigint" ? -1n - argument : -1 - argument;
    case major.bytes:
      return from.bytes(Number(argument));
    case major.text:
      return from.text(Number(argument));
    case major.array:
      return readArray(from, Number(argument), depth);
    case major.map:
      return readMap(from, Number(argument), depth);
    default:
      return read(from, depth + 1);
  }
}

function readArgument(from: Reader, short: number): number | bigint {
  if (short < 24) return short;
  if (short === 24) return from.u8();
  if (short === 25) return from.u16();
  if (short === 26) return from.u32();
  if (short === 27) {
    const long = from.u64();
    return long <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(long) : long;
  }
  from.fail("malformed", `item head ${short} is reserved or of indefinite length`);
  return 0;
}

function readArray(from: Reader, length: number, depth: number): Cbor[] {
  const items: Cbor[] = [];
  if (length > from.remaining) from.fail("truncated", `${length} items do not fit in ${from.remaining} bytes`);
  for (let i = 0; i < length && from.failure === null; i++) items.push(read(from, depth + 1));
  return items;
}

function readMap(from: Reader, length: number, depth: number): Map<string, Cbor> {
  const map = new Map<string, Cbor>();
  if (2 * length > from.remaining) from.fail("truncated", `${length} members do not fit in ${from.remaining} bytes`);
  for (let i = 0; i < length && from.failure === null; i++) {
    const key = read(from, depth + 1);
    const member = read(from, depth + 1);
    if (typeof key !== "string") from.fail("malformed", "a map key is not text");
    else if (map.has(key)) from.fail("malformed", `map key ${JSON.stringify(key)} stands twice`);
    else map.set(key, member);
  }
  return map;
}

function readSimple(from: Reader, short: number): Cbor {
  switch (short) {
    case 20:
    case 21:
      return short === 21;
    case 22:
    case 23:
      return null;
    case 25:
      return new CborFloat(from.f16());
    case 26:
      return new CborFloat(from.f32());
    case 27:
      return new CborFloat(from.f64());
    default:
      from.fail("malformed", `simple value ${short}`);
      return null;
  }
}
