import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { cleanText } from "../../src/text/clean.ts";
import type { Budget } from "../../src/tools/budget.ts";
import { type Cut, fitDocument } from "../../src/tools/cut.ts";
import { beginningWithin, endWithin } from "../../src/tools/shorten.ts";
import { extentOf, fits } from "../../src/tools/shown.ts";
import type { Members } from "../../src/tools/squeeze.ts";

const UNCOUNTED = Number.POSITIVE_INFINITY;
const budget = (characters: number, lines = UNCOUNTED, bytes = UNCOUNTED): Budget => ({ characters, bytes, lines });
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
        const cleaned = cleanText(text);
        const bytes = Buffer.byteLength(cleaned);
        expect(extentOf(text)).toEqual({ characters: cleaned.length, bytes, lines: cleaned.split("\n").length });
        expect(fits(text, budget(cleaned.length, UNCOUNTED, bytes))).toBe(true);
        expect(fits(text, budget(cleaned.length - 1))).toBe(false);
        expect(fits(text, budget(UNCOUNTED, UNCOUNTED, bytes - 1))).toBe(false);
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
        if (extentOf(whole).characters <= characters) expect(cut).toBe(whole);
        else {
          expect(JSON.parse(cut)).toMatchObject({ truncated: true, truncated_reason: "result_limit" });
          expect(extentOf(cut).characters).toBeLessThanOrEqual(characters);
        }
      }),
      { numRuns: 300 },
    );
  });

  const graphemes = fc.string({ unit: "grapheme", maxLength: 9_000 });
  const size = fc.integer({ min: 0, max: 9_000 });
  const counted = (text: string) => extentOf(JSON.stringify(text)).characters - 2;
  test("the end of a text is whole characters, as many as fit", () => {
    fc.assert(
      fc.property(graphemes, size, (given, most) => {
        const kept = endWithin(given, budget(most));
        expect(given).toEndWith(kept);
        expect(kept.isWellFormed()).toBe(true);
        expect(counted(kept)).toBeLessThanOrEqual(most);
        // What was left out of it begins with a character that did not fit.
        if (kept !== given) expect(counted(given.slice(given.length - kept.length - 100))).toBeGreaterThan(most - 100);
        expect(/^(?:\p{M}|\u200d|\ufe0e|\ufe0f)/u.test(kept)).toBe(
          /^(?:\p{M}|\u200d|\ufe0e|\ufe0f)/u.test(given) && kept === given,
        );
      }),
      { numRuns: 300 },
    );
  });

  test("and so is its beginning", () => {
    fc.assert(
      fc.property(graphemes, size, (given, most) => {
        const kept = beginningWithin(given, budget(most));
        expect(given).toStartWith(kept);
        expect(kept.isWellFormed()).toBe(true);
        expect(counted(kept)).toBeLessThanOrEqual(most);
        expect(kept.endsWith("\u200d") && kept !== given).toBe(false);
      }),
      { numRuns: 300 },
    );
  });
});

describe("a budget is kept whatever a document is made of", () => {
  const nested = (levels: number, wrap: (inner: unknown) => unknown) =>
    Array.from({ length: levels }).reduce<unknown>((inner) => wrap(inner), "z".repeat(9_000));
  const many = <T>(count: number, of: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => of(at));
  const rows: [what: string, document: Members][] = [
    [
      "a list with an object of texts",
      { list: [Object.fromEntries([..."abcdefghi"].map((k) => [k, k.repeat(9_000)]))] },
    ],
    [
      "an object of thousands of members",
      { list: ["x"], map: Object.fromEntries(many(9_000, (at) => [`k${at}`, at])) },
    ],
    ["thousands of members of its own", { list: ["x"], ...Object.fromEntries(many(9_000, (at) => [`k${at}`, at])) }],
    ["a name of a megabyte", { list: ["x"], ["k".repeat(1e6)]: 1 }],
    ["the same in an entry", { list: [{ ["k".repeat(1e6)]: 1, id: 3 }] }],
    ["a number of a hundred thousand digits", { list: ["x"], n: 10n ** 100_000n }],
    ["lists in lists", { list: nested(100, (inner) => [inner, "x".repeat(50)]) }],
    ["objects in lists in objects", { list: nested(100, (inner) => [{ inner, n: 1 }]) }],
    ["lists deeper than JSON can be written", { list: nested(100_000, (inner) => [inner]) }],
    ["objects deeper than JSON can be written", { list: ["x"], map: nested(100_000, (inner) => ({ inner })) }],
    ["small entries in many lists", { lists: many(300, () => many(300, (at) => at)) }],
    ["a member that is larger than all the rest", { title: "t".repeat(1e6), list: many(20, (at) => `row ${at}`) }],
  ];
  test.each(rows)("%s", (_, document) => {
    for (const to of [budget(1_000), budget(10_000, UNCOUNTED, 11_500), budget(45_000, 100, 50_000)]) {
      const text = fitDocument(document, [{ at: ["list"], hint }], to);
      expect(fits(text, to)).toBe(true);
      expect(JSON.parse(text)).toMatchObject({ truncated: true, truncated_reason: "result_limit" });
    }
  });

  test("a title of a megabyte does not drive out the rows", () => {
    const document = { title: "t".repeat(1e6), list: Array.from({ length: 20 }, (_, at) => `row ${at}`) };
    expect(fit(document, [{ at: ["list"], hint }], budget(2_000))["list"]).toEqual(document.list);
  });

  test("a single row that is too long fills the budget with its end", () => {
    for (const list of [["漢".repeat(9_000)], ["first", "漢".repeat(9_000)]]) {
      const text = fitDocument({ list }, [{ at: ["list"], hint }], budget(10_000, UNCOUNTED, 11_500));
      expect(Buffer.byteLength(text)).toBeWithin(8_000, 11_501);
    }
  });

  test("rows whose positions are listed elsewhere are kept, as many as fit with them", () => {
    const wrapped = Array.from({ length: 10_000 }, (_, at) => at);
    const document = { scrollback: wrapped.map((at) => `row ${at}`), soft_wrap: { scrollback: wrapped } };
    const cuts: Cut[] = [{ at: ["scrollback"], mayGo: true, renumber: [["soft_wrap", "scrollback"]], hint }];
    const text = fitDocument(document, cuts, budget(10_000));
    const { scrollback, soft_wrap } = JSON.parse(text);
    expect(text.length).toBeWithin(9_000, 10_001);
    expect(scrollback.at(-1)).toBe("row 9999");
    expect(soft_wrap.scrollback).toEqual(scrollback.map((_: string, at: number) => at));
  });

  test("an emoji of several parts is kept whole or not at all", () => {
    const family = "👨‍👩‍👧‍👦";
    for (let extra = 0; extra < 12; extra += 1) {
      const { list } = fit({ list: [family.repeat(500) + "x".repeat(extra)] }, [{ at: ["list"], hint }], budget(2_000));
      expect(String(Array.isArray(list) && list[0])).toMatch(new RegExp(`^(${family})+x{${extra}}$`, "u"));
    }
  });
});

test("a megabyte of text is cut in no time", () => {
  const began = performance.now();
  fitDocument({ output: "漢😀é\n".repeat(200_000) }, [{ at: ["output"], hint }], budget(10_000));
  fitDocument({ rows: Array.from({ length: 20_000 }, (_, at) => `${at} ${"x".repeat(50)}`) }, [], budget(10_000));
  fitDocument({ rows: ["\u202e".repeat(4_000_000)] }, [{ at: ["rows"], hint }], budget(10_000));
  expect(performance.now() - began).toBeLessThan(1_500);
});
