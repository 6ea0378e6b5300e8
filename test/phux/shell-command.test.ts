import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { runnableCommand } from "../../src/phux/shell-command.ts";

/** Typed as they are: simple commands that are complete. */
const simple = [
  "ls",
  "ls -la /tmp",
  "cargo test --workspace 2>&1 | tail -5",
  "make CC=gcc && ./run || echo failed; date",
  "sleep 1 & wait",
  `grep -n "a b" 'c d' < in > out 2>> err`,
  "echo a,b if done 50% a@b a:b",
  `echo 'it says "hi"!' '$HOME'`,
  "echo \\$ \\' \\\"",
  "echo 日本 é 👍🏽",
  "time ls",
  "git commit -m 'fix: it'",
  "x".repeat(700),
];

/** Handed over as one eval: each would take the marker with it, or be rewritten, or may be half of something. */
const handedOver: [why: string, command: string][] = [
  ["a comment", "ls # all"],
  ["a comment alone", "#"],
  ["a here-document", "cat <<E\nx\nE"],
  ["a here-string", "cat <<< x"],
  ["two lines", "a\nb"],
  ["nothing", "   "],
  ["an open single quote", "echo 'a"],
  ["an open double quote", 'echo "a'],
  ["a last backslash", "ls \\"],
  ["a last semicolon", "ls;"],
  ["a last ampersand", "ls &"],
  ["a last pipe", "ls |"],
  ["a last and", "ls &&"],
  ["a first semicolon", "; ls"],
  ["two operators", "a ;; b"],
  ["a redirection without a target", "ls >"],
  ["a redirection first", ">x ls"],
  ["a command substitution", "echo $(date)"],
  ["one inside quotes", 'echo "$(date)"'],
  ["backquotes", "echo `date`"],
  ["a variable, which may be unset", "echo $HOME"],
  ["one inside double quotes", 'echo "$HOME"'],
  ["a pattern, which may match nothing", "ls *.ts"],
  ["a home, whose user may not exist", "ls ~x"],
  ["an equals sign in front, an expansion of zsh", "echo =x"],
  ["a backslash inside double quotes", 'echo "a\\"b"'],
  ["a brace expansion", "echo {a,b}"],
  ["an assignment, whose variable may be read-only", "FOO=bar env"],
  ["braces of a variable", `echo \${x}`],
  ["an open brace of a variable", `echo \${x`],
  ["arithmetic", "echo $((1+2))"],
  ["a subshell", "(cd x; ls)"],
  ["an open bracket", "(ls"],
  ["a closing bracket", "ls)"],
  ["a history reference", "echo hi!"],
  ["one inside double quotes", 'echo "hi!"'],
  ["a negation", "! true"],
  ["quotes that only some shells know", "echo $'a\\n'"],
  ["a function", "f() { ls; }"],
  ["a process substitution", "diff <(a) <(b)"],
  ...["if true; then ls; fi", "for i in a; do ls; done", "while false; do ls; done", "case x in x) ls;; esac"].map(
    (command): [string, string] => ["a compound command", command],
  ),
  ...["fi", "done", "esac", "}", "then", "do", "ls; fi", "[[ a == a ]]", "{ ls; }"].map((command): [string, string] => [
    "half of one",
    command,
  ]),
  ["a brace that zsh takes for one", "echo }"],
  ...["export A", ". file", "set -o x", "echo a; shift 9", "readonly r"].map((command): [string, string] => [
    "a builtin that may abandon its line",
    command,
  ]),
];

/** Control characters travel as text: a pasted one edits, signals or is replaced on its way. */
const spelt: [command: string, typed: string][] = [
  ["a\tb", `eval "$(printf %b 'a\\0011b')"`],
  ["a\u0003b", `eval "$(printf %b 'a\\0003b')"`],
  ["a\r\nb", `eval "$(printf %b 'a\\0015\nb')"`],
  ["\u007f\u0085", `eval "$(printf %b '\\0177\\0302\\0205')"`],
  ["\t$x '\"`!\\n", `eval "$(printf %b '\\0011\\0044x \\0047\\0042\\0140\\0041\\0134n')"`],
  ["\t-x é\n\n", `eval "$(printf %b '\\0011-x é')"'\n\n'`],
];

describe("how a command is typed", () => {
  test.each(simple)("as it is: %s", (command) => expect(runnableCommand(command)).toBe(command));
  test.each(handedOver)("as one eval: %s (%j)", (_, command) =>
    expect(runnableCommand(command)).toBe(`eval '${command.replaceAll("'", "'\\''")}'`),
  );
  test.each(spelt)("its control characters spelt: %j", (command, typed) =>
    expect(runnableCommand(command)).toBe(typed),
  );

  // A terminal cuts a line at 4,096 bytes, some at 1,024; the markers stand on the same lines.
  test.each(["x", "'", "é", "\t", "日", "'\n", "a b ", "$(a) "])("of %j however often, no line is long", (piece) => {
    for (const times of [175, 233, 234, 700, 701, 1_024]) {
      const lines = runnableCommand(piece.repeat(times)).split("\n");
      expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThan(730);
    }
  });
});

