import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { decodeFrame, encodeFrame } from "../../src/wire/frame.ts";
import { FrameReader } from "../../src/wire/frame-reader.ts";
import { anyFrame } from "./arbitrary.ts";
import { hex } from "./wire.ts";

function drain(reader: FrameReader): unknown[] {
  const out: unknown[] = [];
  for (;;) {
    const raw = reader.next();
    if (!raw.ok || raw.value === null) return out;
    const frame = decodeFrame(raw.value.type, raw.value.body);
    out.push(frame.ok ? frame.value : frame.error);
  }
}

describe("FrameReader", () => {
  test("gives the same frames however the stream is split", () => {
    const stream = fc.tuple(fc.array(anyFrame, { maxLength: 12 }), fc.array(fc.integer({ min: 1, max: 40 })));
    const holds = fc.property(stream, ([frames, cuts]) => {
      const bytes = Buffer.concat(frames.map(encodeFrame));
      const reader = new FrameReader();
      const out: unknown[] = [];
      for (let at = 0, i = 0; at < bytes.length; i++) {
        const size = cuts[i] ?? bytes.length;
        reader.push(bytes.subarray(at, at + size));
        at += size;
        out.push(...drain(reader));
      }
      expect(out).toEqual(frames);
      expect(reader.buffered).toBe(0);
    });
    fc.assert(holds, { numRuns: 500 });
  });

  test("a body stays what it was while more comes in", () => {
    const reader = new FrameReader();
    const bodies: Uint8Array[] = [];
    for (let i = 0; i < 5_000; i++) {
      reader.push(encodeFrame({ name: "METADATA_VALUE", value: { value: new Uint8Array(50).fill(i % 251) } }));
      const raw = reader.next();
      if (raw.ok && raw.value !== null) bodies.push(raw.value.body);
    }
    expect(bodies.length).toBe(5_000);
    expect(bodies.every((body, i) => body.subarray(3).every((byte) => byte === i % 251))).toBe(true);
  });

  const lengths: [about: string, header: string, code: string][] = [
    ["length 0", "00000000", "frame_empty"],
    ["one over the cap", "01000001", "frame_too_large"],
    ["all ones", "ffffffff", "frame_too_large"],
  ];
  test.each(lengths)("%s ends the stream for good", (_, header, code) => {
    const reader = new FrameReader();
    reader.push(hex(header));
    expect(reader.next()).toMatchObject({ ok: false, error: { code } });
    reader.push(hex("00000001 41"));
    expect(reader.next()).toMatchObject({ ok: false, error: { code } });
    expect(reader.buffered).toBe(0);
  });

  test("a frame in front of a bad length still comes out", () => {
    const reader = new FrameReader();
    reader.push(hex("00000001 41 00000000"));
    expect(reader.next()).toEqual({ ok: true, value: { type: 0x41, body: new Uint8Array(0) } });
    expect(reader.next().ok).toBe(false);
  });

  test("a length at the cap opens a frame and costs nothing", () => {
    const before = process.memoryUsage().arrayBuffers;
    const readers = Array.from({ length: 64 }, () => new FrameReader());
    for (const reader of readers) {
      reader.push(hex("01000000 7f"));
      expect(reader.next()).toEqual({ ok: true, value: null });
    }
    // 64 announced frames of 16 MiB would be a gigabyte.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8_000_000);
  });

  test("a frame of which a sixteenth has come is held once", () => {
    const bytes = encodeFrame({ name: "METADATA_VALUE", value: { value: new Uint8Array(2_000_000).fill(7) } });
    const reader = new FrameReader();
    for (let at = 0; at < bytes.length; at += 65_536) reader.push(bytes.subarray(at, at + 65_536));
    const raw = reader.next();
    expect(raw.ok && raw.value?.body.buffer.byteLength).toBe(bytes.length);
  });

  test("one byte at a time is linear", () => {
    const bytes = encodeFrame({ name: "METADATA_VALUE", value: { value: new Uint8Array(2_000_000).fill(7) } });
    const reader = new FrameReader();
    const started = performance.now();
    for (let at = 0; at < bytes.length; at++) {
      reader.push(bytes.subarray(at, at + 1));
      if (at % 64 === 0) reader.next();
    }
    expect(reader.next()).toMatchObject({ ok: true, value: { type: 0xd1 } });
    // Quadratic copying of 2 MB in single bytes would take minutes.
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
