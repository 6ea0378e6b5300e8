import fc, { type Arbitrary } from "fast-check";
import type { Shape, TaggedShape } from "../../src/wire/codec.ts";
import { type AnyFrame, frames } from "../../src/wire/frame.ts";

const whole = (bits: number) => fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 2 ** bits - 1 }));
const small = fc.bigInt({ min: 0n, max: 1_000n });
const text = fc.string({ unit: "binary", maxLength: 12 });
const octets = fc.uint8Array({ maxLength: 24 });

/** Values of a wire type, made from the table that also makes its codec. */
export function arbitrary(shape: Shape): Arbitrary<unknown> {
  switch (shape.kind) {
    case "u8":
      return whole(8);
    case "u16":
      return whole(16);
    case "u32":
      return whole(32);
    case "u64":
      return fc.oneof(small, fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }));
    case "i32":
      return fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
    case "i64":
      return fc.oneof(small, fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }));
    case "f32":
      return fc.float();
    case "f64":
      return fc.double();
    case "bool":
      return fc.boolean();
    case "str":
      return text;
    case "bytes":
      return octets;
    case "fixed":
      return fc.uint8Array({ minLength: shape.length, maxLength: shape.length });
    case "oneOf":
      return fc.constantFrom(...shape.values);
    case "checked":
      return arbitrary(shape.of).filter(shape.accepts);
    case "opt":
      return fc.option(arbitrary(shape.of), { nil: null });
    case "discarded":
      return fc.constant(null);
    case "list":
      return fc.array(arbitrary(shape.of), { maxLength: 3 });
    case "nested":
      return arbitrary(shape.of());
    case "block":
      return arbitraryTagged(shape.tagged);
    case "record":
      return arbitraryRecord(shape);
    case "union":
      return arbitraryUnion(shape);
  }
}

/** Absent optional fields are absent keys; a repeated field that is there has an element. */
export function arbitraryTagged(tagged: TaggedShape): Arbitrary<object> {
  const members = tagged.map(({ name, presence, shape }) => {
    const value = arbitrary(shape);
    return [name, presence === "repeated" ? fc.array(value, { minLength: 1, maxLength: 3 }) : value] as const;
  });
  const required = tagged.filter(({ presence }) => presence === "required").map(({ name }) => name);
  return fc.record(Object.fromEntries(members), { requiredKeys: required, noNullPrototype: true });
}

function arbitraryRecord({ fields, trailing, tagged }: Extract<Shape, { kind: "record" }>): Arbitrary<object> {
  const record = (parts: typeof fields) =>
    fc.record(Object.fromEntries(parts.map(([name, part]) => [name, arbitrary(part)])), { noNullPrototype: true });
  // What is written is a run of the trailing parts from the first one on.
  const tail = fc.integer({ min: 0, max: trailing.length }).chain((count) => record(trailing.slice(0, count)));
  return fc
    .tuple(record(fields), tail, arbitraryTagged(tagged ?? []))
    .map(([fixed, present, rest]) => ({ ...fixed, ...present, ...rest }));
}

function arbitraryUnion({ variants, sized }: Extract<Shape, { kind: "union" }>): Arbitrary<object> {
  const known = variants.map(({ name, body }) =>
    arbitrary(body).map((value) => ({ tag: name, ...Object(value) }) as object),
  );
  const unknown = fc.record({ tag: fc.constant("unknown"), raw_tag: fc.integer({ min: 128, max: 255 }), body: octets });
  return fc.oneof(...known, ...(sized ? [unknown] : []));
}

/** Any frame of the protocol, both directions. */
export const anyFrame: Arbitrary<AnyFrame> = fc.oneof(
  ...Object.values(frames).map(({ name, content }) =>
    // The generator is made from the frame's own table.
    arbitraryTagged(content.shape).map((value) => ({ name, value }) as AnyFrame),
  ),
);
