import type { Shape, TaggedShape } from "../../src/wire/codec.ts";

/** The value form of the contract's vectors (wire.md 25.3): bytes as hex, 64-bit integers as decimal text. */
export function toVector(value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (value instanceof Uint8Array) return value.toHex();
  if (Array.isArray(value)) return value.map(toVector);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toVector(member)]));
}

export type Members = Readonly<Record<string, unknown>>;

export function members(value: unknown): Members {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("not an object");
  return Object.fromEntries(Object.entries(value));
}

export function items(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error("not an array");
  return value;
}

/** A vector's value as the codec of this shape wants it. */
export function fromVector(shape: Shape, value: unknown): unknown {
  switch (shape.kind) {
    case "u64":
    case "i64":
      return BigInt(String(value));
    case "bytes":
    case "fixed":
      return Uint8Array.fromHex(String(value));
    case "oneOf":
    case "checked":
      return fromVector(shape.of, value);
    case "opt":
      return value === null ? null : fromVector(shape.of, value);
    case "list":
      return items(value).map((item) => fromVector(shape.of, item));
    case "nested":
      return fromVector(shape.of(), value);
    case "block":
      return fromTagged(shape.tagged, members(value));
    case "union": {
      const { tag } = members(value);
      const body = shape.variants.find(({ name }) => name === tag)?.body;
      if (body === undefined) throw new Error(`no alternative ${String(tag)}`);
      return { tag, ...members(fromVector(body, value)) };
    }
    case "record": {
      const given = members(value);
      const parts = [...shape.fields, ...shape.trailing.filter(([name]) => name in given)];
      const positional = parts.map(([name, part]) => [name, fromVector(part, given[name])]);
      return { ...Object.fromEntries(positional), ...fromTagged(shape.tagged ?? [], given) };
    }
    default:
      return value;
  }
}

export function fromTagged(tagged: TaggedShape, given: Members): Members {
  const present = tagged.filter(({ name }) => name in given);
  return Object.fromEntries(
    present.map(({ name, presence, shape }) => [
      name,
      presence === "repeated"
        ? items(given[name]).map((item) => fromVector(shape, item))
        : fromVector(shape, given[name]),
    ]),
  );
}
