import type { Codec } from "./codec.ts";

export const u8: Codec<number> = {
  least: 1,
  shape: { kind: "u8" },
  read: (from) => from.u8(),
  write: (to, value) => to.u8(value),
};

export const u16: Codec<number> = {
  least: 2,
  shape: { kind: "u16" },
  read: (from) => from.u16(),
  write: (to, value) => to.u16(value),
};

export const u32: Codec<number> = {
  least: 4,
  shape: { kind: "u32" },
  read: (from) => from.u32(),
  write: (to, value) => to.u32(value),
};

export const u64: Codec<bigint> = {
  least: 8,
  shape: { kind: "u64" },
  read: (from) => from.u64(),
  write: (to, value) => to.u64(value),
};

export const i32: Codec<number> = {
  least: 4,
  shape: { kind: "i32" },
  read: (from) => from.i32(),
  write: (to, value) => to.i32(value),
};

export const i64: Codec<bigint> = {
  least: 8,
  shape: { kind: "i64" },
  read: (from) => from.i64(),
  write: (to, value) => to.i64(value),
};

export const f32: Codec<number> = {
  least: 4,
  shape: { kind: "f32" },
  read: (from) => from.f32(),
  write: (to, value) => to.f32(value),
};

export const f64: Codec<number> = {
  least: 8,
  shape: { kind: "f64" },
  read: (from) => from.f64(),
  write: (to, value) => to.f64(value),
};

/** Any byte but 0 reads as true: 0.8 takes `composing` 2 (wire.md 7.3). */
export const bool: Codec<boolean> = {
  least: 1,
  shape: { kind: "bool" },
  read: (from) => from.u8() !== 0,
  write: (to, value) => to.u8(value ? 1 : 0),
};

/** Text: raw as a whole field, behind a u32 byte count anywhere deeper (wire.md 4). */
export const str: Codec<string> = {
  least: 4,
  shape: { kind: "str" },
  whole: {
    least: 0,
    shape: { kind: "str" },
    read: (from) => from.text(from.remaining),
    write: (to, value) => to.text(value),
  },
  read: (from) => from.text(from.u32()),
  write: (to, value) => to.u32Prefixed(() => to.text(value)),
};

/** Opaque bytes, with the two forms of `str`. What is read is a view of the input. */
export const bytes: Codec<Uint8Array> = {
  least: 4,
  shape: { kind: "bytes" },
  whole: {
    least: 0,
    shape: { kind: "bytes" },
    read: (from) => from.bytes(from.remaining),
    write: (to, value) => to.bytes(value),
  },
  read: (from) => from.bytes(from.u32()),
  write: (to, value) => to.u32Prefixed(() => to.bytes(value)),
};

/** Exactly `length` raw bytes without a prefix. */
export function fixed(length: number): Codec<Uint8Array> {
  return {
    least: length,
    shape: { kind: "fixed", length },
    // A reader that failed gives no bytes; whoever reads the value looks at the failure first.
    read: (from) => from.bytes(length),
    write(to, value) {
      if (value.length !== length) throw new RangeError(`${value.length} bytes where ${length} belong`);
      to.bytes(value);
    },
  };
}

export const rgb24: Codec<Uint8Array> = fixed(3);
export const bytes16: Codec<Uint8Array> = fixed(16);
export const bytes32: Codec<Uint8Array> = fixed(32);

/** A codec whose values keep one more rule: breaking it is malformed when read, RangeError when written. */
export function checked<T>(codec: Codec<T>, rule: string, accepts: (value: T) => boolean): Codec<T> {
  const shape = {
    kind: "checked",
    of: codec.shape,
    // The generator makes its values from `of`, so they are values of T.
    accepts: (value: unknown) => accepts(value as T),
  } as const;
  const guard = (inner: Codec<T>): Codec<T> => ({
    least: inner.least,
    shape,
    read(from) {
      const value = inner.read(from);
      if (from.failure === null && !accepts(value)) from.fail("malformed", rule);
      return value;
    },
    write(to, value) {
      if (!accepts(value)) throw new RangeError(rule);
      inner.write(to, value);
    },
  });
  return codec.whole === undefined ? guard(codec) : { ...guard(codec), whole: guard(codec.whole) };
}

/** A number of a closed table: any other one is malformed (wire.md 7.3). Open tables stay plain numbers. */
export function oneOf(codec: Codec<number>, name: string, table: Readonly<Record<string, number>>): Codec<number> {
  const values = Object.values(table);
  const known = new Set(values);
  const closed = checked(codec, `not a ${name}`, (value) => known.has(value));
  return { ...closed, shape: { kind: "oneOf", of: codec.shape, values, others: "malformed" } };
}

/** A number of a table that grows: another one is read, and makes the event that holds it opaque (wire.md 19.2). */
export function familiar(codec: Codec<number>, table: Readonly<Record<string, number>>): Codec<number> {
  const values = Object.values(table);
  const known = new Set(values);
  return {
    least: codec.least,
    shape: { kind: "oneOf", of: codec.shape, values, others: "opaque" },
    read(from) {
      const value = codec.read(from);
      if (!known.has(value)) from.strange = true;
      return value;
    },
    write: (to, value) => codec.write(to, value),
  };
}

function isNonZero(id: Uint8Array): boolean {
  return id.some((byte) => byte !== 0);
}

/** Sixteen bytes that a client mints at random: all zero is refused (wire.md 4.1). */
export const mintedId: Codec<Uint8Array> = checked(bytes16, "an id of zero bytes only", isNonZero);

/** Sixteen bytes of which all zero makes the event that holds them opaque (wire.md 19.2). */
export const approvalId: Codec<Uint8Array> = {
  ...mintedId,
  read(from) {
    const id = from.bytes(16);
    if (!isNonZero(id)) from.strange = true;
    return id;
  },
};

/** At most (and at least) so many bytes. */
export function sized(least: number, most: number): Codec<Uint8Array> {
  return checked(bytes, `not ${least} to ${most} bytes`, (value) => value.length >= least && value.length <= most);
}
