import { describe, expect, test } from "bun:test";
import { look } from "../detect/look.ts";
import { manifestOf } from "../detect/manifest.ts";
import { type Errand, errandOf } from "./errand.ts";
import { block, type Showing } from "./view.ts";

const rest: Showing = { showing: "rest" };
const work: Showing = { showing: "work", seconds: 3, tick: 5, waiting: 1 };
const question: Showing = { showing: "question", question: "Go on?", choices: ["Yes", "No"] };

describe("what is drawn", () => {
  test("the box, and what Enter would do", () => {
    expect(block(rest, "hello", "C-c again exits", 40).rows).toEqual([
      "╭─────────────────────────────────────╮",
      "│ > hello                             │",
      "╰─────────────────────────────────────╯",
      "  Enter sends · help lists what I do · ",
    ]);
    expect(block(question, "", null, 30).rows.slice(0, 3)).toEqual(["? Go on?", "  1. Yes", "  2. No"]);
    expect(block(work, "", null, 60).rows[0]).toBe("\\ Working (3 s, Esc interrupts), 1 waiting");
  });

  test("the cursor stands behind the input, of which the end shows", () => {
    expect(block(question, "ab", null, 40)).toMatchObject({ row: 4, column: 6 });
    expect(block(rest, "漢字", null, 40)).toMatchObject({ row: 1, column: 8 });
    const { rows, column } = block(rest, `${"x".repeat(100)}end`, null, 20);
    expect([rows[1], column]).toEqual(["│ > xxxxxxxxxxend │", 17]);
  });

  test.each([5, 16, 20, 39, 80, 200])("%d columns: no row is wider, and detection reads its state", (columns) => {
    const manifest = manifestOf("lab");
    if (manifest === null) throw new Error("there is no manifest for the lab's agent");
    const states = { rest: "idle", work: "working", question: "blocked" } as const;
    for (const showing of [rest, work, question]) {
      const { rows } = block(showing, "some words 漢字", null, columns);
      for (const row of rows) expect(Bun.stringWidth(row)).toBeLessThan(Math.max(columns, 16));
      expect(look(manifest, ["> an old prompt", ...rows])?.state).toBe(states[showing.showing]);
    }
  });
});

const prompts: [prompt: string, errand: Errand][] = [
  ["say hello there", { errand: "say", text: "hello there" }],
  ["/SAY x", { errand: "say", text: "x" }],
  ["run ls -l | wc", { errand: "run", command: "ls -l | wc" }],
  ["run", { errand: "reply", words: 1 }],
  ["ask Deploy? | Yes |  | No", { errand: "ask", question: "Deploy?", choices: ["Yes", "No"] }],
  ["ask Why?", { errand: "ask", question: "Why?", choices: [] }],
  ["ask", { errand: "reply", words: 1 }],
  ["work 2 found it", { errand: "work", seconds: 2, text: "found it" }],
  ["work 0.5", { errand: "work", seconds: 0.5, text: "Done." }],
  ["work 9999", { errand: "work", seconds: 3600, text: "Done." }],
  ["work hard", { errand: "reply", words: 2 }],
  ["help", { errand: "help" }],
  ["exit", { errand: "exit" }],
  ["review the diff", { errand: "reply", words: 3 }],
];
test.each(prompts)("%j", (prompt, errand) => {
  expect(errandOf(prompt)).toEqual(errand);
});
