import type { Codec, Flat, Presence, TaggedShape } from "./codec.ts";
import type { Reader } from "./reader.ts";
import type { Writer } from "./writer.ts";

/** One entry of a field-tagged table (wire.md 3). */
export interface Field<T, P extends Presence> {
  readonly id: number;
  readonly codec: Codec<T>;
  readonly presence: P;
}

export type Fields = Readonly<Record<string, Field<unknown, Presence>>>;

type Named<F extends Fields, P extends Presence> = { [K in keyof F]: F[K]["presence"] extends P ? K : never }[keyof F];
type FieldValue<F> = F extends { readonly codec: { read(from: Reader): infer T } } ? T : never;

/** The value of a field-tagged table: an absent optional field is an absent key, a repeated one an array. */
export type FieldsValue<F extends Fields> = Flat<
  { [K in Named<F, "required">]: FieldValue<F[K]> } & { [K in Named<F, "optional">]?: FieldValue<F[K]> } & {
    [K in Named<F, "repeated">]?: readonly FieldValue<F[K]>[];
  }
>;

/** A field that must be there: without it the whole is malformed. */
export function field<T>(id: number, codec: Codec<T>): Field<T, "required"> {
  return { id, codec, presence: "required" };
}

export function optional<T>(id: number, codec: Codec<T>): Field<T, "optional"> {
  return { id, codec, presence: "optional" };
}

/** A field that may stand several times, in order. Only nested tagged records have such (wire.md 3). */
export function repeated<T>(id: number, codec: Codec<T>): Field<T, "repeated"> {
  return { id, codec, presence: "repeated" };
}

/** The wire type byte: always written so, ignored when read. */
const WIRE_TYPE = 4;

/** The reading and writing of one table of tagged fields, up to the end of what holds them. */
export interface Tagged<V> {
  readonly shape: TaggedShape;
  read(from: Reader): V;
  write(to: Writer, value: V): void;
}

export function tagged<F extends Fields>(fields: F): Tagged<FieldsValue<F>> {
  const entries = Object.entries(fields)
    .map(([name, entry]) => ({ name, ...entry, content: entry.codec.whole ?? entry.codec }))
    .sort((a, b) => a.id - b.id);
  const byId = new Map(entries.map((entry) => [entry.id, entry]));

  function read(from: Reader): Record<string, unknown> {
    const value: Record<string, unknown> = {};
    while (from.remaining > 0) {
      const id = from.varint();
      from.u8();
      const length = from.varint();
      const entry = byId.get(id);
      if (entry === undefined) {
        from.bytes(length);
        continue;
      }
      const found = from.within(length, () => entry.content.read(from));
      if (from.failure !== null) from.blame(entry.name);
      const before = value[entry.name];
      if (entry.presence !== "repeated") value[entry.name] = found;
      else if (Array.isArray(before)) before.push(found);
      else value[entry.name] = [found];
    }
    for (const { name, presence } of entries) {
      if (presence === "required" && !(name in value)) from.fail("malformed", `${name} is missing`);
    }
    return value;
  }

  function write(to: Writer, value: Readonly<Record<string, unknown>>): void {
    for (const { id, name, presence, content } of entries) {
      const held = value[name];
      if (held === undefined) {
        if (presence === "required") throw new RangeError(`${name} is missing`);
        continue;
      }
      for (const one of presence === "repeated" && Array.isArray(held) ? held : [held]) {
        to.varint(id);
        to.u8(WIRE_TYPE);
        to.varintPrefixed(() => content.write(to, one));
      }
    }
  }

  return {
    shape: entries.map(({ id, name, presence, codec }) => ({ id, name, presence, shape: codec.shape })),
    // The table and the type come from the same `fields`: the one place where the compiler has to be told so.
    read: (from) => read(from) as FieldsValue<F>,
    write: (to, value) => write(to, value),
  };
}

/** Tagged fields behind a u32 byte count. */
export function block<F extends Fields>(fields: F): Codec<FieldsValue<F>> {
  const content = tagged(fields);
  return {
    least: 4,
    shape: { kind: "block", tagged: content.shape },
    read: (from) => from.within(from.u32(), () => content.read(from)),
    write: (to, value) => to.u32Prefixed(() => content.write(to, value)),
  };
}
