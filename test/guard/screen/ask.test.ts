import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { QUIET_MS } from "../../../src/guard/screen/challenge.ts";
import { DOWN, LEFT, Person, RIGHT, sheetFor, UP } from "./sample.ts";

/** A person who has read everything and may answer. */
const ready = (changes = {}) => new Person(sheetFor(changes)).wait(QUIET_MS);
const withLetters = (person: Person) => person.wait(QUIET_MS).types(person.letters ?? "");

describe("no", () => {
  const refusals: [name: string, keys: string][] = [
    ["Enter", "\r"],
    ["a newline", "\n"],
    ["Enter of a keypad", "\u{1b}OM"],
    ["Ctrl-C", "\u{3}"],
    ["Ctrl-D", "\u{4}"],
    ["Escape", "\u{1b}"],
    ["Escape twice", "\u{1b}\u{1b}"],
  ];
  test.each(refusals)("%s refuses", (_, keys) => {
    expect(ready().types(keys).rests().answer).toEqual({ answer: "no" });
  });

  test.each(refusals)("%s refuses whatever was chosen and typed", (_, keys) => {
    const person = ready().types(RIGHT).wait(QUIET_MS);
    person.types(person.letters?.slice(0, 2) ?? "");
    expect(person.types(keys).rests().answer).toEqual({ answer: "no" });
  });

  test.each(refusals)("%s in the first half second is dropped", (_, keys) => {
    const person = new Person(sheetFor()).wait(QUIET_MS - 1);
    expect(person.types(keys).rests().answer).toBeNull();
  });
});

describe("once and always", () => {
  const grants: [name: string, keys: string, answer: unknown][] = [
    ["once, the narrowest", RIGHT, { answer: "once", scope: "tab" }],
    ["once by Tab", "\t", { answer: "once", scope: "tab" }],
    ["always, the narrowest", RIGHT + RIGHT, { answer: "always", scope: "tab" }],
    ["more arrows than answers", RIGHT.repeat(9), { answer: "always", scope: "tab" }],
    ["and back", RIGHT + RIGHT + LEFT, { answer: "once", scope: "tab" }],
    ["back by Shift-Tab", `\t\t\u{1b}[Z`, { answer: "once", scope: "tab" }],
    ["a wider reach first", DOWN + RIGHT, { answer: "once", scope: "group" }],
    ["a wider reach last", RIGHT + RIGHT + DOWN.repeat(9), { answer: "always", scope: "all" }],
    ["up again", RIGHT + DOWN + DOWN + UP, { answer: "once", scope: "group" }],
    ["arrows of an application", "\u{1b}OC\u{1b}OB", { answer: "once", scope: "group" }],
  ];
  test.each(grants)("%s", (_, keys, answer) => {
    const person = ready().types(keys);
    expect(person.answer).toBeNull();
    expect(withLetters(person).answer as unknown).toEqual(answer);
  });

  test("capitals count too", () => {
    const person = ready().types(RIGHT).wait(QUIET_MS);
    expect(person.types(person.letters?.toUpperCase() ?? "").answer).toMatchObject({ answer: "once" });
  });

  test("what is asked every time is never granted for always", () => {
    const person = ready({ everyTime: true }).types(RIGHT + RIGHT);
    expect(withLetters(person).answer).toEqual({ answer: "once", scope: "tab" });
  });

  test("without a reach there is only no", () => {
    const person = new Person({ ...sheetFor(), reaches: [] }).wait(QUIET_MS).types(RIGHT);
    expect(person.state.answer).toBe("no");
  });
});

describe("what takes the answer back to no", () => {
  const slips: [name: string, keys: string][] = [
    ["another letter", "!"],
    ["a paste", "\u{1b}[200~x\u{1b}[201~"],
    ["a function key", "\u{1b}OP"],
    ["a letter with Alt", "\u{1b}k"],
    ["a letter beyond ASCII", "é"],
  ];
  test.each(slips)("%s", (_, keys) => {
    const person = ready().types(RIGHT).wait(QUIET_MS);
    const letters = person.letters ?? "";
    person.types(letters.slice(0, 2)).types(keys).types(letters.slice(2)).types(letters);
    expect(person.answer).toBeNull();
    expect(person.state.answer).toBe("no");
  });

  test("a letter before the letters are shown", () => {
    const person = ready().types(RIGHT);
    expect(person.letters).toBeNull();
    const { letters } = person.state.challenge ?? { letters: "" };
    person.wait(QUIET_MS - 1).types(letters);
    expect([person.answer, person.state.answer]).toEqual([null, "no"]);
  });

  test("the focus coming or going, with half a second of silence", () => {
    for (const report of ["\u{1b}[I", "\u{1b}[O"]) {
      const person = ready().types(RIGHT).wait(QUIET_MS).types(report);
      expect(person.state.answer).toBe("no");
      expect(person.wait(QUIET_MS - 1).types("\r").answer).toBeNull();
      expect(person.wait(1).types("\r").answer).toEqual({ answer: "no" });
    }
  });

  test("another choice wants other letters", () => {
    const person = ready().types(RIGHT).wait(QUIET_MS);
    const first = person.letters ?? "";
    person.types(first.slice(0, 2)).types(DOWN).wait(QUIET_MS);
    expect(person.letters).not.toBe(first);
    expect(person.types(first.slice(2)).state.answer).toBe("no");
  });
});

