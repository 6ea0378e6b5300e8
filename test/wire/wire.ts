import { expect } from "bun:test";
import type { WireError } from "../../src/wire/error.ts";
import {
  type AnyFrame,
  decodeFrame,
  encodeFrame,
  type FrameName,
  frames,
  type UnknownFrame,
} from "../../src/wire/frame.ts";
import { FrameReader } from "../../src/wire/frame-reader.ts";
import type { Result } from "../../src/wire/result.ts";
import { fromTagged, type Members } from "./vector.ts";

/** Spaces and line ends in hex are for the reader of a test. */
export function hex(text: string): Uint8Array {
  return Uint8Array.fromHex(text.replaceAll(/\s/g, ""));
}

/** The first frame of some bytes, or null when it is not all there. */
export function decodeWhole(bytes: Uint8Array): Result<AnyFrame | UnknownFrame | null, WireError> {
  const reader = new FrameReader();
  reader.push(bytes);
  const raw = reader.next();
  if (!raw.ok || raw.value === null) return raw.ok ? { ok: true, value: null } : raw;
  return decodeFrame(raw.value.type, raw.value.body);
}

export function isFrameName(name: string): name is FrameName {
  return name in frames;
}

/** A frame from the value form of the vectors. */
export function frameOf(name: string, value: Members): AnyFrame {
  if (!isFrameName(name)) throw new Error(`no frame ${name}`);
  // The shape that converts the members is the shape of this frame.
  return { name, value: fromTagged(frames[name].content.shape, value) } as AnyFrame;
}

export function encodeVector(name: string, value: Members): string {
  return encodeFrame(frameOf(name, value)).toHex();
}

/** Cut short, a stream is a frame still coming; a body is an error, or a frame that lacks its optional end. */
export function expectNoPrefixPasses(bytes: Uint8Array, frame: AnyFrame): void {
  for (let length = 0; length < bytes.length; length++) {
    expect(decodeWhole(bytes.subarray(0, length))).toEqual({ ok: true, value: null });
    if (length < 5) continue;
    const cut = decodeFrame(bytes[4] ?? 0, bytes.subarray(5, length));
    if (cut.ok) expect(cut.value).not.toEqual(frame);
    else expect(["truncated", "malformed"]).toContain(cut.error.code);
  }
}
