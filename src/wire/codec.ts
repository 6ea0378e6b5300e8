import type { Reader } from "./reader.ts";
import type { Writer } from "./writer.ts";

/**
 * One wire type: its encoder, its total decoder, its TypeScript type and its shape, all from one declaration.
 *
 * `read` never throws and never returns garbage silently: it marks the reader as failed. `write` throws RangeError on
 * a value outside the type, so that it writes nothing that `read` would refuse.
 */
export interface Codec<T> {
  /** Fewest bytes a value takes. Bounds what a list count can make us allocate. */
  readonly least: number;
  /** The same type as data: what tests generate values from and compare with the contract's schema. */
  readonly shape: Shape;
  /** How the value is written when it fills a whole tagged field, where that differs (str and bytes, wire.md 4). */
  readonly whole?: Codec<T>;
  read(from: Reader): T;
  write(to: Writer, value: T): void;
}

/** The value type of a codec. */
export type ValueOf<C> = C extends { read(from: Reader): infer T } ? T : never;

/** Named codecs, in wire order. */
export type Parts = Readonly<Record<string, Codec<unknown>>>;

/** Flattens an intersection, so that types read as plain objects. */
export type Flat<T> = { readonly [K in keyof T]: T[K] } & {};

export type Presence = "required" | "optional" | "repeated";

export type Shape =
  | { readonly kind: "u8" | "u16" | "u32" | "u64" | "i32" | "i64" | "f32" | "f64" | "bool" | "str" | "bytes" }
  | { readonly kind: "fixed"; readonly length: number }
  | {
      readonly kind: "oneOf";
      readonly of: Shape;
      readonly values: readonly number[];
      /** What another number makes of the value: nothing at all, or an unknown event. */
      readonly others: "malformed" | "opaque";
    }
  | { readonly kind: "checked"; readonly of: Shape; readonly accepts: (value: unknown) => boolean }
  | { readonly kind: "opt"; readonly of: Shape }
  | { readonly kind: "discarded"; readonly of: Shape }
  | { readonly kind: "list"; readonly count: 16 | 32; readonly of: Shape }
  | {
      readonly kind: "record";
      readonly fields: readonly (readonly [name: string, shape: Shape])[];
      readonly trailing: readonly (readonly [name: string, shape: Shape])[];
      readonly tagged: TaggedShape | null;
    }
  | { readonly kind: "union"; readonly variants: readonly VariantShape[]; readonly sized: boolean }
  | { readonly kind: "block"; readonly tagged: TaggedShape }
  | { readonly kind: "nested"; readonly of: () => Shape };

export type TaggedShape = readonly {
  readonly id: number;
  readonly name: string;
  readonly presence: Presence;
  readonly shape: Shape;
}[];

export type VariantShape = { readonly tag: number; readonly name: string; readonly body: Shape };
