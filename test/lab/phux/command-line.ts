import { fail, ok, type Result } from "../../../src/wire/result.ts";
import type { Given, Slot, Slots } from "./slot.ts";

type Named = readonly [key: string, slot: Slot<unknown>];

/**
 * Reads what follows a verb into its slots, by the rules of 0.22's option parser (recorded): options may stand between
 * the words, `--` ends them, a value follows its option or an `=`, and a separate value that begins with a dash is
 * refused. The error is one sentence for the person at the keyboard.
 */
export function readCommandLine<S extends Slots>(slots: S, argv: readonly string[]): Result<Given<S>, string> {
  const sorted = sortWords(Object.entries(slots), argv);
  if (!sorted.ok) return sorted;
  const given: [string, unknown][] = [];
  for (const [key, slot] of Object.entries(slots)) {
    const value = slot.read(sorted.value.get(key) ?? []);
    if (!value.ok) return value;
    given.push([key, value.value]);
  }
  // Each member was read by the slot of its own name.
  return ok(Object.fromEntries(given) as Given<S>);
}

/** The words of each slot. */
function sortWords(slots: readonly Named[], argv: readonly string[]): Result<ReadonlyMap<string, string[]>, string> {
  const sorted = new Map<string, string[]>(slots.map(([key]) => [key, []]));
  const places = slots.filter(([, slot]) => slot.place.kind === "word" && slot.place.span !== "last");
  const last = slots.find(([, { place }]) => place.kind === "word" && place.span === "last");
  const waiting = [...argv];
  let taken = 0;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (next === "--") {
      const wrong = last ? give(sorted, last, waiting.splice(0)) : placeWords(sorted, places, taken, waiting.splice(0));
      if (wrong !== null) return fail(wrong);
    } else if (next.startsWith("-") && next !== "-") {
      const wrong = takeOption(sorted, slots, next, waiting);
      if (wrong !== null) return fail(wrong);
    } else {
      const place = places[taken];
      if (isVerbatim(place)) {
        give(sorted, place, [next, ...waiting.splice(0)]);
        break;
      }
      const wrong = placeWords(sorted, places, taken, [next]);
      if (wrong !== null) return fail(wrong);
      if (!isRest(place)) taken += 1;
      // A program's own command line begins here, and one `--` in front of it is ours.
      if (isVerbatim(places[taken]) && waiting[0] === "--") {
        give(sorted, places[taken], waiting.splice(0).slice(1));
      }
    }
  }
  return ok(sorted);
}

const isVerbatim = (slot: Named | undefined) => slot?.[1].place.kind === "word" && slot[1].place.span === "verbatim";
const isRest = (slot: Named | undefined) => slot?.[1].place.kind === "word" && slot[1].place.span === "rest";

function give(sorted: Map<string, string[]>, slot: Named | undefined, words: readonly string[]): null {
  if (slot) sorted.get(slot[0])?.push(...words);
  return null;
}

/** Words that can be no options, from the place after the `taken` that are full. */
function placeWords(
  sorted: Map<string, string[]>,
  places: readonly Named[],
  taken: number,
  words: readonly string[],
): string | null {
  let at = taken;
  for (const [index, word] of words.entries()) {
    const place = places[at];
    if (place === undefined) return `nothing takes the word ${JSON.stringify(word)}`;
    if (isVerbatim(place)) return give(sorted, place, words.slice(index));
    give(sorted, place, [word]);
    if (!isRest(place)) at += 1;
  }
  return null;
}

function takeOption(
  sorted: Map<string, string[]>,
  slots: readonly Named[],
  text: string,
  waiting: string[],
): string | null {
  const { name, attached } = splitOption(text);
  const found = slots.find(([, { place }]) => place.kind === "option" && place.names.includes(name));
  const place = found?.[1].place;
  if (!found || place?.kind !== "option") return `there is no option ${name}`;
  if (place.arity !== "many" && (sorted.get(found[0])?.length ?? 0) > 0) return `${name} is given twice`;
  if (place.arity === "none") {
    return attached === null ? give(sorted, found, [name]) : `${name} takes no value`;
  }
  if (attached !== null) return give(sorted, found, [attached]);
  const [next] = waiting;
  if (next !== undefined && (next === "-" || !next.startsWith("-"))) return give(sorted, found, waiting.splice(0, 1));
  return place.arity === "optional" ? give(sorted, found, [place.bare]) : `${name} needs a value`;
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
