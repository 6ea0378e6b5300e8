import type { WireError } from "./error.ts";
import { limits } from "./limits.ts";
import { Reader } from "./reader.ts";
import { fail, ok, type Result } from "./result.ts";
import { type Fields, type FieldsValue, type Tagged, tagged } from "./tagged.ts";
import { Writer } from "./writer.ts";

/** Who sends a frame. */
export type Direction = "c2s" | "s2c" | "both";

/** One frame type: a table of tagged fields, from which its codec and its value type follow (wire.md 2, 3, 8). */
export interface Frame<N extends string, V> {
  readonly type: number;
  readonly name: N;
  readonly direction: Direction;
  readonly content: Tagged<V>;
  /** The whole frame, length prefix and all. RangeError for a value that no frame can carry. */
  encode(value: V): Uint8Array;
  /** The body behind the type byte. Byte members of the value are views of it. */
  decode(body: Uint8Array): Result<V, WireError>;
}

export function frame<N extends string, F extends Fields>(
  type: number,
  name: N,
  direction: Direction,
  fields: F,
): Frame<N, FieldsValue<F>> {
  const content = tagged(fields);
  return {
    type,
    name,
    direction,
    content,
    encode(value) {
      const to = new Writer();
      to.u32Prefixed(() => {
        to.u8(type);
        content.write(to, value);
      });
      if (to.length - 4 > limits.frame) throw new RangeError(`${name} of ${to.length - 4} bytes is over the frame cap`);
      return to.finish();
    },
    decode(body) {
      const from = new Reader(body);
      const value = content.read(from);
      from.blame(name);
      return from.failure === null ? ok(value) : fail(from.failure);
    },
  };
}
