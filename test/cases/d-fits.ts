/** What every answer must be, however large what it tells of: whole for its host, JSON, newest kept, with a way on. */
import { expect } from "bun:test";
import { type Members, members } from "../wire/vector.ts";
import type { Answer } from "./cd-host.ts";

const ANY = Number.POSITIVE_INFINITY;

/** What a host shows: UTF-16 units by shared/hosts, and UTF-8 bytes and lines where it was measured to count those. */
export interface Shown {
  /** What it calls itself; null for none. */
  readonly name: string | null;
  readonly characters: number;
  readonly bytes: number;
  readonly lines: number;
}

export const hosts: readonly Shown[] = [
  { name: "claude-code", characters: 48_000, bytes: ANY, lines: ANY },
  { name: "codex-mcp-client", characters: 10_000, bytes: 11_900, lines: ANY },
  { name: "gemini-cli-mcp-client", characters: 38_000, bytes: ANY, lines: ANY },
  { name: "opencode", characters: 45_000, bytes: 51_200, lines: 1_900 },
  { name: "copilot-cli", characters: 18_000, bytes: 20_480, lines: ANY },
  { name: "qwen-cli-mcp-client-phux", characters: 24_000, bytes: ANY, lines: 1_000 },
  { name: "somebody-else", characters: 40_000, bytes: ANY, lines: ANY },
  { name: "", characters: 40_000, bytes: ANY, lines: ANY },
  { name: null, characters: 40_000, bytes: ANY, lines: ANY },
];

/** One that counts characters, and those that count bytes, and lines. */
export const different = hosts.filter(({ name }) =>
  ["somebody-else", "codex-mcp-client", "opencode"].includes(name ?? ""),
);

/** What a person set counts characters alone. */
export const overridden = (characters: number): Shown => ({ name: "set", characters, bytes: ANY, lines: ANY });

/** Controls and what turns or hides text, which must not leave as they are; half a pair, which is no character. */
const unsafe = /[[\p{Cc}\p{Cs}\p{Bidi_Control}\u{E0000}-\u{E007F}]--[\n\t]]/v;
/** What no text begins with that begins with a whole character. */
const halved = /^(?:\p{M}|\u200d|\ufe0f|\p{Emoji_Modifier})/u;

/** No more than the host shows, and nothing in it that must not leave. */
export function expectSize(text: string, { characters, bytes, lines }: Shown): void {
  expect(text.length).toBeLessThanOrEqual(characters);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytes);
  expect(text.split("\n").length).toBeLessThanOrEqual(lines);
  expect(text).not.toMatch(unsafe);
}

/** The document of an answer that its host can show whole, and that is well formed. */
export function expectShown({ text, isError }: Pick<Answer, "text" | "isError">, shown: Shown): Members {
  expect([shown.name, isError]).toEqual([shown.name, false]);
  expectSize(text, shown);
  const document = members(JSON.parse(text));
  expect(halvedText(document)).toBeNull();
  return document;
}

/** The same of a document that was cut: it says so, says how to go on, and has used the room there is. */
export function expectCut(answer: Pick<Answer, "text" | "isError">, shown: Shown, leastShare = 0.8): Members {
  const document = expectShown(answer, shown);
  expect(document).toMatchObject({ truncated: true, truncated_reason: "result_limit" });
  expect(String(document["truncated_hint"])).toMatch(/: .{12,}/);
  const used = Math.max(
    answer.text.length / shown.characters,
    Buffer.byteLength(answer.text) / shown.bytes,
    answer.text.split("\n").length / shown.lines,
  );
  expect(used).toBeGreaterThan(leastShare);
  const { count } = document;
  const lists = Object.values(document).filter((value) => Array.isArray(value));
  if (count !== undefined) expect(lists.map((list) => list.length)).toContain(Number(count));
  return document;
}

/** The first text that is not of whole characters; null when there is none. */
function halvedText(value: unknown): string | null {
  if (typeof value === "string") return value.isWellFormed() && !halved.test(value) ? null : value;
  if (typeof value !== "object" || value === null) return null;
  for (const member of Object.values(value)) {
    const found = halvedText(member);
    if (found !== null) return found;
  }
  return null;
}
