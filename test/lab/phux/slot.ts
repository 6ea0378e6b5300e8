import { fail, ok, type Result } from "../../../src/wire/result.ts";

/** How many words an option takes: `optional` takes the next one only when it does not look like an option. */
type Arity = "none" | "one" | "optional" | "many";

/** Which words without a dash go to a slot: one, all that are left, all that are left unread, or all behind `--`. */
type Span = "one" | "rest" | "verbatim" | "last";

/** A place on a verb's command line for a value of type T. */
export interface Slot<T> {
  readonly place:
    | { readonly kind: "option"; readonly names: readonly string[]; readonly arity: Arity; readonly bare: string }
    | { readonly kind: "word"; readonly span: Span };
  /** As it stands in the usage line. */
  readonly label: string;
  /** Makes the value of what was given, nothing included; or says what is wrong with it. */
  read(given: readonly string[]): Result<T, string>;
}

export type Slots = Readonly<Record<string, Slot<unknown>>>;

/** What a verb's slots were given. */
export type Given<S extends Slots> = { readonly [K in keyof S]: S[K] extends Slot<infer T> ? T : never };

type Names = readonly [string, ...string[]];

function option<T>(names: Names, arity: Arity, read: Slot<T>["read"], bare = ""): Slot<T> {
  const value = { none: "", one: " VALUE", optional: " [VALUE]", many: " VALUE" }[arity];
  return { place: { kind: "option", names, arity, bare }, label: `[${names.join("|")}${value}]`, read };
}

const first = ([value]: readonly string[]) => ok(value);

export function flag(...names: Names): Slot<boolean> {
  return option(names, "none", (given) => ok(given.length > 0));
}

export function value(...names: Names): Slot<string | undefined> {
  return option(names, "one", first);
}

export function values(...names: Names): Slot<readonly string[]> {
  return option(names, "many", ok);
}

export function oneOf<const W extends string>(words: readonly W[], ...names: Names): Slot<W | undefined> {
  return option(names, "one", ([given]) => {
    if (given === undefined) return ok(undefined);
    const word = words.find((candidate) => candidate === given);
    return word === undefined ? fail(`${names[0]} is one of ${words.join(", ")}, not ${given}`) : ok(word);
  });
}

/** Any number of words, each from a list. */
export function someOf<const W extends string>(words: readonly W[], ...names: Names): Slot<readonly W[]> {
  return option(names, "many", (given) => {
    const strange = given.find((text) => !words.some((word) => word === text));
    if (strange !== undefined) return fail(`${names[0]} is one of ${words.join(", ")}, not ${strange}`);
    return ok(words.filter((word) => given.includes(word)));
  });
}

export function wholeNumber(...names: Names): Slot<number | undefined> {
  return option(names, "one", readWhole(names[0]));
}

/** A number that may be left out although its option is there: that is `bare` then. */
export function wholeNumberOr(bare: number, ...names: Names): Slot<number | undefined> {
  return option(names, "optional", readWhole(names[0]), String(bare));
}

function readWhole(name: string): Slot<number | undefined>["read"] {
  return ([given]) => {
    if (given === undefined) return ok(undefined);
    const number = /^\d+$/.test(given) ? Number(given) : Number.NaN;
    return Number.isSafeInteger(number) ? ok(number) : fail(`${name} takes a whole number, not ${given}`);
  };
}

export function word(label: string): Slot<string> {
  return {
    place: { kind: "word", span: "one" },
    label: `<${label}>`,
    read: ([given]) => (given === undefined ? fail(`<${label}> is missing`) : ok(given)),
  };
}

/** A word from a list. */
export function oneWord<const W extends string>(words: readonly W[], label: string): Slot<W> {
  return {
    place: { kind: "word", span: "one" },
    label: `<${label}>`,
    read([given]) {
      const word = words.find((candidate) => candidate === given);
      return word === undefined ? fail(`<${label}> is one of ${words.join(", ")}`) : ok(word);
    },
  };
}

export function optionalWord(label: string): Slot<string | undefined> {
  return { place: { kind: "word", span: "one" }, label: `[${label}]`, read: first };
}

export function words(label: string): Slot<readonly string[]> {
  return { place: { kind: "word", span: "rest" }, label: `<${label}>...`, read: atLeastOne(label) };
}

/** Everything behind the words before it, dashes and all: a command line of another program. */
export function verbatim(label: string): Slot<readonly string[]> {
  return { place: { kind: "word", span: "verbatim" }, label: `<${label}>...`, read: atLeastOne(label) };
}

export function behindDashes(label: string): Slot<readonly string[]> {
  return { place: { kind: "word", span: "last" }, label: `[-- <${label}>...]`, read: ok };
}

function atLeastOne(label: string): Slot<readonly string[]>["read"] {
  return (given) => (given.length === 0 ? fail(`<${label}> is missing`) : ok(given));
}
