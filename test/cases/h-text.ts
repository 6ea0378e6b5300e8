/** Text that does something to whoever shows it, text that only looks as if, and what must hold of both on their way. */
import { expect } from "bun:test";
import type { Message } from "../e2e/raw-host.ts";

/** What a terminal obeys, or what turns or hides what a person reads. Newline and tab are text. */
export const obeyed = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;

export type Sample = readonly [what: string, text: string];

export const hostile: readonly Sample[] = [
  ["a link by OSC 8", "\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007"],
  ["the clipboard by OSC 52", "\u001b]52;c;cm0gLXJmIC8=\u001b\\"],
  ["a title by OSC 0", "\u001b]0;root@host\u0007"],
  ["a device control string", "\u001bPtmux;\u001b\u001b[2J\u001b\\"],
  ["an application command", "\u001b_Gf=100;AAAA\u001b\\"],
  ["a cleared screen", "\u001b[2J\u001b[H\u001b[3J"],
  ["an answer that the terminal types", "\u001b[6n\u001b[c\u0005"],
  ["eight-bit controls", "\u009b31m\u009d8;;x\u009c\u0090q\u009c\u0085"],
  ["a line written over", "rm -rf /\rls      \b\b\b\u007f"],
  ["a bell, a NUL and a shift", "\u0007\0\u000e\u000f\u0000"],
  ["an override of direction", "user\u202egnp.exe\u202c"],
  ["isolates and embeddings", "\u2066a\u2069\u2067b\u2068c\u202ad\u202be\u202d"],
  ["marks of direction", "a\u200eb\u200fc\u061cd"],
  [
    "words in invisible tags",
    `hello${[..."kill"].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("")}\u{e007f}\u{e0001}`,
  ],
];

export const plain: readonly Sample[] = [
  ["Arabic", "مرحبا بالعالم، كيف الحال؟"],
  ["Hebrew with points", "שָׁלוֹם עוֹלָם"],
  ["Persian with a joiner's opposite", "می\u200cخواهم"],
  ["Thai", "สวัสดีชาวโลก"],
  ["Devanagari with joiners", "क्\u200dष नमस्ते"],
  ["Tamil", "வணக்கம்"],
  ["Japanese", "日本語とｶﾀｶﾅ"],
  ["Korean, composed and not", "한글 \u1112\u1161\u11ab"],
  ["marks on marks", "e\u0301 n\u0303 Z\u0351\u036b\u0343"],
  ["a family", "👨\u200d👩\u200d👧\u200d👦"],
  ["a profession and a skin", "👩🏽\u200d🚀"],
  ["flags of countries", "🇩🇪🇯🇵🇿🇦"],
  ["a keycap and a heart", "1\ufe0f\u20e3 ❤\ufe0f"],
  ["letters beyond the first plane", "𝔄𝕓𝒄 𐍈 𠮷"],
  ["separators of lines and paragraphs", "a\u2028b\u2029c"],
  ["a byte-order mark in the middle", "a\ufeffb"],
  ["what looks like escapes", "\\u001b[31m \\x1b \\\\u202e %1B &#27; ^["],
  ["what looks like JSON", '{"jsonrpc":"2.0","id":1,"result":{}}'],
  ["quotes, slashes and the end of a script", "\"'`\\/</script>"],
  ["a newline and a tab", "a\n\tb"],
];

export const everything: readonly Sample[] = [...hostile, ...plain];

/** The whole of both in one text. A terminal that obeyed any of it would show that. */
export const all = everything.map(([, text]) => text).join(" | ");

/** A line of the binary: UTF-8, one message, and no character in it, in no member of it, that anything obeys. */
export function expectHarmless({
  bytes,
  message,
}: {
  readonly bytes: Uint8Array;
  readonly message: Message | undefined;
}): void {
  const raw = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  expect(raw).not.toMatch(obeyed);
  expect(raw).not.toMatch(/[\u2028\u2029]/);
  expect(message).toBeDefined();
  for (const text of [message?.error?.message ?? "", ...(message?.result?.content ?? []).map((block) => block.text)]) {
    expect(text.replace(/[\n\t]/g, "")).not.toMatch(obeyed);
  }
}

/** Every text in a JSON value, names of members among them. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)]);
}

/** How a sentence shows what it must not hold. */
export const shown = (text: string) =>
  text.replace(/\r\n?/g, "\n").replace(new RegExp(obeyed, "gu"), (character) => {
    if (character === "\n" || character === "\t") return character;
    return character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join("");
  });

/** An escape that shows half of a character where the whole of it was given. */
export const half = /\\ud[89ab]..(?!\\ud[c-f])|(?<!\\ud[89ab]..)\\ud[c-f]../;

/** Bytes that are no UTF-8. */
export const broken: [what: string, bytes: number[]][] = [
  ["no UTF-8 at all", [0xff, 0xfe, 0x80, 0xc0]],
  ["a character cut off", [0x61, 0x62, 0xe6, 0x97]],
  ["a surrogate in UTF-8", [0xed, 0xa0, 0x80, 0x61]],
  ["an overlong slash", [0xc0, 0xaf, 0xe0, 0x80]],
  ["a bare C1 control", [0x61, 0x9b, 0x33, 0x6d]],
];
