/**
 * `phux run` types a command between two markers on one line: `printf BEGIN; COMMAND; printf END $?`. A command that
 * would swallow what follows it, that the shell's line editor or the terminal would rewrite, or that can make the shell
 * give up the rest of its line is handed over as one `eval` of one word, which the shell reads as a whole (design.md
 * section 6).
 */
export function runnableCommand(command: string): string {
  return isSimple(command) ? command : `eval ${asWord(command)}`;
}

/** Bytes of a typed line: terminals cut longer ones at 4,096 (macOS and BusyBox: 1,024), and the marker needs room. */
const LINE_BYTES = 700;

/** One word of a POSIX shell that stands for exactly this text, written on lines that a terminal takes. */
function asWord(text: string): string {
  // A pasted control character edits, signals or is replaced on its way, so it travels as text. Newlines are fine.
  if (!/[^\P{Cc}\n]/u.test(text)) return quoted(text, (character) => (character === "'" ? "'\\''" : character));
  // A command substitution loses the newlines at its end.
  const [end = ""] = /\n*$/.exec(text) ?? [];
  return `"$(printf %b ${quoted(text.slice(0, text.length - end.length), escaped)})"${end && `'${end}'`}`;
}

/** A character as it stands in single quotes, inside double quotes, for the `%b` of printf. */
function escaped(character: string): string {
  if (character === "\n" || !/[\p{Cc}'"\\$`!]/u.test(character)) return character;
  return [...new TextEncoder().encode(character)].map((byte) => `\\0${byte.toString(8).padStart(3, "0")}`).join("");
}

/** A text in single quotes, each character as `write` gives it. A line that gets too long goes on in the next. */
function quoted(text: string, write: (character: string) => string): string {
  let [words, bytes] = ["", 0];
  for (const character of text) {
    const written = write(character);
    const size = Buffer.byteLength(written);
    if (bytes + size > LINE_BYTES) {
      // Between quoted texts a backslash takes the line end away.
      words += "'\\\n'";
      bytes = 0;
    }
    words += written;
    bytes = character === "\n" ? 0 : bytes + size;
  }
  return `'${words}'`;
}

/**
 * Words that are half of a construct where a command may begin, in any of the shells that people use. zsh takes the
 * two braces for that wherever they stand alone.
 */
const reserved = new Set(
  "if then elif else fi for foreach while until do done end case esac select repeat function coproc [[ ]] -".split(" "),
);

/** Builtins whose failure can make the shell give up its whole line, marker included. An `eval` contains that. */
const abandoning = new Set(
  ". source : break continue return exec export readonly set shift trap typeset declare local unset let".split(" "),
);

/**
 * One piece of a word: characters that mean themselves in every shell, an escaped character, a quoted text. No
 * variable, pattern or other expansion, since one that fails takes the rest of the line with it; no history reference.
 */
const piece = String.raw`[\w\-./:,+@%=]|[^\x00-\x7f]|\\[^\s!]|'[^']*'|"[^"\\${"`"}$!]*"`;

/** The parts of a line of simple commands. What none of them matches belongs to something that is not simple. */
const parts = {
  blank: / +/y,
  redirection: /[0-9]?(?:>>|>&|<&|[<>])/y,
  /** Between two commands. */
  join: /&&|\|\||[;|&]/y,
  // A `=` in front is an expansion of zsh.
  word: new RegExp(`(?!=)(?:${piece})+`, "y"),
};

/**
 * Whether a command can stand on the marker's line as it is: simple commands, joined by operators, that are complete.
 * Errs on the side of `eval`, which means the same.
 */
function isSimple(command: string): boolean {
  if (/\p{Cc}/u.test(command) || Buffer.byteLength(command) > LINE_BYTES) return false;
  // What the grammar asks for next: a command's first word, a redirection's target, or nothing in particular.
  let wanted: "command" | "target" | null = "command";
  for (let at = 0; at < command.length; ) {
    const [kind, text] = partAt(command, at) ?? [null, ""];
    if (kind === null) return false;
    at += text.length;
    if (kind === "word") {
      if (wanted === "command" && !isCommandName(text)) return false;
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

/** Whether a word can only be the name of a command: no assignment, no keyword, nothing that abandons its line. */
function isCommandName(word: string): boolean {
  return !word.includes("=") && !reserved.has(word) && !abandoning.has(word);
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