describe("reading before granting", () => {
  const long = Array.from({ length: 60 }, (_, at) => `echo line ${at}`).join("\n");

  test("nothing but no is offered before the end was on the screen", () => {
    const person = ready({ act: long }).types(RIGHT + RIGHT);
    expect(person.state.answer).toBe("no");
    expect(person.rows.join("\n")).toContain("more below");
    expect(person.rows.at(-2)).toContain("read on: Space");
    let pages = 0;
    while (person.page.seen <= long.length) {
      person.types(" ");
      pages += 1;
      expect(pages).toBeLessThan(60);
    }
    expect(pages).toBeGreaterThan(3);
    expect(withLetters(person.types(RIGHT)).answer).toEqual({ answer: "once", scope: "tab" });
  });

  test("every row was on the screen by then", () => {
    const person = ready({ act: long });
    const met = new Set<string>();
    for (let page = 0; page < 30; page += 1) {
      for (const row of person.rows) met.add(row.trim());
      person.types(" ");
    }
    for (let at = 0; at < 60; at += 1) expect(met).toContain(`│echo line ${at}${at < 59 ? "⏎" : ""}`);
    expect(person.state.seen).toBe(long.length + 1);
  });

  test("an act that nobody could read can only be refused", () => {
    const person = ready({ act: "x".repeat(50_001) });
    for (let page = 0; page < 100; page += 1) person.types(" ");
    expect(person.types(RIGHT).state.answer).toBe("no");
    expect(person.rows.at(-2)).toContain("can only be refused");
  });

  test("nor can one on a screen that is too small", () => {
    for (const size of [
      { columns: 39, rows: 24 },
      { columns: 80, rows: 8 },
      { columns: 1, rows: 1 },
    ]) {
      const person = new Person(sheetFor({ act: "x" }), size).wait(QUIET_MS).types(`  ${RIGHT}`);
      expect(person.state.answer).toBe("no");
      expect(person.types("\r").answer).toEqual({ answer: "no" });
    }
  });
});

describe("keys by chance", () => {
  const pieces = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(RIGHT, LEFT, UP, DOWN, "\t", "\u{1b}[Z", " ", "\u{1b}[I", "\u{1b}[200~") },
    { weight: 3, arbitrary: fc.string({ minLength: 1, maxLength: 6 }) },
    { weight: 1, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 12 }) },
  );

  test("typed at speed grant nothing, whatever they are", () => {
    const typed = fc.array(fc.tuple(pieces, fc.integer({ min: 0, max: 400 })), { maxLength: 60 });
    fc.assert(
      fc.property(typed, (keys) => {
        const person = new Person(sheetFor());
        for (const [key, ms] of keys) person.wait(Math.min(ms, QUIET_MS - 1)).types(key);
        expect(person.answer?.answer ?? "no").toBe("no");
      }),
      { numRuns: 300 },
    );
  });

  test("with all the time in the world grant only when the shown letters were typed one after the other", () => {
    const typed = fc.array(fc.tuple(pieces, fc.constantFrom(0, 100, 600)), { maxLength: 60 });
    fc.assert(
      fc.property(typed, (keys) => {
        const person = new Person(sheetFor());
        for (const [key, ms] of keys) {
          person.wait(ms);
          const asked = person.letters;
          person.types(key);
          if (person.answer === null || person.answer.answer === "no") continue;
          expect(
            new TextDecoder().decode(typeof key === "string" ? new TextEncoder().encode(key) : key).toLowerCase(),
          ).toContain(asked?.at(-1) ?? "never");
        }
      }),
      { numRuns: 300 },
    );
  });

  test("pasted grant nothing, the shown letters included", () => {
    const person = ready().types(RIGHT).wait(QUIET_MS);
    const letters = person.letters ?? "";
    expect(letters).toHaveLength(3);
    person.types(`\u{1b}[200~${letters}`).wait(600).types(`${letters}${RIGHT}${letters}\r\u{1b}[20`).types("1~");
    expect([person.answer, person.state.answer]).toEqual([null, "no"]);
  });
});
