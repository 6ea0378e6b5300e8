/** Plays a stream of bytes to the compiled binary in random pieces, and holds what comes back against what must. */
import { expect } from "bun:test";
import { type Line, type RawHost, SLACK, until } from "../e2e/raw-host.ts";
import type { Dice } from "./k-dice.ts";
import type { Reply } from "./k-oracle.ts";

/** Where a stream is cut: anywhere, also inside a character and between CR and LF; now and then byte by byte. */
export function pieces(stream: Uint8Array, dice: Dice): Uint8Array[] {
  const longest = dice.pick([1, 3, 40, 1_000, 64 * 1024, stream.length + 1]);
  const all: Uint8Array[] = [];
  for (let at = 0; at < stream.length; ) {
    const length = 1 + dice.below(longest);
    all.push(stream.subarray(at, at + length));
    at += length;
    // Single bytes for all of a long stream would take minutes.
    if (all.length > 4_000) return [...all, stream.subarray(at)];
  }
  return all;
}

/** Writes the pieces; sometimes the program gets to see one before the next comes, sometimes nobody reads for a while. */
export async function play(host: RawHost, stream: Uint8Array, dice: Dice): Promise<void> {
  let pauses = 60;
  for (const piece of pieces(stream, dice)) {
    host.write(piece);
    if (pauses === 0 || !dice.chance(0.1)) continue;
    pauses -= 1;
    if (dice.chance(0.3)) host.stopReading();
    await Bun.sleep(dice.below(3));
    host.read();
  }
}

/** Waits for the replies, and for an answer behind them; fails on one too few, too many, or other than expected. */
export async function expectReplies(host: RawHost, expected: readonly Reply[]): Promise<void> {
  const replies = () => host.lines.filter(({ message }) => message?.method === undefined).length;
  await until(() => replies() >= expected.length, "as many replies", 10_000 * SLACK).catch(() => {});
  await host.request("ping", undefined, 10_000);
  expectExactly(host, expected);
}

/** Holds every line that came, or the whole of a file, against what must have come. */
export function expectExactly(from: RawHost | Uint8Array, expected: readonly Reply[]): void {
  const lines = from instanceof Uint8Array ? linesOf(from) : from.lines;
  const messages = lines.flatMap(({ message }) => (message === undefined ? [] : [message]));
  const came = messages.filter(({ id, method }) => method === undefined && !String(id).startsWith("host-"));
  const said = came.map(({ id, result, error }): Reply => {
    return { id, is: error?.code ?? (result?.isError === true ? "refused" : "result") };
  });
  expect(tally(said)).toEqual(tally(expected));
  expectForm(lines);
}

type Seen = Pick<Line, "text" | "bytes" | "message">;

function linesOf(file: Uint8Array): Seen[] {
  const texts = new TextDecoder().decode(file).split("\n");
  expect(texts.pop()).toBe("");
  return texts.map((text) => ({ text, bytes: Buffer.from(text), message: JSON.parse(text) }));
}

/** Every line is a message in UTF-8, its members in order; progress is for a token that the host gave. */
function expectForm(lines: readonly Seen[]): void {
  for (const { text, bytes, message } of lines) {
    expect(text).toMatch(/^\{"jsonrpc":"2\.0","(id|method)":/);
    expect(Buffer.from(text).equals(bytes)).toBe(true);
    expect(text).not.toMatch(/[\u2028\u2029]/);
    if (message?.method === undefined) continue;
    expect(message.method).toBe("notifications/progress");
    const tokens: unknown[] = ["", "t", 0, 7];
    expect(tokens).toContain(message.params?.progressToken);
  }
}

/** Sorted, equal ones counted: what differs is then short. */
function tally(replies: readonly Reply[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { id, is } of replies) {
    const key = `${JSON.stringify(id)} ${is}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
