import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { frame, type Ink, painted } from "../../../src/guard/screen/paint.ts";
import { BAR, type Row, rowText, rowWidth } from "../../../src/guard/screen/row.ts";
import type { Size } from "../../../src/guard/screen/sheet-page.ts";
import { opinions, shownBy } from "./emulated.ts";
import { hostileText } from "./hostile.ts";
import { Person, RIGHT, reaches, request, sheetFor } from "./sample.ts";

const wide: Size = { columns: 80, rows: 24 };
const narrow: Size = { columns: 40, rows: 15 };

describe("the sheet", () => {
  test("at 80 columns", () => {
    const person = new Person(sheetFor(), wide).wait(500).types(RIGHT).wait(500);
    const letters = [...(person.letters ?? "")].join(" ");
    expect(person.rows.map((row) => row.trimEnd())).toEqual(
      [
        " GUARD  an agent asks: run",
        " client  │claude-code",
        "         process 4711, in terminal @3, session 1",
        " wants to type into a terminal",
        " of terminal @4, session 1",
        " title   │api server",
        " folder  │/srv/api",
        " process │zsh",
        " the exact text that would be typed: 1 line, 24 characters",
        "│npm test -- --grep login",
        `-- end of it ${"-".repeat(67)}`,
        " at stake:",
        "! Whatever that shell may do, the command may do: change files, reach the",
        "! network, end programs.",
        "",
        `-- all of it is shown ${"-".repeat(58)}`,
        " reach > terminal @4 only",
        "         every terminal of session 1",
        "         every terminal",
        " answer  no  [once]  always",
        ` to allow once, type ${letters}`,
        " Enter, Esc, Ctrl-C: no   Space: on",
      ].flatMap((row, at) => (at === 14 ? ["", "", ""] : [row])),
    );
  });

  test("at 40 columns and 15 rows, page by page", () => {
    const person = new Person(sheetFor(), narrow).wait(500);
    expect(person.rows).toHaveLength(15);
    expect(person.rows[8]).toBe("-- 1-7 of 16, 9 more below -------------");
    person.types(" ");
    expect(person.rows[8]).toBe("-- 7-13 of 16, 3 more below ------------");
    expect(person.types("  ").rows[8]).toBe("-- 10-16 of 16, the end ----------------");
    expect(person.types(RIGHT).state.answer).toBe("once");
  });

  test("few rows show the chosen reach alone", () => {
    const person = new Person(sheetFor(), { columns: 40, rows: 9 }).wait(500).types("\u{1b}[B");
    expect(person.rows).toHaveLength(9);
    expect(person.rows.find((row) => row.startsWith(" reach"))).toBe(" reach 2/3 every terminal of session 1");
  });

  const counts: [act: string, says: string][] = [
    ["ls", "1 line, 2 characters"],
    ["ls\npwd", "2 lines, 6 characters"],
    ["échó", "1 line, 4 characters, 2 not ASCII"],
    ["a\u{1b}\u{1b}b\u{202e}", "1 line, 5 characters, 1 not ASCII, 2 shown by name"],
    ["", "1 line, 0 characters"],
  ];
  test.each(counts)("counts %j", (act, says) => {
    expect(new Person(sheetFor({ act }), { columns: 160, rows: 24 }).rows.join("\n")).toContain(`typed: ${says}\n`);
  });

  test("a long name leaves room for the rest, and says how much is not shown", () => {
    const { rows } = new Person(sheetFor({ asker: { ...request.asker, client: "n".repeat(500), tab: null } }));
    expect(rows.filter((row) => row.includes("nnn"))).toHaveLength(3);
    expect(rows[4]).toMatch(/^ {9}and 2\d\d characters more$/);
    expect(rows[5]).toBe("         process 4711, in no terminal of this phux");
  });
});

/** Rows of the guard's own words: whatever the request says, they stand as they are, and only there. */
const ownRows = (rows: readonly string[]) => rows.filter((row) => !row.includes(BAR));

