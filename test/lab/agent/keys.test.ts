import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Key, KeyReader } from "./keys.ts";

const typed = (text: string): Key => ({ key: "text", text });
const pressed = (key: Exclude<Key["key"], "text">): Key => ({ key });
const bytes = (text: string) => new TextEncoder().encode(text);

const cases: [sent: string, keys: Key[]][] = [
  ["", []],
  ["a", [typed("a")]],
  ["hé漢", [typed("hé漢")]],
  ["a\rb", [typed("a"), pressed("enter"), typed("b")]],
  ["\n", [pressed("enter")]],
  ["\x7f\b", [pressed("backspace"), pressed("backspace")]],
  ["\x15\x03\x04", [pressed("clear"), pressed("interrupt"), pressed("end")]],
  ["\x01x", [typed("x")]],
  ["\x1b[A\x1b[1;5Cx\x1bOPy", [typed("x"), typed("y")]],
  ["\x1bfx", [typed("x")]],
  ["\x1b\x1b[Ax", [pressed("escape"), typed("x")]],
  ["\x1b\x03", [pressed("escape"), pressed("interrupt")]],
  ["\x1b[200~one\ntwo\x1b[201~\r", [typed("one two"), pressed("enter")]],
  ["\x1b[200~\x1b[201~x", [typed("x")]],
];

describe("what a terminal sends", () => {
  test.each(cases)("%j", (sent, keys) => {
    expect(new KeyReader().read(bytes(sent))).toEqual(keys);
  });

  test.each(cases)("%j, a byte at a time", (sent, keys) => {
    const reader = new KeyReader();
    const read = [...bytes(sent)].flatMap((byte) => reader.read(Uint8Array.of(byte)));
    expect(joined(read)).toEqual(joined(keys));
  });
});

test("an escape is the key when nothing follows", () => {
  const reader = new KeyReader();
  expect([reader.read(bytes("\x1b")), reader.waits]).toEqual([[], true]);
  expect(reader.settle()).toEqual(pressed("escape"));
  expect([reader.settle(), reader.waits]).toEqual([null, false]);
  expect(reader.read(bytes("x"))).toEqual([typed("x")]);
});

test("any bytes give keys, and the reader goes on", () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.string(), (noise, after) => {
      const reader = new KeyReader();
      reader.read(noise);
      reader.read(bytes(`\x1b[201~\x07\x1b[201~${after}`));
      expect(joined(reader.read(bytes("\rend"))).at(-1)).toEqual(typed("end"));
    }),
  );
});

/** Texts beside each other are one text. */
function joined(keys: readonly Key[]): Key[] {
  const whole: Key[] = [];
  for (const key of keys) {
    const last = whole.at(-1);
    const grown = last?.key === "text" && key.key === "text" ? typed(last.text + key.text) : null;
    if (grown !== null) whole.pop();
    whole.push(grown ?? key);
  }
  return whole;
}
