/** Shells that a person may have in a pane, and what each must do with a command line. */
import { existsSync } from "node:fs";

export interface Shell {
  readonly name: string;
  readonly program: string;
  readonly options: readonly string[];
}

/** zsh, busybox and mksh are Debian's; where they are missing, their rows are skipped. */
export const shells: readonly Shell[] = [
  { name: "sh", program: "/bin/sh", options: ["-i"] },
  { name: "bash", program: "/bin/bash", options: ["--norc", "--noprofile", "-i"] },
  { name: "zsh", program: "/usr/bin/zsh", options: ["-f", "-i"] },
  { name: "busybox", program: "/usr/bin/busybox", options: ["sh", "-i"] },
];

export const PROMPT = "ready> ";

export function commandOf(shell: Shell, prompt = PROMPT): readonly string[] {
  return ["/usr/bin/env", `PS1=${prompt}`, shell.program, ...shell.options];
}

/** Whether the tests of a shell can run; where everything is installed, a missing one is a failure of its own. */
export function isHere(shell: Shell): boolean {
  return existsSync(shell.program) || process.env["PHUX_MCP_SKIP_NOTHING"] !== undefined;
}

/** One command at a prompt: its exit code, and its output whole. */
export type Row = readonly [rule: string, command: string, exitCode: number, output: string];

export const rows: readonly Row[] = [
  ["a plain command", "echo hello", 0, "hello"],
  ["single and double quotes", `echo 'a b'  "c  d"`, 0, "a b c  d"],
  ["a quote inside quotes", `echo "it's"`, 0, "it's"],
  ["a here-document", "cat <<END\nfirst\nsecond $((1 + 1))\nEND", 0, "first\nsecond 2"],
  ["a comment at the end", "echo seen # not seen", 0, "seen"],
  ["a comment alone", "# nothing", 0, ""],
  ["several lines", "echo one\necho two", 0, "one\ntwo"],
  ["no newline at the end of the output", "printf end", 0, "end"],
  ["JSON in the output", `echo '{"exit_code":7}'`, 0, '{"exit_code":7}'],
  ["text like our markers in the output", "echo PHUXrun1x1x0RC=5=END", 0, "PHUXrun1x1x0RC=5=END"],
  ["nothing at all", "true", 0, ""],
  ["exit code 1", "false", 1, ""],
  ["exit code 2", "(exit 2)", 2, ""],
  ["exit code 124", "(exit 124)", 124, ""],
  ["exit code 125", "(exit 125)", 125, ""],
  ["exit code 126", "(exit 126)", 126, ""],
  ["exit code 130", "(exit 130)", 130, ""],
  ["exit code 255", "(exit 255)", 255, ""],
  ["a pipe", "printf 'b\\na\\n' | sort", 0, "a\nb"],
  ["a background job", "(sleep 0.01 &); echo started", 0, "started"],
  ["an end left open by a semicolon", "echo kept;", 0, "kept"],
  ["an exclamation mark", `echo "wow!bang"`, 0, "wow!bang"],
  ["a loop", "for i in 1 2 3; do echo $i; done", 0, "1\n2\n3"],
  ["wide characters", "echo 日本", 0, "日本"],
  ["output that comes late, of a pipe", "{ sleep 0.05; echo late; } | cat; echo after", 0, "late\nafter"],
  ["the code of a pipe is that of its last command", "false | true", 0, ""],
  ["and of a list that of its last one", "false; true; (exit 7)", 7, ""],
  ["a pipe into a program that stops reading", "seq 100000 | head -n 1", 0, "1"],
  ["a subshell that exits", "(echo in; exit 9)", 9, "in"],
  ["a function of one line", "f() { echo in f $1; return 6; }; f x", 6, "in f x"],
  ["an if of several lines", "if true\nthen\n  echo yes\nfi", 0, "yes"],
  ["a case with its own semicolons", "case x in\nx) echo matched;;\nesac", 0, "matched"],
  ["a here-document that holds a quote and a dollar", "cat <<'END'\nit's $HOME\nEND", 0, "it's $HOME"],
  ["a here-document and a comment after it", "cat <<END # seen\nbody\nEND", 0, "body"],
  ["a command that reads its input", "read line < /dev/null; echo ended $?", 0, "ended 1"],
  ["output on the error stream", "echo to-err >&2", 0, "to-err"],
  ["a carriage return in the output", "printf 'old\\rnew\\n'", 0, "new"],
  ["colours in the output", "printf '\\033[31mred\\033[0m\\n'", 0, "red"],
  ["a title in the output", "printf '\\033]0;title\\007text\\n'", 0, "text"],
  ["empty lines are kept between others", "printf 'a\\n\\nb\\n'", 0, "a\n\nb"],
  ["a backslash at the end of a line", "echo one \\\ntwo", 0, "one two"],
  ["braces, and brackets in quotes", "echo '[a]' {b} '(c)'", 0, "[a] {b} (c)"],
  ["a percent sign", "echo 100%d", 0, "100%d"],
  ["a tilde and a glob that matches nothing in quotes", "echo '~' '*.none'", 0, "~ *.none"],
  ["a very long word", `echo ${"x".repeat(300)}`, 0, "x".repeat(300)],
  ["the last command's code from the line before is not taken", "echo $?", 0, "0"],
];
