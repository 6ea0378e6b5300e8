import type { Random } from "./random.ts";

/** What a fuzzer starts from: encodings that are right. */
export type Corpus = readonly [Uint8Array, ...Uint8Array[]];

const MOST_BYTES = 4_096;
/** Bytes at which decoders branch: ends of ranges, lengths that are attacked, marks of the formats in use. */
const edges = [
  0, 1, 2, 4, 0x0a, 0x1b, 0x22, 0x5b, 0x5c, 0x7b, 0x7f, 0x80, 0xbf, 0xc0, 0xd8, 0xdf, 0xed, 0xfe, 0xff,
] as const;

/** An input: something right, with none to a few faults; seldom only noise. */
export function mutated(corpus: Corpus, random: Random): Uint8Array {
  if (random.oneIn(40)) return noise(random.below(64), random);
  let bytes: Uint8Array = random.pick(corpus);
  for (let faults = random.below(4); faults > 0; faults -= 1) bytes = withFault(bytes, corpus, random);
  return bytes.length > MOST_BYTES ? bytes.slice(0, MOST_BYTES) : bytes;
}

function noise(length: number, random: Random): Uint8Array {
  return Uint8Array.from({ length }, () => random.below(256));
}

function withFault(bytes: Uint8Array, corpus: Corpus, random: Random): Uint8Array {
  const at = bytes.length === 0 ? 0 : random.below(bytes.length);
  switch (random.below(8)) {
    case 0:
      return replaced(bytes, at, (bytes[at] ?? 0) ^ (1 << random.below(8)));
    case 1:
      return replaced(bytes, at, random.pick(edges));
    case 2:
      // Half the formats put lengths in front of what they measure: one more or one less.
      return replaced(bytes, at, (bytes[at] ?? 0) + (random.oneIn(2) ? 1 : 255));
    case 3:
      return bytes.slice(0, at);
    case 4:
      return joined(bytes.subarray(0, at), bytes.subarray(at + 1 + random.below(4)));
    case 5: {
      // A field, or what looks like one, a second time.
      const end = Math.min(bytes.length, at + 1 + random.below(32));
      return joined(bytes.subarray(0, end), bytes.subarray(at));
    }
    case 6: {
      const other = random.pick(corpus);
      return joined(bytes.subarray(0, at), other.subarray(other.length === 0 ? 0 : random.below(other.length)));
    }
    default:
      return joined(bytes.subarray(0, at), noise(1 + random.below(8), random), bytes.subarray(at));
  }
}

function replaced(bytes: Uint8Array, at: number, byte: number): Uint8Array {
  const copy = bytes.slice();
  if (at < copy.length) copy[at] = byte;
  return copy;
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
