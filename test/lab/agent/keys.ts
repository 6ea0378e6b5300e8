/** One thing that somebody did at the keyboard. */
export type Key =
  | { readonly key: "text"; readonly text: string }
  | { readonly key: "enter" | "backspace" | "clear" | "escape" | "interrupt" | "end" };

const controls: Readonly<Record<string, Key>> = {
  "\r": { key: "enter" },
  "\n": { key: "enter" },
  "\x7f": { key: "backspace" },
  "\b": { key: "backspace" },
  "\x15": { key: "clear" },
  "\x03": { key: "interrupt" },
  "\x04": { key: "end" },
};

const pasteBegin = "\x1b[200~";
const pasteEnd = "\x1b[201~";
/** What follows the escape in the sequence of a key, or of a key with Alt. */
const keySequence = /^(?:\[[0-?]*[ -/]*[@-~]|O\P{Cc}|[^[O\p{Cc}])/u;
const begunSequence = /^(?:\[[0-?]*[ -/]*|O)?$/;
/** A paste longer than this is cut: it is a prompt. */
const PASTE_CAP = 65_536;

/** Makes keys of what a terminal in raw mode sends. Sequences of keys that mean nothing here are swallowed. */
export class KeyReader {
  #rest = "";
  readonly #decoder = new TextDecoder();

  /** The keys that are complete. An escape alone is not: more of it may be on its way. */
  read(bytes: Uint8Array): Key[] {
    this.#rest += this.#decoder.decode(bytes, { stream: true });
    const keys: Key[] = [];
    for (let next = this.#next(); next !== null; next = this.#next()) if (next !== "nothing") keys.push(next);
    return keys;
  }

  /** Nothing followed for a while: an escape that waits is the key itself. */
  settle(): Key | null {
    if (!this.waits) return null;
    this.#rest = "";
    return { key: "escape" };
  }

  /** Whether an escape waits for what may follow it. */
  get waits(): boolean {
    return this.#rest === "\x1b";
  }

  /** Null when the rest is no whole key. */
  #next(): Key | "nothing" | null {
    const [first] = this.#rest;
    if (first === undefined) return null;
    if (first === "\x1b") return this.#escape();
    const control = controls[first];
    if (control !== undefined) return this.#take(first.length, control);
    const text = /^\P{Cc}+/u.exec(this.#rest)?.[0];
    return text === undefined ? this.#take(1, "nothing") : this.#take(text.length, { key: "text", text });
  }

  #escape(): Key | "nothing" | null {
    if (this.#rest.startsWith(pasteBegin)) return this.#paste();
    if (pasteBegin.startsWith(this.#rest)) return null;
    const follows = this.#rest.slice(1);
    const sequence = keySequence.exec(follows)?.[0];
    if (sequence !== undefined) return this.#take(1 + sequence.length, "nothing");
    // What cannot become a sequence any more came after the key itself.
    return begunSequence.test(follows) ? null : this.#take(1, { key: "escape" });
  }

  #paste(): Key | "nothing" | null {
    const end = this.#rest.indexOf(pasteEnd);
    if (end < 0 && this.#rest.length < PASTE_CAP) return null;
    const pasted = this.#rest.slice(pasteBegin.length, end < 0 ? PASTE_CAP : end);
    // The box has one line: what breaks a line there is a blank.
    const text = pasted.replaceAll(/\p{Cc}+/gu, " ");
    const length = end < 0 ? this.#rest.length : end + pasteEnd.length;
    return this.#take(length, text === "" ? "nothing" : { key: "text", text });
  }

  #take<T>(length: number, key: T): T {
    this.#rest = this.#rest.slice(length);
    return key;
  }
}
