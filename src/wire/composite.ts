import type { Codec, Flat, Parts, Shape, ValueOf } from "./codec.ts";
import type { Reader } from "./reader.ts";
import { type Fields, type FieldsValue, tagged } from "./tagged.ts";
import type { Writer } from "./writer.ts";

/** A tag byte: 0 and nothing (null), or 1 and the value. Any other tag is malformed. */
export function opt<T>(codec: Codec<T>): Codec<T | null> {
  return {
    least: 1,
    shape: { kind: "opt", of: codec.shape },
    read(from) {
      const tag = from.u8();
      if (tag === 1) return codec.read(from);
      if (tag !== 0) from.fail("malformed", `option tag ${tag}`);
      return null;
    },
    write(to, value) {
      to.u8(value === null ? 0 : 1);
      if (value !== null) codec.write(to, value);
    },
  };
}

/** A slot that is walked, checked and thrown away: always read as null, always written as null. */
export function discarded<T>(codec: Codec<T | null>): Codec<null> {
  return {
    least: codec.least,
    shape: { kind: "discarded", of: codec.shape },
    read(from) {
      codec.read(from);
      return null;
    },
    write: (to) => codec.write(to, null),
  };
}

function list<T>(codec: Codec<T>, count: 16 | 32): Codec<readonly T[]> {
  const most = count === 16 ? 0xffff : 0xffffffff;
  return {
    least: count / 8,
    shape: { kind: "list", count, of: codec.shape },
    read(from) {
      const announced = count === 16 ? from.u16() : from.u32();
      const items: T[] = [];
      // An announced count costs nothing: what the bytes left cannot hold is refused before the first element.
      if (announced * codec.least > from.remaining) {
        from.fail("truncated", `${announced} elements do not fit in ${from.remaining} bytes`);
        return items;
      }
      for (let i = 0; i < announced && from.failure === null; i++) items.push(codec.read(from));
      return items;
    },
    write(to, value) {
      if (value.length > most) throw new RangeError(`${value.length} elements in a list${count}`);
      if (count === 16) to.u16(value.length);
      else to.u32(value.length);
      for (const item of value) codec.write(to, item);
    },
  };
}

export function list16<T>(codec: Codec<T>): Codec<readonly T[]> {
  return list(codec, 16);
}

export function list32<T>(codec: Codec<T>): Codec<readonly T[]> {
  return list(codec, 32);
}

/** A part that may be cut off at the end of a record, with what stands for it when a later part is written. */
export interface Trailing<T> {
  readonly codec: Codec<T>;
  readonly filler: T | undefined;
}

/** A trailing part. Without a filler nothing may follow it unless it is there itself. */
export function trailing<T>(codec: Codec<T>, filler?: T): Trailing<T> {
  return { codec, filler };
}

type Tail = Readonly<Record<string, Trailing<unknown>>>;
type TailValue<T extends Tail> = {
  [K in keyof T]?: T[K] extends { readonly codec: { read(from: Reader): infer V } } ? V : never;
};

// biome-ignore lint/complexity/noBannedTypes: an empty table of parts, and so an empty value.
export type None = {};

/** What may stand behind the fixed parts of a record: parts that can be cut off, or tagged fields to the end. */
export interface RecordEnd<T extends Tail, F extends Fields> {
  readonly trailing?: T;
  readonly tagged?: F;
}

export type RecordValue<P extends Parts, T extends Tail, F extends Fields> = Flat<
  { [K in keyof P]: ValueOf<P[K]> } & TailValue<T> & FieldsValue<F>
>;

/**
 * Parts one after another. Trailing parts are written as far as the last one present (an earlier absent one as its
 * filler) and read while bytes remain in the value that holds the record (wire.md 4).
 */
export function record<P extends Parts, T extends Tail = None, F extends Fields = None>(
  parts: P,
  end: RecordEnd<T, F> = {},
): Codec<RecordValue<P, T, F>> {
  const fixedParts = Object.entries(parts);
  const tail = Object.entries(end.trailing ?? {});
  const fields = end.tagged === undefined ? null : tagged(end.tagged);

  function read(from: Reader): Record<string, unknown> {
    const value: Record<string, unknown> = {};
    for (const [name, codec] of fixedParts) value[name] = codec.read(from);
    for (const [name, { codec }] of tail) {
      if (from.remaining === 0) break;
      value[name] = codec.read(from);
    }
    return fields === null ? value : Object.assign(value, fields.read(from));
  }

  function write(to: Writer, value: Readonly<Record<string, unknown>>): void {
    for (const [name, codec] of fixedParts) codec.write(to, value[name]);
    const present = tail.findLastIndex(([name]) => value[name] !== undefined);
    for (const [name, { codec, filler }] of tail.slice(0, present + 1)) codec.write(to, value[name] ?? filler);
  }

  const pairs = (named: readonly (readonly [string, Codec<unknown>])[]) =>
    named.map(([name, codec]) => [name, codec.shape] as const);
  const shape: Shape = {
    kind: "record",
    fields: pairs(fixedParts),
    trailing: pairs(tail.map(([name, { codec }]) => [name, codec])),
    tagged: fields?.shape ?? null,
  };
  return {
    least: fixedParts.reduce((sum, [, codec]) => sum + codec.least, 0),
    shape,
    // Built from the same three tables as the type.
    read: (from) => read(from) as RecordValue<P, T, F>,
    write(to, value) {
      write(to, value);
      // Tagged entries read only their own names out of the record.
      fields?.write(to, value as FieldsValue<F>);
    },
  };
}

/** A type that holds itself, bounded in depth (wire.md 10.1). */
export function nested<T>(codec: () => Codec<T>): Codec<T> {
  return {
    least: 1,
    shape: { kind: "nested", of: () => codec().shape },
    read: (from) => from.nested(() => codec().read(from)),
    write: (to, value) => codec().write(to, value),
  };
}

/** A codec whose bytes are bounded as a whole. */
export function atMost<T>(codec: Codec<T>, bytes: number): Codec<T> {
  return {
    ...codec,
    read(from) {
      const start = from.position;
      const value = codec.read(from);
      if (from.position - start > bytes) from.fail("malformed", `more than ${bytes} bytes`);
      return value;
    },
    write(to, value) {
      const start = to.length;
      codec.write(to, value);
      if (to.length - start > bytes) throw new RangeError(`more than ${bytes} bytes`);
    },
  };
}
