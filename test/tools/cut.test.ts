import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { cleanText } from "../../src/text/clean.ts";
import type { Budget } from "../../src/tools/budget.ts";
import { type Cut, fitDocument } from "../../src/tools/cut.ts";
import { shortenText } from "../../src/tools/shorten.ts";
import { excessOf, shownLength } from "../../src/tools/shown.ts";
import type { Members } from "../../src/tools/squeeze.ts";

const budget = (characters: number, lines = Number.POSITIVE_INFINITY): Budget => ({ characters, lines });
const hint = "there is more";
const fit = (document: Members, cuts: readonly Cut[], to: Budget): Members =>
  JSON.parse(fitDocument(document, cuts, to));
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

describe("a document that fits", () => {
  test("goes out as it is, also at exactly its size", () => {
    const document = { a: 1, list: ["x", "y"], text: "é" };
    const whole = JSON.stringify(document, null, 2);
    expect(fitDocument(document, [{ at: ["list"], hint }], budget(whole.length))).toBe(whole);
    expect(fitDocument(document, [], budget(1e9))).toBe(whole);
    expect(fitDocument(document, [], budget(1e9, 8))).toBe(whole);
  });

  test("one character or one line more is too much", () => {
    const document = { list: Array.from({ length: 100 }, (_, at) => `row ${at}`) };
    const whole = JSON.stringify(document, null, 2);
    for (const small of [budget(whole.length - 1), budget(1e9, whole.split("\n").length - 1)]) {
      expect(fit(document, [{ at: ["list"], hint }], small)).toMatchObject({ truncated: true, truncated_hint: hint });
    }
  });
});

describe("what is cut", () => {
  const rows = (count: number) => Array.from({ length: count }, (_, at) => `row ${at}`);

  test("the front of a list, no more than needed", () => {
    const to = budget(2_000);
    const text = fitDocument({ list: rows(500) }, [{ at: ["list"], hint }], to);
    const { list } = JSON.parse(text);
    expect(list).toEqual(rows(500).slice(-list.length));
    expect(text.length).toBeWithin(1_850, 2_001);
  });

  test("lists in the order of the cuts, the second only when the first is not enough", () => {
    const cuts = [
      { at: ["old"], mayGo: true, hint: "first" },
      { at: ["new"], hint: "second" },
    ] as const;
    const one = fit({ old: rows(200), new: rows(50) }, cuts, budget(2_000));
    expect(one["new"]).toEqual(rows(50));
    expect(one["truncated_hint"]).toBe("first");
    const both = fit({ old: rows(200), new: rows(500) }, cuts, budget(2_000));
    expect(both["old"]).toEqual([]);
    expect(both["new"]).toEqual(rows(500).slice(-(both["new"] as unknown[]).length));
  });

  test("a count beside the list says what is returned; another number does not change", () => {
    const document = { events: rows(500), count: 500, total: 500 };
    const cut = fit(document, [{ at: ["events"], hint }], budget(1_000));
    expect(cut["count"]).toBe((cut["events"] as unknown[]).length);
    expect(cut["total"]).toBe(500);
    expect(fit({ list: rows(500), count: 7 }, [{ at: ["list"], hint }], budget(1_000))["count"]).toBe(7);
  });

  test("positions in the list move with it", () => {
    const document = { scrollback: rows(500), soft_wrap: { lines: [3], scrollback: [0, 5, 498, 499] } };
    const cuts: Cut[] = [{ at: ["scrollback"], mayGo: true, renumber: [["soft_wrap", "scrollback"]], hint }];
    const cut = fit(document, cuts, budget(1_000));
    const kept = (cut["scrollback"] as unknown[]).length;
    expect(cut["soft_wrap"]).toEqual({ lines: [3], scrollback: [kept - 2, kept - 1] });
  });

  test("lines, where the host counts those", () => {
    const document = { cells: Array.from({ length: 300 }, (_, col) => ({ col, style: { bold: true } })), text: "x" };
    const text = fitDocument(document, [{ at: ["cells"], mayGo: true, hint }], budget(45_000, 400));
    expect(text.split("\n").length).toBeWithin(380, 401);
    expect(JSON.parse(text).cells.at(-1)).toEqual({ col: 299, style: { bold: true } });
  });

  test("lines that no cut is declared for", () => {
    const document = { note: "y".repeat(5_000), rows: { deep: rows(900) } };
    const text = fitDocument(document, [], budget(45_000, 100));
    expect(text.split("\n").length).toBeLessThanOrEqual(100);
    expect(JSON.parse(text).note).toBe(document.note);
  });

  test("the beginning of a text", () => {
    const cut = fit({ output: `${"a".repeat(9_000)}THE END` }, [{ at: ["output"], hint }], budget(2_000));
    expect(cut["output"]).toEndWith("aTHE END");
    expect(JSON.stringify(cut, null, 2).length).toBeWithin(1_850, 2_001);
  });

  test("base64 in groups of four, a text that is none at any character", () => {
    const cuts: Cut[] = [{ at: ["rendered", "data"], base64: true, hint }];
    const bytes = Buffer.from("0123456789".repeat(900));
    const vt = fit({ rendered: { format: "vt", data: bytes.toString("base64") } }, cuts, budget(2_000));
    const { data } = vt["rendered"] as { data: string };
    expect(bytes.toString()).toEndWith(Buffer.from(data, "base64").toString());
    const html = fit({ rendered: { format: "html", data: `<pre>${"👍🏽".repeat(3_000)}` } }, cuts, budget(2_000));
    expect(JSON.stringify(html)).not.toMatch(loneSurrogate);
  });

  test("one entry as large as all the others does not drive them out", () => {
    const events = [...rows(20).map((title) => ({ title })), { title: "z".repeat(100_000) }];
    const cut = fit({ events, count: 21 }, [{ at: ["events"], hint }], budget(4_000));
    expect(cut["count"]).toBe(21);
    expect((cut["events"] as { title: string }[]).at(-1)?.title).toMatch(/^z{500,}$/);
  });

  test("the only entry of a list keeps its end", () => {
    const cut = fit(
      { events: [{ title: `${"z".repeat(100_000)}END` }], count: 1 },
      [{ at: ["events"], hint }],
      budget(2_000),
    );
    expect((cut["events"] as { title: string }[])[0]?.title).toEndWith("zEND");
    expect(cut["count"]).toBe(1);
  });

  test("what no cut was declared for, with a hint of its own", () => {
    const cut = fit({ a: { b: ["x".repeat(5_000), "y".repeat(5_000)] } }, [], budget(1_500));
    expect(cut["truncated_hint"]).toBeString();
    expect(JSON.stringify(cut, null, 2).length).toBeLessThanOrEqual(1_500);
  });

  test("a reason that was there gives way, the rest of the document stays in place", () => {
    const document = { schema_version: 3, truncated: true, truncated_reason: "row_window", lines: rows(500) };
    const cut = fit(document, [{ at: ["lines"], hint }], budget(1_000));
    expect(Object.keys(cut)).toEqual(["schema_version", "truncated", "truncated_reason", "lines", "truncated_hint"]);
    expect(cut["truncated_reason"]).toBe("result_limit");
  });

  test("whole numbers keep all their digits", () => {
    const document = { big: 2n ** 63n, list: Array.from({ length: 500 }, (_, at) => 2n ** 60n + BigInt(at)) };
    const text = fitDocument(document, [{ at: ["list"], hint }], budget(1_000));
    expect(text).toContain("9223372036854775808");
    expect(text).toContain("1152921504606847475");
  });
});

