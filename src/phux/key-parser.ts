import type { InputEvent } from "../wire/frame.ts";
import { PhysicalKey } from "../wire/physical-key.ts";
import { keyInput, pasteInput, typedKey } from "./key-event.ts";
import { sequenceEvent } from "./key-sequence.ts";
import { singleShiftKeys } from "./key-table.ts";
import { mousePayload } from "./mouse-report.ts";

const ESC = "\u001b";
const BEL = "\u0007";
const pasteEnd = `${ESC}[201~`;

/** Where the parser stands between two characters. */
type State =
  | { readonly at: "rest" | "escape" | "single-shift" | "string" | "string-escape" }
  | { readonly at: "sequence"; readonly parameters: string }
  | { readonly at: "mouse"; readonly payload: readonly number[] }
  | { readonly at: "paste"; readonly text: string; readonly matched: number };

const rest: State = { at: "rest" };

/**
 * Turns what a terminal would receive into input events (spec/client.md 5.3). Its state outlives a `feed`, so a
 * sequence may be spread over several.
 *
 * The contract counts bytes. Reading characters comes to the same: a continuation byte alone is dropped at rest,
 * and every other state takes or drops the whole character with its first byte.
 */
export class KeyParser {
  readonly #emit: (event: InputEvent) => void;
  #state: State = rest;

  constructor(emit: (event: InputEvent) => void) {
    this.#emit = emit;
  }

  /** Reads all of `text`. A lone surrogate counts as U+FFFD, which is what its UTF-8 would hold. */
  feed(text: string): void {
    for (const character of text.toWellFormed()) this.#state = this.#step(this.#state, character);
  }

  /** A lone ESC becomes an Escape key. Any other unfinished state stays, and produces nothing. */
  flush(): void {
    if (this.#state.at !== "escape") return;
    this.#emit(keyInput(PhysicalKey.Escape));
    this.#state = rest;
  }

  #step(state: State, character: string): State {
    switch (state.at) {
      case "rest":
        return character === ESC ? { at: "escape" } : this.#send(typedKey(codePointOf(character)));
      case "escape":
        return this.#afterEscape(character);
      case "single-shift": {
        const key = singleShiftKeys.get(character);
        return this.#send(key === undefined ? null : keyInput(key));
      }
      case "string":
        if (character === BEL) return rest;
        return character === ESC ? { at: "string-escape" } : state;
      case "string-escape":
        return rest;
      case "sequence":
        return this.#inSequence(state.parameters, character);
      case "mouse": {
        const payload = [...state.payload, codePointOf(character)];
        return payload.length < 3 ? { at: "mouse", payload } : this.#send(mousePayload(payload));
      }
      case "paste":
        return this.#inPaste(state.text + character, state.matched, character);
    }
  }

  #afterEscape(character: string): State {
    switch (character) {
      case "[":
        return { at: "sequence", parameters: "" };
      case "O":
        return { at: "single-shift" };
      case "P":
      case "]":
      case "X":
      case "^":
      case "_":
        return { at: "string" };
      case ESC:
        this.#emit(keyInput(PhysicalKey.Escape));
        return { at: "escape" };
      default:
        return this.#send(typedKey(codePointOf(character), true));
    }
  }

  #inSequence(parameters: string, character: string): State {
    const code = codePointOf(character);
    if (code < 0x20 || code > 0x7e) return rest;
    if (code < 0x40) return { at: "sequence", parameters: parameters + character };
    if (parameters === "" && character === "M") return { at: "mouse", payload: [] };
    if (parameters === "200" && character === "~") return { at: "paste", text: "", matched: 0 };
    return this.#send(sequenceEvent(parameters, character));
  }

  /** `matched` counts how much of the end mark stands at the end of `text`; the mark overlaps itself nowhere. */
  #inPaste(text: string, matched: number, character: string): State {
    const next = character === pasteEnd[matched] ? matched + 1 : character === ESC ? 1 : 0;
    if (next < pasteEnd.length) return { at: "paste", text, matched: next };
    return this.#send(pasteInput(new TextEncoder().encode(text.slice(0, -pasteEnd.length)), false));
  }

  #send(event: InputEvent | null): State {
    if (event !== null) this.#emit(event);
    return rest;
  }
}

function codePointOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}
