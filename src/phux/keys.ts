import type { InputEvent } from "../wire/frame.ts";
import { pasteInput } from "./key-event.ts";
import { KeyParser } from "./key-parser.ts";

/** What an entry of `keys` stands for: a key, as the text a terminal would receive for it, or text to type. */
type Entry = { readonly kind: "key" | "enter" | "literal"; readonly text: string };

const named: ReadonlyMap<string, string> = new Map([
  ["enter", "\r"],
  ["return", "\r"],
  ["tab", "\t"],
  ["escape", "\u001b"],
  ["esc", "\u001b"],
  ["space", " "],
  ["bspace", "\u007f"],
  ["backspace", "\u007f"],
  ["up", "\u001b[A"],
  ["down", "\u001b[B"],
  ["right", "\u001b[C"],
  ["left", "\u001b[D"],
  ["home", "\u001b[H"],
  ["end", "\u001b[F"],
]);

const longestName = 9;

/**
 * The input events that type `keys`, in order (spec/client.md 5.1 to 5.3). Total: any strings give events, a list
 * that means nothing gives none. Text directly before an Enter goes as one trusted paste, so that a program that
 * knows pastes cannot take the Enter for part of the text.
 */
export function keysToEvents(keys: readonly string[]): InputEvent[] {
  const events: InputEvent[] = [];
  const parser = new KeyParser((event) => events.push(event));
  let run: string[] = [];
  const typeRun = () => {
    for (const text of run) parser.feed(text);
    run = [];
  };
  for (const key of keys) {
    const entry = readEntry(key);
    if (entry.kind === "literal") {
      run.push(entry.text);
      continue;
    }
    if (entry.kind === "enter" && run.length > 0) {
      parser.flush();
      events.push(pasteInput(utf8(run), true));
      run = [];
    }
    typeRun();
    parser.feed(entry.text);
  }
  typeRun();
  parser.flush();
  return events;
}

/** Every entry means something: what is no name and has no prefix is text. */
function readEntry(key: string): Entry {
  const text = key.length > longestName ? undefined : named.get(asciiLower(key));
  if (text !== undefined) return { kind: text === "\r" ? "enter" : "key", text };
  const prefix = asciiLower(key.slice(0, 2));
  if (prefix === "m-") return { kind: "key", text: `\u001b${key.slice(2)}` };
  const [character, ...others] = prefix === "c-" ? key.slice(2, 5) : "";
  if (character !== undefined && others.length === 0) return { kind: "key", text: control(character) ?? key };
  return { kind: "literal", text: key };
}

/** Ctrl clears the upper bits of the upper-case letter; it cannot do that to a character outside ASCII. */
function control(character: string): string | null {
  const code = character.toUpperCase().charCodeAt(0);
  return character.charCodeAt(0) < 0x80 ? String.fromCharCode(code & 0x1f) : null;
}

/** Each text is made whole by itself, so halves of a character in two entries do not join. */
function utf8(texts: readonly string[]): Uint8Array {
  return new TextEncoder().encode(texts.map((text) => text.toWellFormed()).join(""));
}

/** toLowerCase would also fold a Kelvin sign to k, and names fold ASCII only. */
function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
