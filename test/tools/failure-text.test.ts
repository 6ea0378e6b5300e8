import { describe, expect, test } from "bun:test";
import { refuse, sentence } from "../../src/phux/errors.ts";
import { cleanText } from "../../src/text/clean.ts";
import { childFailureText, failureText } from "../../src/tools/failure-text.ts";

const small = { characters: 1_000, bytes: Number.POSITIVE_INFINITY, lines: 20 };
const DOCUMENT = '{"schema_version":1,"error":{"code":"c","message":"m"},"remedy":"r","exit_code":1}';

describe("a refusal", () => {
  test("that fits is untouched", () => {
    expect(failureText(sentence("no"), small)).toBe("no");
    expect(JSON.parse(failureText(refuse("no_server", "nobody"), small))).toMatchObject({
      error: { message: "nobody" },
    });
  });

  const long: [what: string, message: string][] = [
    ["plain", `begin ${"x".repeat(50_000)}`],
    ["of characters beyond the BMP", `begin ${"😀".repeat(20_000)}`],
    ["of quotes", `begin ${'"'.repeat(20_000)}`],
    ["of controls", `begin ${"\u0001\u009b\u202e".repeat(9_000)}`],
    ["of lines", `begin ${"x\n".repeat(9_000)}`],
  ];
  test.each(long)("that is too long loses the end of its message: %s", (_, message) => {
    for (const refusal of [refuse("transport", message), sentence(message)]) {
      const text = failureText(refusal, { ...small, lines: Number.POSITIVE_INFINITY });
      expect(cleanText(text).length).toBeWithin(300, 1_001);
      expect(text).toContain("begin ");
      expect(text.isWellFormed()).toBe(true);
      if (refusal.code !== null) expect(JSON.parse(text)).toMatchObject({ remedy: refusal.remedy, exit_code: 1 });
    }
  });
});

describe("what a child said", () => {
  test("comes through unchanged where it fits", () => {
    for (const text of ["why it failed", `warning\n${DOCUMENT}`]) expect(childFailureText(text, small)).toBe(text);
  });

  test("loses whole lines from the front, so that the error document at its end stays whole", () => {
    const warnings = Array.from({ length: 400 }, (_, at) => `warning ${at}`).join("\n");
    const text = childFailureText(`${warnings}\n${DOCUMENT}`, small);
    expect(text).toEndWith(`warning 399\n${DOCUMENT}`);
    expect(text.length).toBeLessThanOrEqual(1_000);
    expect(text.split("\n").length).toBeLessThanOrEqual(20);
  });

  test("of one line loses that line's beginning", () => {
    const text = childFailureText(`${"x".repeat(5_000)}the end`, small);
    expect(text).toMatch(/^…x+the end$/);
    expect(text.length).toBeLessThanOrEqual(1_000);
  });

  test("as an error document of one long line stays a document, and keeps the beginning of its message", () => {
    const said = (message: string) => DOCUMENT.replace('"m"', JSON.stringify(message));
    for (const message of [
      `begin ${"x".repeat(9_000)}`,
      `begin ${"漢😀".repeat(9_000)}`,
      `begin ${'"'.repeat(9_000)}`,
    ]) {
      const text = childFailureText(`a warning\n${said(message)}`, { ...small, bytes: 1_100 });
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_100);
      expect(text.length).toBeLessThanOrEqual(1_000);
      expect(JSON.parse(text)).toMatchObject({ error: { code: "c" }, remedy: "r", exit_code: 1 });
      expect(JSON.parse(text).error.message).toMatch(/^begin .{100,}…$/);
    }
  });

  test("in more lines than its host shows loses the first, also as a refusal its last", () => {
    const lines = Array.from({ length: 100 }, (_, at) => String(at));
    expect(childFailureText(lines.join("\n"), small).split("\n")).toEqual(lines.slice(-20));
    expect(failureText(sentence(lines.join("\n")), small).split("\n")).toEqual([...lines.slice(0, 19), "19…"]);
  });
});
