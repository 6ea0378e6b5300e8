import { describe, expect, test } from "bun:test";
import { MarkScanner, type OutputNotes, questionInTitle } from "./marks.ts";

const rows: [what: string, output: string, notes: Partial<OutputNotes>][] = [
  ["text", "hello", { printed: true, bell: false, marks: [] }],
  ["a bell prints nothing", "\x07", { printed: false, bell: true }],
  [
    "a title that ends in BEL also rings",
    "\x1b]2;t\x07",
    { printed: false, bell: true, marks: [{ kind: "title", title: "t" }] },
  ],
  ["a title that ends in ST does not", "\x1b]0;t\x1b\\", { bell: false, marks: [{ kind: "title", title: "t" }] }],
  ["a command ends with its code", "\x1b]133;D;3\x07", { marks: [{ kind: "command_finished", exitCode: 3 }] }],
  ["or without one", "\x1b]133;D\x07", { marks: [{ kind: "command_finished", exitCode: null }] }],
  [
    "prompt, input, output",
    "\x1b]133;A\x07$ \x1b]133;B\x07ls\x1b]133;C\x07\n",
    { printed: true, marks: [{ kind: "prompt" }, { kind: "input" }, { kind: "command_started" }] },
  ],
  [
    "other sequences are not for us",
    "\x1b]7;file:///\x07\x1bP1$r\x1b\\\x1b(B\x1b_x\x1b\\",
    { printed: false, marks: [] },
  ],
];

test.each(rows)("%s", (_, output, notes) => {
  expect(new MarkScanner().scan(Buffer.from(output))).toMatchObject(notes);
});

test("a sequence may come in pieces", () => {
  const output = Buffer.from("\x1b]2;a title\x1b\\\x1b]133;D;0\x07");
  const scanner = new MarkScanner();
  const marks = [...output].flatMap((byte) => scanner.scan(Uint8Array.of(byte)).marks);
  expect(marks).toEqual([
    { kind: "title", title: "a title" },
    { kind: "command_finished", exitCode: 0 },
  ]);
});

describe("a question in a title", () => {
  test.each([
    ["phux-ask[deploy]:Approve?s=Yes|No", { id: "deploy", question: "Approve", suggestions: ["Yes", "No"] }],
    ["phux-ask[deploy]:Approve??s=Yes|No", { id: "deploy", question: "Approve?", suggestions: ["Yes", "No"] }],
    ["phux-ask[q]:Free answer", { id: "q", question: "Free answer", suggestions: [] }],
    ["phux-ask[q]:", null],
    ["vim", null],
  ])("%s", (title, question) => {
    expect(questionInTitle(title)).toEqual(question);
  });
});
