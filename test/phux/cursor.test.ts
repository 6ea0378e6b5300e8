import { expect, test } from "bun:test";
import fc from "fast-check";
import { formatCursor, isCursorOf, parseCursor } from "../../src/phux/cursor.ts";

const read: [text: string, serverId: string, seq: bigint][] = [
  ["9f2c:412", "9f2c", 412n],
  ["9F2C:0", "9f2c", 0n],
  ["00:18446744073709551615", "00", 18_446_744_073_709_551_615n],
  [`00:${"0".repeat(40)}7`, "00", 7n],
];
test.each(read)("%s", (text, serverId, seq) => {
  expect(parseCursor(text)).toEqual({ ok: true, value: { serverId, seq } });
});

test.each([
  "",
  ":",
  "9f2c",
  ":5",
  "9f2:5",
  "zz:5",
  "9f2c:",
  "9f2c:-1",
  "9f2c:1 ",
  "9f2c:x",
  "9f:2c:5",
  "00:18446744073709551616",
])("%j is refused", (text) => {
  expect(parseCursor(text)).toMatchObject({ ok: false, error: { code: "invalid_cursor", exitCode: 2 } });
});

test("a cursor comes back from its own text and knows its server", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 32 }),
      fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      (id, seq) => {
        const parsed = parseCursor(formatCursor(id, seq));
        if (!parsed.ok) throw new Error(parsed.error.message);
        expect(parsed.value.seq).toBe(seq);
        expect(isCursorOf(parsed.value, id)).toBe(true);
        expect(isCursorOf(parsed.value, Uint8Array.of(...id, 0))).toBe(false);
      },
    ),
  );
});

test("any text gives a cursor or a refusal", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."09af:x") }), (text) => typeof parseCursor(text).ok === "boolean"),
  );
});
