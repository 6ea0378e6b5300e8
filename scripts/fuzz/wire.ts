import fc from "fast-check";
import { decodeCbor, encodeCbor } from "../../src/wire/cbor.ts";
import { decodeFrame, encodeFrame } from "../../src/wire/frame.ts";
import { FrameReader } from "../../src/wire/frame-reader.ts";
import { decodeLayout, encodeLayout, type LayoutVersion } from "../../src/wire/layout-document.ts";
import { layoutOf } from "../../test/phux/layout-text.ts";
import { anyFrame } from "../../test/wire/arbitrary.ts";
import type { Corpus } from "./mutation.ts";
import { broken, type Target } from "./target.ts";

const HEADER = 4;
const CORPUS_FRAMES = 4_000;

/** Frames of every kind, always the same ones. */
function frameCorpus(): Corpus {
  const [first, ...others] = fc.sample(anyFrame, { numRuns: CORPUS_FRAMES, seed: 1 }).map(encodeFrame);
  return first === undefined ? broken("no frames") : [first, ...others];
}

const frames = frameCorpus();

/** Type byte and body of a frame: what a frame reader hands on. */
const frame: Target = {
  name: "frame",
  corpus: [frames[0].slice(HEADER), ...frames.slice(1).map((bytes) => bytes.slice(HEADER))],
  run(input) {
    const decoded = decodeFrame(input[0] ?? 0, input.subarray(1));
    if (!decoded.ok) return decoded.error.message === "" ? broken("an error without a message") : false;
    if (decoded.value.name === "UNKNOWN") return false;
    const bytes = encodeFrame(decoded.value);
    const again = decodeFrame(bytes[HEADER] ?? 0, bytes.subarray(HEADER + 1));
    if (!again.ok) return broken(`what was decoded cannot be decoded again: ${again.error.message}`);
    return Bun.deepEquals(again.value, decoded.value, true) || broken("the round trip gives another value");
  },
};

/** Every raw frame that comes out of a stream cut into pieces of these sizes, and how it ended. */
function readIn(stream: Uint8Array, size: () => number) {
  const reader = new FrameReader();
  const found: string[] = [];
  for (let at = 0, end = 0; at < stream.length; at = end) {
    end = Math.min(stream.length, at + size());
    reader.push(stream.subarray(at, end));
    for (;;) {
      const next = reader.next();
      if (!next.ok) return { found, end: next.error.code, buffered: reader.buffered };
      if (next.value === null) break;
      found.push(`${next.value.type} ${Buffer.from(next.value.body).toString("latin1")}`);
    }
  }
  return { found, end: "", buffered: reader.buffered };
}

const stream: Target = {
  name: "stream",
  corpus: frames,
  run(input, random) {
    const whole = readIn(input, () => input.length);
    const pieces = readIn(input, () => 1 + random.below(24));
    if (!Bun.deepEquals(whole, pieces)) return broken("the pieces of a stream give other frames than the whole");
    if (whole.buffered > input.length) return broken("more is held than came");
    return whole.found.length > 0;
  },
};

const layouts = [
  "*1: @1 focus @1",
  "*1: H(0.5; V(0.35; @1, @2), @3) focus @2",
  "code: H(0.65; @1, @2) focus @1 | *run: @3 focus @3",
  "*long: V(0.1; @1, V(0.2; @2, V(0.3; @3, V(0.4; @4, H(0.5; @5, @6))))) focus @6",
] as const;
const stored = (version: LayoutVersion) => layouts.map((text) => encodeLayout(layoutOf(text, version), version));

const layout: Target = {
  name: "layout",
  corpus: [encodeLayout(layoutOf(layouts[0]), 3), ...stored(3), ...stored(2)],
  run(input, random) {
    const version = random.oneIn(2) ? 2 : 3;
    const decoded = decodeLayout(input, version);
    if (!decoded.ok) return false;
    const again = decodeLayout(encodeLayout(decoded.value, version), version);
    return (
      (again.ok && Bun.deepEquals(again.value, decoded.value)) || broken("a layout is another one after a round trip")
    );
  },
};

const cbor: Target = {
  name: "cbor",
  corpus: layout.corpus,
  run(input) {
    const decoded = decodeCbor(input);
    if (!decoded.ok) return false;
    const again = decodeCbor(encodeCbor(decoded.value));
    return (
      (again.ok && Bun.deepEquals(again.value, decoded.value)) || broken("a value is another one after a round trip")
    );
  },
};

export const wireTargets: readonly Target[] = [frame, stream, layout, cbor];
