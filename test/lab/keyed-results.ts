import { createHash } from "node:crypto";
import { type AnyFrame, encodeFrame } from "../../src/wire/frame.ts";
import { hex } from "./answer.ts";

const keptMs = 600_000;
const keptCount = 65_536;

/** What a key is bound to: the whole frame, once its sender has put the request id to 0. */
export function fingerprint(frame: AnyFrame): string {
  return createHash("sha256").update(encodeFrame(frame)).digest("hex");
}

/** First results by key, for ten minutes: what makes a repeat harmless (wire.md 24). */
export class KeyedResults<T> {
  readonly #kept = new Map<string, { readonly print: string; readonly result: T; readonly at: number }>();

  /** The kept result of a key, "conflict" when the key belongs to another request, null when it is free. */
  recall(key: Uint8Array, print: string): T | "conflict" | null {
    const kept = this.#kept.get(hex(key));
    if (!kept || Date.now() - kept.at >= keptMs) return null;
    return kept.print === print ? kept.result : "conflict";
  }

  keep(key: Uint8Array, print: string, result: T): void {
    this.#kept.set(hex(key), { print, result, at: Date.now() });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > keptCount && oldest !== undefined) this.#kept.delete(oldest);
  }
}