const folder = mkdtempSync(join(tmpdir(), "phux-shell-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(shell: string, args: readonly string[], stdin = "") {
  const child = Bun.spawn([shell, ...args], {
    cwd: folder,
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C.UTF-8", HOME: folder, PS1: "", PS2: "", HISTFILE: "" },
    stdin: new TextEncoder().encode(stdin),
    stdout: "pipe",
    stderr: "ignore",
    // Without a terminal of ours to stop it.
    detached: true,
    timeout: 10_000,
    killSignal: "SIGKILL",
  });
  return { out: await child.stdout.text(), code: await child.exited };
}

const shells = ["/bin/sh", "/bin/bash", "/bin/dash", "/usr/bin/zsh", "/usr/bin/mksh"].filter(
  (shell) => Bun.which(shell) !== null,
);

/** The line that `phux run` types. */
const marked = (command: string) => `printf 'BEGIN\\n'; ${runnableCommand(command)}; printf '\\nEND %s\\n' "$?"`;

/** What stands between the markers, and the exit code behind the second; null when a marker did not come. */
function between(out: string): { out: string; code: number } | null {
  const [, text, code] = /BEGIN\n([\s\S]*)\nEND (\d+)\n/.exec(out) ?? [];
  return text === undefined ? null : { out: text, code: Number(code) };
}

/** Commands that mean the same in every shell, with what they print and how they end. */
const meanings: [command: string, out: string, code: number][] = [
  ["printf hi", "hi", 0],
  ["printf hi; false", "hi", 1],
  ["sh -c 'exit 7'", "", 7],
  ["printf a && printf b || printf c", "ab", 0],
  ["printf '%s.' a \"b c\" 'd e'", "a.b c.d e.", 0],
  ["printf hi # a comment", "hi", 0],
  ["cat <<E\nx 'y'\nE", "x 'y'\n", 0],
  ["printf a\nprintf b", "ab", 0],
  ["if true; then printf yes; fi", "yes", 0],
  ["for i in 1 2 3; do printf $i; done", "123", 0],
  ["printf %s $(printf in)", "in", 0],
  [`x=1; printf %s "\${x}2"`, "12", 0],
  ["(printf sub; exit 3)", "sub", 3],
  ["f() { printf f; return 4; }; f", "f", 4],
  ["! true", "", 1],
  [`printf %s 'a'\\''b"c!'`, `a'b"c!`, 0],
  ["printf x > file; printf y >> file; cat < file", "xy", 0],
  ["nosuchcommand_ 2>/dev/null", "", 127],
  ["printf 日本", "日本", 0],
  ["printf 'a\tb'", "a\tb", 0],
  ["printf 'a\u0003\u0004\u0015\u001b[1m\u007f\u0085b'; (exit 4)", "a\u0003\u0004\u0015\u001b[1m\u007f\u0085b", 4],
  ["printf '\t'; cat <<E\n$((1 + 1)) !`echo 'y'`\nE\n\n", "\t2 !y\n", 0],
  [`printf '${"long ".repeat(700)}'`, "long ".repeat(700), 0],
  [`printf '${"é\t".repeat(1_300)}'; (exit 5)`, "é\t".repeat(1_300), 5],
  [`printf "${"\\047".repeat(1_000)}"`, "'".repeat(1_000), 0],
];
describe.each(shells)("%s", (shell) => {
  test.each(meanings)("%j means what it says", async (command, out, code) =>
    expect(between((await run(shell, ["-c", marked(command)])).out)).toEqual({ out, code }),
  );
});

// What is wrong must not take the marker with it. dash ends the line of an unfinished quote: the run then ends at its
// limit (design.md section 6).
// The same of an error after which a shell gives up its line: an unset variable, a pattern without a match.
const errors = ["set -u; echo $nope; set +u", "readonly r=1; r=2", "echo *.none", "echo ~nobody-here", "export 1x=2"];
const broken = [...handedOver.map(([, command]) => command), ...errors, "echo 'it", "echo )", "<", "&& x"];
describe.each(["/bin/bash", "/usr/bin/zsh"].filter((shell) => Bun.which(shell) !== null))("typed into %s", (shell) => {
  const flags = shell.endsWith("bash") ? ["--norc", "--noprofile", "-i"] : ["-f", "-i"];
  test.each(broken)("%j leaves the marker where it was", async (command) => {
    const { out } = await run(shell, flags, `${marked(command)}\nprintf 'NEXT\\n'\n`);
    expect(out).toMatch(/\nEND \d+\n/);
    expect(out).toContain("NEXT");
  });
});

/** Pieces of commands: words of all kinds of quoting, and what joins them. */
const word = fc.oneof(
  fc.constantFrom("printf", "%s", "a", "-x", "~", "*", "$HOME", "$?", "a#b", "b=c", "if", "{a,b}"),
  fc.stringMatching(/^[a-z0-9 $#"`(){}]{0,6}$/).map((text) => `'${text}'`),
  fc.stringMatching(/^[a-z0-9 '#(){}]{0,6}$/).map((text) => `"${text}"`),
  fc.constantFrom("$(printf x)", "`printf x`", `\${HOME}`, "$((1+1))", "\\$", "\"$(printf 'y z')\""),
);
const simpleCommand = fc
  .array(word, { minLength: 0, maxLength: 4 })
  .map((words) => ["printf", "'%s.'", ...words].join(" "));
const command = fc
  .tuple(
    fc.array(simpleCommand, { minLength: 1, maxLength: 3 }),
    fc.constantFrom("; ", " && ", " || ", " | ", "\n"),
    fc.constantFrom("", " # end", "; false", "; (exit 3)", "\n", " 2>&1"),
  )
  .map(([commands, join, end]) => commands.join(join) + end);

describe.each(["/bin/sh", "/bin/bash"])("%s", (shell) => {
  test("a command does the same as it is and as it is typed", () =>
    fc.assert(
      fc.asyncProperty(command, async (line) => {
        const plain = await run(shell, ["-c", line]);
        expect(between((await run(shell, ["-c", marked(line)])).out)).toEqual(plain);
      }),
      { numRuns: 60 },
    ));
});