describe("what the engine escapes counts as it will stand there", () => {
  const odd = ["\u009b", "\u007f", "\u202e", "\u200f", "\u{E0041}", "é", "a", "👍🏽", "\u0000", "\n"];
  test("the length of a document is that of its cleaned text", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...odd), { maxLength: 60 }), (parts) => {
        const text = JSON.stringify({ text: parts.join("") }, null, 2);
        expect(shownLength(text)).toBe(cleanText(text).length);
        expect(excessOf(text, budget(cleanText(text).length))).toBeNull();
        expect(excessOf(text, budget(cleanText(text).length - 1))).toEqual({ characters: 1, lines: 0 });
      }),
    );
  });

  test("so that a screen full of them still fits", () => {
    const lines = Array.from({ length: 400 }, (_, at) => `${at} ${"\u202e\u009b".repeat(20)}`);
    const text = fitDocument({ lines }, [{ at: ["lines"], hint }], budget(10_000));
    expect(cleanText(text).length).toBeWithin(9_500, 10_001);
  });
});

describe("any document", () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: "grapheme", maxLength: 400 }),
    fc.string({ unit: "binary", maxLength: 300 }),
  );
  const value = fc.letrec((tie) => ({
    any: fc.oneof({ depthSize: "small" }, fc.constant(null), fc.boolean(), fc.integer(), text, tie("list"), tie("map")),
    list: fc.array(tie("any"), { maxLength: 12 }),
    map: fc.dictionary(fc.string({ maxLength: 6 }), tie("any"), { maxKeys: 4 }),
  }));
  const document = fc.record({ list: fc.array(value.any, { maxLength: 60 }), text, more: value.map });
  const cuts: Cut[] = [
    { at: ["list"], hint },
    { at: ["text"], hint },
  ];

  test("parses, is within its budget, keeps the newest and no half character", () => {
    fc.assert(
      fc.property(document, fc.integer({ min: 1_000, max: 8_000 }), (given, characters) => {
        const whole = JSON.stringify(given, null, 2);
        const cut = fitDocument(given, cuts, budget(characters));
        expect(() => JSON.parse(cut)).not.toThrow();
        expect(cut).not.toMatch(loneSurrogate);
        if (shownLength(whole) <= characters) expect(cut).toBe(whole);
        else {
          expect(JSON.parse(cut)).toMatchObject({ truncated: true, truncated_reason: "result_limit" });
          // Names and numbers are never cut, so that a document of nothing else has no smaller form.
          const rest = JSON.stringify(given.more, (_, member) => (typeof member === "string" ? "" : member), 2);
          if (rest.length < characters / 4) expect(shownLength(cut)).toBeLessThanOrEqual(characters);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("a text is shortened at whole characters by enough, and by little more", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 9_000 }),
        fc.integer({ min: 0, max: 9_000 }),
        (given, excess) => {
          const kept = shortenText(given, excess);
          expect(given).toEndWith(kept);
          expect(kept.isWellFormed()).toBe(true);
          const saved = shownLength(JSON.stringify(given)) - shownLength(JSON.stringify(kept));
          if (kept !== "") expect(saved).toBeGreaterThanOrEqual(excess);
          expect(/^(?:\p{M}|\u200d|\ufe0e|\ufe0f)/u.test(kept)).toBe(false);
        },
      ),
      { numRuns: 300 },
    );
  });
});

test("a megabyte of text is cut in no time", () => {
  const began = performance.now();
  fitDocument({ output: "漢😀é\n".repeat(200_000) }, [{ at: ["output"], hint }], budget(10_000));
  fitDocument({ rows: Array.from({ length: 20_000 }, (_, at) => `${at} ${"x".repeat(50)}`) }, [], budget(10_000));
  expect(performance.now() - began).toBeLessThan(1_500);
});
