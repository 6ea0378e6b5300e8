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
  settle(): Key[] {
    const alone = this.#rest === "\x1b";
    if (alone) this.#rest = "";
    return alone ? [{ key: "escape" }] : [];
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
    if (first < " ") return this.#take(first.length, "nothing");
    const text = /^[^\x00-\x1f\x7f]+/.exec(this.#rest)?.[0] ?? first;
    return this.#take(text.length, { key: "text", text });
  }

  #escape(): Key | "nothing" | null {
    if (this.#rest.startsWith(pasteBegin)) return this.#paste();
    if (pasteBegin.startsWith(this.#rest)) return null;
    const sequence = /^\x1b(?:\[[0-?]*[ -/]*[@-~]|O[^\x1b]|[^[O\x1b])/.exec(this.#rest)?.[0];
    if (sequence !== undefined) return this.#take(sequence.length, "nothing");
    // Two in a row: the first one was the key.
    return this.#rest.startsWith("\x1b\x1b") ? this.#take(1, { key: "escape" }) : null;
  }

  #paste(): Key | "nothing" | null {
    const end = this.#rest.indexOf(pasteEnd);
    if (end < 0 && this.#rest.length < PASTE_CAP) return null;
    const pasted = this.#rest.slice(pasteBegin.length, end < 0 ? PASTE_CAP : end);
    // The box has one line: what breaks a line there is a blank.
    const text = pasted.replaceAll(/[\x00-\x1f\x7f]+/g, " ");
    const length = end < 0 ? this.#rest.length : end + pasteEnd.length;
    return this.#take(length, text === "" ? "nothing" : { key: "text", text });
  }

  #take<T>(length: number, key: T): T {
    this.#rest = this.#rest.slice(length);
    return key;
  }
}
