/**
 * `phux run` types a command between two markers on one line: `printf BEGIN; COMMAND; printf END $?`. A command that
 * would swallow what follows it, or that the shell's line editor would rewrite, is handed over as one `eval` of a
 * single-quoted string instead, which the shell reads as a whole (design.md section 6).
 */
export function runnableCommand(command: string): string {
  return isSimple(command) ? command : `eval ${quoted(command)}`;
}

/** One word of a POSIX shell that stands for exactly this text. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * Words that are half of a construct where a command may begin, in any of the shells that people use. zsh takes the
 * two braces for that wherever they stand alone.
 */
const reserved = new Set(
  "if then elif else fi for foreach while until do done end case esac select repeat function coproc [[ ]] -".split(" "),
);
const braces = new Set(["{", "}"]);

/** Builtins whose failure makes a shell drop the rest of the line, and the marker with it. */
const special = new Set(
  ". source break continue return shift exec exit set unset export readonly trap eval".split(" "),
);

/**
 * One piece of a word: a plain character, an escaped character, a quoted text. Nothing that a shell works out: where that
 * fails (a pattern without a match in zsh, an unset variable under `set -u`, a user without a home), the rest of the line
 * is dropped, but not what follows an eval. No history reference, and no quoting that only some shells know.
 */
const piece = String.raw`[^\s'"\\${"`"}$!;&|()<>*?[\]~]|\\[^\s!]|'[^']*'|"(?:[^"\\${"`"}$!]|\\[^!])*"`;

/** The parts of a line of simple commands. What none of them matches belongs to something that is not simple. */
const parts = {
  blank: / +/y,
  redirection: /[0-9]?(?:>>|>&|<&|[<>])/y,
  /** Between two commands. */
  join: /&&|\|\||[;|&]/y,
  // A `#` in front would make the rest a comment.
  word: new RegExp(`(?!#)(?:${piece})+`, "y"),
};

/**
 * Whether a command can stand on the marker's line as it is: simple commands, joined by operators, that are complete.
 * Errs on the side of `eval`, which means the same.
 */
function isSimple(command: string): boolean {
  if (/\p{Cc}/u.test(command)) return false;
  // What the grammar asks for next: a command's first word, a redirection's target, or nothing in particular.
  let wanted: "command" | "target" | null = "command";
  for (let at = 0; at < command.length; ) {
    const [kind, text] = partAt(command, at) ?? [null, ""];
    if (kind === null) return false;
    at += text.length;
    if (kind === "word") {
      if (braces.has(text) || text.startsWith("=")) return false;
      if (wanted === "command" && !isPlainName(text)) return false;
      wanted = null;
    } else if (kind === "join") {
      if (wanted !== null) return false;
      wanted = "command";
    } else if (kind === "redirection") {
      if (wanted !== null) return false;
      wanted = "target";
    }
  }
  return wanted === null;
}

/** Whether a first word is the name of a command, and no more than that: no assignment either, which can be refused. */
function isPlainName(word: string): boolean {
  return !reserved.has(word) && !special.has(word) && !/^[A-Za-z_][A-Za-z0-9_]*\+?=/.test(word);
}

function partAt(command: string, at: number): readonly [keyof typeof parts, string] | null {
  for (const kind of ["blank", "redirection", "join", "word"] as const) {
    const pattern = parts[kind];
    pattern.lastIndex = at;
    const found = pattern.exec(command);
    if (found !== null) return [kind, found[0]];
  }
  return null;
}
