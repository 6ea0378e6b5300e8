/** Keys out of the bytes of a terminal. Total: whatever arrives is keys, and nothing that was pasted is a letter. */

export type Key =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind:
        | "enter"
        | "escape"
        | "interrupt"
        | "end-of-input"
        | "up"
        | "down"
        | "left"
        | "right"
        | "tab"
        | "back-tab"
        | "page-up"
        | "page-down"
        | "redraw"
        | "focus"
        | "blur"
        | "paste"
        | "other";
    };
type Named = Exclude<Key["kind"], "text">;

/** A sequence that goes on for longer is none. */
const LONGEST_SEQUENCE = 64;
const PASTE_BEGINS = "\u{1b}[200~";
const PASTE_ENDS = "\u{1b}[201~";

const named = (kind: Named): Key => ({ kind });

const single: Readonly<Record<string, Named>> = {
  "\r": "enter",
  "\n": "enter",
  "\u{3}": "interrupt",
  "\u{4}": "end-of-input",
  "\t": "tab",
  " ": "page-down",
  "\u{6}": "page-down",
  "\u{2}": "page-up",
  "\u{7f}": "page-up",
  "\b": "page-up",
  "\u{c}": "redraw",
};

const sequences: Readonly<Record<string, Named>> = {
  "[A": "up",
  "[B": "down",
  "[C": "right",
  "[D": "left",
  OA: "up",
  OB: "down",
  OC: "right",
  OD: "left",
  OM: "enter",
  "[Z": "back-tab",
  "[5~": "page-up",
  "[6~": "page-down",
  "[I": "focus",
  "[O": "blur",
};

/** Collects bytes and gives keys; what is not finished waits for more. */
export class KeyReader {
  readonly #decoder = new TextDecoder();
  #left = "";
  #pasting = false;

  /** True when an Escape may be the beginning of more: the caller gives it a moment, then calls `settle`. */
  get undecided(): boolean {
    return !this.#pasting && this.#left.startsWith("\u{1b}");
  }

  read(bytes: Uint8Array): Key[] {
    this.#left += this.#decoder.decode(bytes, { stream: true });
    const keys: Key[] = [];
    while (this.#left !== "") {
      const next = this.#pasting ? this.#pasted() : this.#next();
      if (next === null) break;
      if (next !== "nothing") keys.push(next);
    }
    return keys;
  }

  /** Nothing more came: an Escape was the key. What began like a sequence is no key of ours. */
  settle(): Key[] {
    if (!this.undecided) return [];
    const alone = this.#left === "\u{1b}";
    this.#left = "";
    return [named(alone ? "escape" : "other")];
  }

  /** A paste is over only with its end; its text is thrown away. */
  #pasted(): Key | "nothing" | null {
    const at = this.#left.indexOf(PASTE_ENDS);
    if (at === -1) {
      // The end may be cut in two by the next chunk.
      this.#left = this.#left.slice(-(PASTE_ENDS.length - 1));
      return null;
    }
    this.#left = this.#left.slice(at + PASTE_ENDS.length);
    this.#pasting = false;
    return named("paste");
  }

  #next(): Key | "nothing" | null {
    if (this.#left.startsWith("\u{1b}")) return this.#sequence();
    const character = String.fromCodePoint(this.#left.codePointAt(0) ?? 0);
    this.#left = this.#left.slice(character.length);
    const kind = single[character];
    if (kind !== undefined) return named(kind);
    return /^[\x21-\x7e]$/.test(character) ? { kind: "text", text: character } : named("other");
  }

  #sequence(): Key | "nothing" | null {
    if (this.#left.startsWith(PASTE_BEGINS)) {
      this.#left = this.#left.slice(PASTE_BEGINS.length);
      this.#pasting = true;
      return "nothing";
    }
    const found = sequenceEnd(this.#left);
    if (found === null) return null;
    const body = this.#left.slice(1, found);
    this.#left = this.#left.slice(found);
    if (body === "") return named("escape");
    return named(Object.hasOwn(sequences, body) ? (sequences[body] ?? "other") : "other");
  }
}

/** Where the sequence ends with which a text begins; null when it goes on. Behind a lone Escape it ends at once. */
function sequenceEnd(text: string): number | null {
  const introducer = text.charAt(1);
  if (introducer === "") return null;
  if (introducer === "\u{1b}") return 1;
  if (introducer === "[") return bounded(text, /^.\[[\x20-\x3f]*(?:[\x40-\x7e]|(?=[^\x20-\x7e]))/su);
  if (introducer === "O") return bounded(text, /^.O[\x20-\x3f]*(?:[\x40-\x7e]|(?=[^\x20-\x7e]))/su);
  // Answers and titles of a terminal.
  if (/[\]PX^_]/.test(introducer)) return stringEnd(text);
  return 1 + String.fromCodePoint(text.codePointAt(1) ?? 0).length;
}

function bounded(text: string, whole: RegExp): number | null {
  const found = whole.exec(text)?.[0].length;
  if (found !== undefined) return found;
  return text.length > LONGEST_SEQUENCE ? text.length : null;
}

/** Where a string of a terminal ends: behind a bell or ST, or before any other sequence. */
function stringEnd(text: string): number | null {
  const bell = text.indexOf("\u{7}", 2);
  const next = text.indexOf("\u{1b}", 2);
  if (bell !== -1 && (next === -1 || bell < next)) return bell + 1;
  if (next !== -1 && next + 1 < text.length) return text.charAt(next + 1) === "\\" ? next + 2 : next;
  return text.length > LONGEST_SEQUENCE ? text.length : null;
}
