import * as v from "valibot";
import { flawIn, HALF_CHARACTER } from "./json-flaw.ts";

/** The largest bounded string and list that an argument may be (tools.md 5.3). */
export const MAX_TEXT_BYTES = 4096;
export const MAX_ENTRIES = 64;

const bytes = (most: number) => `1..${most} bytes`;

/** Half a character has no UTF-8 form, so it can neither be sent nor handed to a program. */
const wellFormed = () => v.check((given: string) => given.isWellFormed(), HALF_CHARACTER);

// The rule counts UTF-8 bytes, which JSON Schema has no word for, so the bound stands in the descriptions alone. A NUL
// can neither be sent nor handed to a program.
function boundedText(most = MAX_TEXT_BYTES) {
  return v.pipe(
    v.string("must be a string"),
    v.minBytes(1, `must have ${bytes(most)}`),
    v.maxBytes(most, `must have ${bytes(most)}`),
    v.check((given) => !given.includes("\0"), "must not contain a NUL character"),
    wellFormed(),
  );
}

/** A string of 1 to `most` bytes: 4,096 unless said otherwise. */
export function text(about: string, most = MAX_TEXT_BYTES) {
  return v.pipe(boundedText(most), v.description(`${about} ${bytes(most)}.`));
}

/** A string without a bound of its own: the server's limits and the frame's apply. */
export function anyText(about: string) {
  return v.pipe(v.string("must be a string"), wellFormed(), v.description(about));
}

/** A string of `least` to 4,096 bytes in which a NUL is not refused: it means something to the rules of the tool. */
export function plainText(about: string, least: 0 | 1) {
  const range = `${least}..${MAX_TEXT_BYTES} bytes`;
  return v.pipe(
    v.string("must be a string"),
    v.minBytes(least, `must have ${range}`),
    v.maxBytes(MAX_TEXT_BYTES, `must have ${range}`),
    wellFormed(),
    v.description(`${about} ${range}.`),
  );
}

/** A string that is not empty and has no other bound of its own. */
export function someText(about: string) {
  return v.pipe(
    v.string("must be a string"),
    v.minBytes(1, "must not be empty"),
    wellFormed(),
    v.description(`${about} Not empty.`),
  );
}

/** A list of at most `most` strings, each of 1 to 4,096 bytes; not empty when `least` is 1. */
export function texts(about: string, least: 0 | 1 = 0, most = MAX_ENTRIES) {
  const range = `must have ${least}..${most} entries`;
  return v.pipe(
    v.array(boundedText(), "must be a list of strings"),
    v.minLength(least, range),
    v.maxLength(most, range),
    v.description(`${about} ${least}..${most} entries of ${bytes(MAX_TEXT_BYTES)}.`),
  );
}

/** What is typed for somebody: nothing is refused, and half of a character is typed as U+FFFD. */
export function typed(about: string) {
  return v.pipe(v.string("must be a string"), v.description(about));
}

/** A list of such texts, not empty. */
export function typedTexts(about: string) {
  return v.pipe(
    v.array(v.string("must be a string"), "must be a list of strings"),
    v.minLength(1, "must have at least one entry"),
    v.description(`${about} At least 1.`),
  );
}

/** A list of strings without further bounds. */
export function anyTexts(about: string) {
  return v.pipe(
    v.array(v.pipe(v.string("must be a string"), wellFormed()), "must be a list of strings"),
    v.description(about),
  );
}

export function oneOf<const Options extends readonly [string, ...string[]]>(options: Options, about: string) {
  return v.pipe(v.picklist(options, `must be one of ${options.join(", ")}`), v.description(about));
}

/** A list of at most as many words as there are options, each one of them. */
export function someOf<const Options extends readonly [string, ...string[]]>(options: Options, about: string) {
  return v.pipe(
    v.array(v.picklist(options, `must be one of ${options.join(", ")}`), "must be a list of strings"),
    v.minLength(0),
    v.maxLength(options.length, `must have 0..${options.length} entries`),
    v.description(`${about} 0..${options.length} entries.`),
  );
}

