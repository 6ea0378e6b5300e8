/** The words after `register`. */
import { describe, expect, test } from "bun:test";
import { parseArguments } from "../../src/hosts/arguments.ts";
import { errorIn, valueIn } from "../phux/dialled.ts";

function request(...argv: string[]) {
  const parsed = valueIn(parseArguments(argv, "/work/here"));
  if (parsed.kind !== "request") throw new Error(parsed.kind);
  return parsed.request;
}

test("a host alone", () => {
  expect(request("cursor")).toMatchObject({
    host: { name: "cursor" },
    scope: "user",
    name: "phux",
    command: null,
    variables: [],
    readOnly: false,
    tools: null,
    print: false,
    remove: false,
  });
});

const taken: [argv: string[], means: object][] = [
  [["--scope", "project", "codex"], { scope: "project", host: { name: "codex" } }],
  [["codex", "--scope=project"], { scope: "project" }],
  [["cursor", "--name", "a.b c"], { name: "a.b c" }],
  [["cursor", "--name=-x"], { name: "-x" }],
  [["cursor", "--command", "phux-mcp"], { command: "phux-mcp" }],
  [["cursor", "--command", "./dist/phux-mcp"], { command: "/work/here/dist/phux-mcp" }],
  [["cursor", "--command", "/a b/../c"], { command: "/c" }],
  [
    ["cursor", "--env", "A=1=2", "--env=B=", "--env", "C= x\ny"],
    {
      variables: [
        ["A", "1=2"],
        ["B", ""],
        ["C", " x\ny"],
      ],
    },
  ],
  [["cursor", "--read-only", "--tools", "core,mail"], { readOnly: true, tools: "core,mail" }],
  [["cursor", "--print", "--remove"], { print: true, remove: true }],
  [["Claude"], { host: { name: "claude-code" } }],
  [["qwen-code"], { host: { name: "qwen" } }],
];
test.each(taken)("%p", (argv, means) => expect(request(...argv)).toMatchObject(means));

const refused: [argv: string[], says: string][] = [
  [["emacs"], "The hosts are claude-code, codex, gemini, opencode, vscode, cursor, windsurf, qwen, copilot, zed"],
  [["cursr"], "did you mean cursor?"],
  [["claude-cod"], "did you mean claude-code?"],
  [["cursor", "extra"], '"extra" is a second one'],
  [["cursor", "--nonsense"], 'no option "--nonsense"'],
  [["cursor", "--scop", "user"], "did you mean --scope?"],
  [["cursor", "-x"], 'no option "-x"'],
  [["cursor", "--scope", "galaxy"], '--scope is user or project, not "galaxy"'],
  [["windsurf", "--scope", "project"], "Windsurf has no servers of a project"],
  [["cursor", "--command"], "--command needs a value"],
  [["cursor", "--command", "--print"], "--command needs a value"],
  [["cursor", "--command", ""], "--command is empty"],
  [["cursor", "--tools", " "], "--tools is empty"],
  [["cursor", "--name", ""], "--name is empty"],
  [["cursor", "--name", "a\nb"], "holds a control character"],
  [["cursor", "--name", "x".repeat(65)], "more than 64 characters"],
  [["codex", "--name", "a b.c"], "Codex CLI takes letters, digits and _ : @ / . - only"],
  [["claude-code", "--name", "a.b"], "Claude Code takes letters, digits, _ and - only"],
  [["claude-code", "--name", "workspace"], "is reserved by Claude Code"],
  [["cursor", "--print", "--print"], "--print is given twice"],
  [["cursor", "--print=yes"], "--print takes no value"],
  [["cursor", "--name", "a", "--name", "b"], "--name is given twice"],
  [["cursor", "--env", "A=1", "--env", "A=2"], '--env "A" is given twice'],
  [["cursor", "--env", "=1"], "no usable name before the ="],
  [["cursor", "--env", "A B=1"], "no usable name before the ="],
];
test.each(refused)("%p is refused", (argv, says) => expect(errorIn(parseArguments(argv, "/"))).toContain(says));

describe("a secret is never repeated", () => {
  test.each([["A=s3cret", "A=s3cret"], ["=s3cret"], ["s3cret"]].map((pairs) => [pairs]))("%p", (pairs) => {
    const argv = ["cursor", ...pairs.flatMap((pair) => ["--env", pair])];
    expect(errorIn(parseArguments(argv, "/"))).not.toContain("s3cret");
  });
});

test("no host, and the name to look for; help wins over everything", () => {
  expect(valueIn(parseArguments([], "/"))).toEqual({ kind: "no-host", name: "phux" });
  expect(valueIn(parseArguments(["--name", "x"], "/"))).toEqual({ kind: "no-host", name: "x" });
  expect(valueIn(parseArguments(["emacs", "--bogus", "-h"], "/"))).toEqual({ kind: "help" });
});
