import { fail, ok, type Result } from "../../../src/wire/result.ts";
import type { Given, Slot, Slots } from "./slot.ts";

/**
 * Reads what follows a verb into its slots, by the rules of 0.22's option parser (recorded): options may stand between
 * the words, `--` ends them, a value follows its option or an `=`, and a separate value that begins with a dash is
 * refused. The error is one sentence for the person at the keyboard.
 */
export function readCommandLine<S extends Slots>(slots: S, argv: readonly string[]): Result<Given<S>, string> {
  const sorted = new Sorter(slots).sort(argv);
  if (!sorted.ok) return sorted;
  const given: [string, unknown][] = [];
  for (const [key, slot] of Object.entries(slots)) {
    const value = slot.read(sorted.value.get(slot) ?? []);
    if (!value.ok) return value;
    given.push([key, value.value]);
  }
  // Each member was read by the slot of its own name.
  return ok(Object.fromEntries(given) as Given<S>);
}

type AnySlot = Slot<unknown>;

/** Gives each slot its words. */
class Sorter {
  readonly #slots: readonly AnySlot[];
  /** Slots for words, in order; what stands behind `--` may have a slot of its own. */
  readonly #words: readonly AnySlot[];
  readonly #last: AnySlot | undefined;
  readonly #sorted = new Map<AnySlot, string[]>();
  #full = 0;

  constructor(slots: Slots) {
    this.#slots = Object.values(slots);
    this.#words = this.#slots.filter(({ place }) => place.kind === "word" && place.span !== "last");
    this.#last = this.#slots.find(({ place }) => place.kind === "word" && place.span === "last");
  }

  sort(argv: readonly string[]): Result<ReadonlyMap<AnySlot, readonly string[]>, string> {
    const waiting = [...argv];
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const wrong = this.#take(next, waiting);
      if (wrong !== null) return fail(wrong);
    }
    return ok(this.#sorted);
  }

  #take(next: string, waiting: string[]): string | null {
    if (next === "--") return this.#takeAll(waiting.splice(0));
    if (next.startsWith("-") && next !== "-") return this.#takeOption(next, waiting);
    const wrong = this.#takeWord(next);
    if (wrong !== null || this.#span() !== "verbatim") return wrong;
    // Another program's command line begins here, whatever it looks like; one `--` in front of it is ours.
    if (waiting[0] === "--") waiting.shift();
    return this.#takeAll(waiting.splice(0));
  }

  #takeAll(words: readonly string[]): string | null {
    if (this.#last !== undefined) return this.#give(this.#last, words);
    for (const word of words) {
      const wrong = this.#takeWord(word);
      if (wrong !== null) return wrong;
    }
    return null;
  }

  #takeWord(word: string): string | null {
    const slot = this.#words[this.#full];
    if (slot === undefined) return `nothing takes the word ${JSON.stringify(word)}`;
    if (this.#span() === "one") this.#full += 1;
    return this.#give(slot, [word]);
  }

  #span(): string | null {
    const place = this.#words[this.#full]?.place;
    return place?.kind === "word" ? place.span : null;
  }

  #takeOption(text: string, waiting: string[]): string | null {
    const { name, attached } = splitOption(text);
    const slot = this.#slots.find(({ place }) => place.kind === "option" && place.names.includes(name));
    if (slot?.place.kind !== "option") return `there is no option ${name}`;
    const { arity, bare } = slot.place;
    if (arity !== "many" && this.#sorted.has(slot)) return `${name} is given twice`;
    if (arity === "none") return attached === null ? this.#give(slot, [name]) : `${name} takes no value`;
    if (attached !== null) return this.#give(slot, [attached]);
    const [next] = waiting;
    const isValue = next !== undefined && (next === "-" || !next.startsWith("-"));
    if (isValue) return this.#give(slot, waiting.splice(0, 1));
    return arity === "optional" ? this.#give(slot, [bare]) : `${name} needs a value`;
  }

  #give(slot: AnySlot, words: readonly string[]): null {
    this.#sorted.set(slot, [...(this.#sorted.get(slot) ?? []), ...words]);
    return null;
  }
}

/** `--name`, `--name=value`, `-n`, `-nvalue` and `-n=value`. */
function splitOption(text: string): { readonly name: string; readonly attached: string | null } {
  if (text.startsWith("--")) {
    const at = text.indexOf("=");
    return at < 0 ? { name: text, attached: null } : { name: text.slice(0, at), attached: text.slice(at + 1) };
  }
  const attached = text.slice(2);
  return { name: text.slice(0, 2), attached: attached === "" ? null : attached.replace(/^=/, "") };
}
