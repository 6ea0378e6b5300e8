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

/** Words that open something which must be closed later on the line. */
const openers = new Set(["if", "for", "while", "until", "case", "select", "function", "{", "[["]);

/** Ends that need something after them, or that a following `;` would break. */
const openEnd = /(^|[;&|\\])\s*$/;

const breaksWord = /[\s;&|()<>]/;
const startsCommand = /[;&|(]/;

/**
 * Whether a command can stand on the marker's line as it is. Errs on the side of `eval`, which means the same: an end
 * left open, a comment, a here-document, several lines, a quote or bracket that does not close, a compound command, and
 * `!`, which an interactive shell takes for its history.
 */
function isSimple(command: string): boolean {
  if (/\p{Cc}/u.test(command) || openEnd.test(command) || command.includes("<<")) return false;
  let quote: "'" | '"' | null = null;
  let depth = 0;
  let word = "";
  let expectsCommand = true;
  for (let at = 0; at < command.length; at += 1) {
    const character = command.charAt(at);
    if (character === "!" && quote !== "'") return false;
    if (quote !== null) {
      if (character === "\\" && quote === '"') at += 1;
      else if (character === quote) quote = null;
      continue;
    }
    if (character === "#" && word === "") return false;
    if (character === "`") return false;
    if (character === "'" || character === '"') quote = character;
    if (character === "\\") at += 1;
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (breaksWord.test(character)) {
      if (expectsCommand && openers.has(word)) return false;
      if (word !== "") expectsCommand = false;
      if (startsCommand.test(character)) expectsCommand = true;
      word = "";
    } else {
      word += character;
    }
  }
  return quote === null && depth === 0 && !(expectsCommand && openers.has(word));
}