describe("whatever an agent writes", () => {
  const size = fc.record({ columns: fc.integer({ min: 40, max: 90 }), rows: fc.integer({ min: 9, max: 30 }) });
  const texts = fc.record({
    client: hostileText,
    act: hostileText,
    title: hostileText,
    folder: hostileText,
    process: hostileText,
  });
  const asked = ({
    client,
    act,
    ...target
  }: {
    client: string;
    act: string;
    title: string;
    folder: string;
    process: string;
  }) => sheetFor({ act, asker: { ...request.asker, client }, target: { terminal: "@4", group: "1", ...target } });

  test("no row is wider than the screen, and only the guard writes outside the bars", () => {
    fc.assert(
      fc.property(texts, size, (said, at) => {
        const person = new Person(asked(said), at).wait(500);
        for (let page = 0; page < 40; page += 1) {
          const { rows } = person.page;
          expect(rows).toHaveLength(at.rows);
          for (const row of rows) {
            expect(rowWidth(row)).toBeLessThanOrEqual(at.columns);
            const bar = row.findIndex(({ tone }) => tone === "bar");
            const own = (bar === -1 ? row : row.slice(0, bar)).map(({ text }) => text).join("");
            expect(own).toMatch(/^[\x20-\x7e]*$/);
            if (bar !== -1) expect(own).toMatch(/^(?: (?:client|title|folder|process) +| *)$/);
          }
          person.types(" ");
        }
        expect(person.types(RIGHT).state.answer).toBe("once");
      }),
      { numRuns: 150 },
    );
  });

  test("the guard's own rows are those of a harmless request", () => {
    const plain = ownRows(
      new Person(asked({ client: "a", act: "a", title: "a", folder: "a", process: "a" }), { columns: 160, rows: 99 })
        .rows,
    );
    const ours = new Set(plain);
    fc.assert(
      fc.property(texts, (said) => {
        const rows = ownRows(new Person(asked(said), { columns: 160, rows: 99 }).rows);
        const other = rows.filter((row) => !ours.has(row) && !/^ {9}and \d+ characters? more$/.test(row));
        // What differs is the count of the act, and how much of a page is filled.
        for (const row of other)
          expect(row).toMatch(/^ (?:the exact text that would be typed: |answer|before an answer)|^-- /);
      }),
    );
  });

  test.each([...opinions])("a terminal of opinion %s shows each row where it belongs, whole", async (opinion) => {
    await fc.assert(
      fc.asyncProperty(texts, size, fc.constantFrom<Ink>("colour", "monochrome"), async (said, at, ink) => {
        const { page } = new Person(asked(said), at);
        const { bytes } = frame(page.rows, null, at, ink);
        const shown = await shownBy(opinion, at, `\u{1b}[?7l${bytes}`);
        expect(shown.map(stripped)).toEqual(page.rows.map((row) => stripped(rowText(row).trimEnd())));
      }),
      { numRuns: 60 },
    );
  });
});

/** Where an opinion gives a mark a cell of its own, or none, the cells hold the same characters all the same. */
const stripped = (row: string) => row.replace(/\p{M}/gu, "");

describe("painting", () => {
  const row: Row = [
    { text: "a", tone: "faint" },
    { text: BAR, tone: "bar" },
    { text: "b", tone: "mark" },
  ];
  const inks: [ink: Ink, bytes: string][] = [
    ["colour", "\u{1b}[2ma\u{1b}[0m\u{1b}[33m│\u{1b}[0m\u{1b}[7;36mb\u{1b}[0m"],
    ["monochrome", "\u{1b}[2ma\u{1b}[0m│\u{1b}[7mb\u{1b}[0m"],
    ["plain", "a│b"],
  ];
  test.each(inks)("%s", (ink, bytes) => expect(painted(row, ink)).toBe(bytes));

  test("monochrome names no colour", () => {
    for (const each of new Person(sheetFor({ act: "\u{1b}" })).page.rows) {
      expect(painted(each, "monochrome")).not.toMatch(/\[(?:\d;)?3\d/);
    }
  });

  test("only rows that changed are drawn again", () => {
    const { page } = new Person({ request, reaches });
    const first = frame(page.rows, null, wide, "colour");
    expect(frame(page.rows, first.lines, wide, "colour").bytes).toBe("");
    const changed = [...page.rows.slice(0, -1), [{ text: "x", tone: "plain" } as const]];
    expect(frame(changed, first.lines, wide, "colour").bytes).toBe("\u{1b}[24;1H\u{1b}[2Kx");
  });
});
