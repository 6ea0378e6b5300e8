import type { Codec, Flat, Parts, VariantShape } from "./codec.ts";
import { type None, type RecordValue, record } from "./composite.ts";
import type { Reader } from "./reader.ts";
import type { Writer } from "./writer.ts";

/** One alternative of a union: its tag byte and what follows it. */
export interface Variant<T> {
  readonly tag: number;
  readonly body: Codec<T>;
}

export function variant<T>(tag: number, body: Codec<T>): Variant<T> {
  return { tag, body };
}

/** An alternative that is its tag alone. */
export function bare(tag: number): Variant<object> {
  return variant<object>(tag, record({}));
}

/** An alternative of parts one after another. */
export function plain<P extends Parts>(tag: number, parts: P): Variant<RecordValue<P, None, None>> {
  return variant(tag, record<P>(parts));
}

type Variants = Readonly<Record<string, Variant<object>>>;
type BodyOf<V> = V extends { readonly body: { read(from: Reader): infer T } } ? T : never;

/** `{ tag: "name", ...body }` for every alternative. */
export type UnionValue<V extends Variants> = {
  [K in keyof V & string]: Flat<{ readonly tag: K } & BodyOf<V[K]>>;
}[keyof V & string];

/** A tag that this table does not have, kept whole. */
export type Unknown = { readonly tag: "unknown"; readonly raw_tag: number; readonly body: Uint8Array };

function table(variants: Variants) {
  const entries = Object.entries(variants);
  const byTag = new Map(entries.map(([name, entry]) => [entry.tag, { name, entry }]));
  const byName = new Map<string, Variant<object>>(entries);
  const shapes: VariantShape[] = entries.map(([name, { tag, body }]) => ({ tag, name, body: body.shape }));

  return {
    shapes,
    byTag,
    // `tag` first, then the body: what the type says.
    join: (name: string, body: object) => ({ tag: name, ...body }),
    named(name: string): Variant<object> {
      const entry = byName.get(name);
      if (entry === undefined) throw new RangeError(`no alternative ${name}`);
      return entry;
    },
  };
}

/** A tag byte, then the body of that tag. An unknown tag is malformed. */
export function union<V extends Variants>(variants: V): Codec<UnionValue<V>> {
  const { shapes, byTag, join, named } = table(variants);
  const bodies = Object.values(variants).map(({ body }) => body.least);
  return {
    least: 1 + Math.min(...bodies),
    shape: { kind: "union", variants: shapes, sized: false },
    read(from) {
      const tag = from.u8();
      const found = byTag.get(tag);
      if (found === undefined) {
        from.fail("malformed", `unknown tag ${tag}`);
        // The value of a failed read is never looked at.
        return { tag: "" } as unknown as UnionValue<V>;
      }
      // Built from the same table as the type.
      return join(found.name, found.entry.body.read(from)) as UnionValue<V>;
    },
    write(to, value) {
      const entry = named(value.tag);
      to.u8(entry.tag);
      entry.body.write(to, value);
    },
  };
}

/**
 * A tag byte, a u32 byte length, then the body. An unknown tag, and a body with a strange number in it, is kept as
 * bytes by that length (wire.md 19.2).
 */
export function sizedUnion<V extends Variants>(variants: V): Codec<UnionValue<V> | Unknown> {
  const { shapes, byTag, join, named } = table(variants);

  function unknown(raw_tag: number, body: Uint8Array): Unknown {
    return { tag: "unknown", raw_tag, body };
  }

  function write(to: Writer, value: UnionValue<V> | Unknown): void {
    if (isUnknown(value)) {
      to.u8(value.raw_tag);
      to.u32Prefixed(() => to.bytes(value.body));
      return;
    }
    const entry = named(value.tag);
    to.u8(entry.tag);
    to.u32Prefixed(() => entry.body.write(to, value));
  }

  return {
    least: 5,
    shape: { kind: "union", variants: shapes, sized: true },
    read(from) {
      const tag = from.u8();
      const length = from.u32();
      const found = byTag.get(tag);
      if (found === undefined) return unknown(tag, from.bytes(length));
      const { name, entry } = found;
      from.strange = false;
      const { value, raw } = from.peeked(length, () => entry.body.read(from));
      if (from.strange) return unknown(tag, raw);
      // Built from the same table as the type.
      return join(name, value) as UnionValue<V>;
    },
    write,
  };
}

function isUnknown(value: { readonly tag: string }): value is Unknown {
  return value.tag === "unknown";
}