/** A JSON object with any members, handed on as it came; refused when it could not be. */
export function object(about: string) {
  const isObject = (given: unknown) => typeof given === "object" && given !== null && !Array.isArray(given);
  return v.pipe(
    v.custom<object>(isObject, "must be an object"),
    v.check(
      (given) => flawIn(given) === null,
      ({ input }) => flawIn(input) ?? "",
    ),
    v.description(about),
  );
}

export function flag(about: string) {
  return v.pipe(v.boolean("must be true or false"), v.description(about));
}

/** A whole number; `most` null leaves it open above, up to what JSON carries exactly. */
export function integer(about: string, least: number, most: number | null) {
  const bounds = most === null ? `${least} or more` : `${least}..${most}`;
  const range = `must be a whole number, ${bounds}`;
  return v.pipe(
    v.number(range),
    v.safeInteger(range),
    v.integer(),
    v.minValue(least, range),
    v.maxValue(most ?? Number.MAX_SAFE_INTEGER, range),
    v.description(`${about} ${bounds}.`),
  );
}

/** A share strictly between 0 and 1, also after rounding to the 32-bit float that a layout stores. */
export function ratio(about: string) {
  const range = "must be a number strictly between 0 and 1";
  return v.pipe(
    v.number(range),
    v.gtValue(0, range),
    v.ltValue(1, range),
    v.check((given) => Math.fround(given) > 0 && Math.fround(given) < 1, range),
    v.description(`${about} Between 0 and 1, exclusive.`),
  );
}

/** Consent: only JSON `true` counts, it is never decoded from a string (tools.md 6.1). */
export function consent(about: string) {
  return v.pipe(v.literal(true, "must be JSON true"), v.description(about));
}

export const socket = v.optional(
  v.pipe(
    v.string("must be a string"),
    v.minBytes(1, "must not be empty"),
    v.check((given) => !given.includes("\0"), "must not contain a NUL character"),
    wellFormed(),
    v.description("Server socket path."),
  ),
);

/** An id of 16 bytes, exactly as an answer printed it. */
export function hexId(about: string) {
  return matching(about, /^[0-9a-f]{32}$/, "32 lowercase hex digits");
}

/** A list of 1 to 64 such ids. */
export function hexIds(about: string) {
  const range = `must have 1..${MAX_ENTRIES} entries`;
  const rule = "32 lowercase hex digits";
  return v.pipe(
    v.array(
      v.pipe(v.string("must be a string"), v.regex(/^[0-9a-f]{32}$/, `must be ${rule}`)),
      "must be a list of strings",
    ),
    v.minLength(1, range),
    v.maxLength(MAX_ENTRIES, range),
    v.description(`${about} 1..${MAX_ENTRIES} entries of ${rule}.`),
  );
}

/** A string of a given form; `rule` is the form in words. */
export function matching(about: string, form: RegExp, rule: string) {
  return v.pipe(v.string("must be a string"), v.regex(form, `must be ${rule}`), v.description(`${about} ${rule}.`));
}

/** A key that makes a retry harmless. All zeros identify nothing: servers refuse them, so we do first (tools.md 5.3). */
export const idempotencyKey = v.optional(
  v.pipe(
    v.string("must be a string"),
    v.regex(/^[0-9a-fA-F]{32}$/, "must be 32 hex digits"),
    v.check((given) => !/^0+$/.test(given), "must not be all zeros"),
    v.description("Retry key: 32 hex digits, not all 0."),
  ),
);

/** The 16 bytes of a key that passed the schema; null for none. */
export function keyBytes(key: string | undefined): Uint8Array | null {
  return key === undefined ? null : Uint8Array.fromHex(key);
}

export { optional } from "valibot";
