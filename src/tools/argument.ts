import * as v from "valibot";

/** The largest bounded string and list that an argument may be (tools.md 5.3). */
export const MAX_TEXT_BYTES = 4096;
export const MAX_ENTRIES = 64;

// The published bounds count characters, the rule counts UTF-8 bytes: both stand here, and the text names the rule.
const boundedText = v.pipe(
  v.string("must be a string"),
  v.minBytes(1, `must be 1..=${MAX_TEXT_BYTES} bytes long`),
  v.maxBytes(MAX_TEXT_BYTES, `must be 1..=${MAX_TEXT_BYTES} bytes long`),
  v.minLength(1),
  v.maxLength(MAX_TEXT_BYTES),
);

/** A string of 1 to 4,096 bytes. */
export function text(about: string) {
  return v.pipe(boundedText, v.description(`${about} 1 to ${MAX_TEXT_BYTES} bytes.`));
}

/** A string without a bound of its own: the server's limits and the frame's apply. */
export function anyText(about: string) {
  return v.pipe(v.string("must be a string"), v.description(about));
}

/** A list of 1 to 64 strings, or of 0 to 64 when `least` is 0, each of 1 to 4,096 bytes. */
export function texts(about: string, least: 0 | 1 = 0) {
  const range = `must have ${least}..=${MAX_ENTRIES} entries`;
  return v.pipe(
    v.array(boundedText, "must be a list of strings"),
    v.minLength(least, range),
    v.maxLength(MAX_ENTRIES, range),
    v.description(`${about} ${least} to ${MAX_ENTRIES} entries of 1 to ${MAX_TEXT_BYTES} bytes.`),
  );
}

/** A non-empty list of strings without further bounds. */
export function anyTexts(about: string) {
  return v.pipe(
    v.array(v.string("must be a string"), "must be a list of strings"),
    v.minLength(1, "must have at least one entry"),
    v.description(about),
  );
}

export function oneOf<const Options extends readonly [string, ...string[]]>(options: Options, about: string) {
  return v.pipe(v.picklist(options, `must be one of ${options.join(", ")}`), v.description(about));
}

export function flag(about: string) {
  return v.pipe(v.boolean("must be true or false"), v.description(about));
}

/** A whole number; `most` null leaves it open above, up to what JSON carries exactly. */
export function integer(about: string, least: number, most: number | null) {
  const range =
    most === null ? `must be a whole number, ${least} or more` : `must be a whole number in ${least}..=${most}`;
  const base = v.pipe(
    v.number(range),
    v.safeInteger(range),
    v.integer(),
    v.minValue(least, range),
    v.maxValue(most ?? Number.MAX_SAFE_INTEGER, range),
  );
  const bounds = most === null ? `${least} or more.` : `${least} to ${most}.`;
  return v.pipe(base, v.description(`${about} ${bounds}`));
}

/** A share strictly between 0 and 1, also after rounding to the 32-bit float that is stored. */
export function ratio(about: string) {
  const range = "must be a number strictly between 0 and 1";
  return v.pipe(
    v.number(range),
    v.finite(range),
    v.gtValue(0, range),
    v.ltValue(1, range),
    v.description(`${about} Strictly between 0 and 1.`),
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
    v.description("Path of the phux server's Unix socket. Without it PHUX_SOCKET is used, then the default path."),
  ),
);

// Both spellings of a bad key give the code of tools.md 5.3, so the check itself is made where the code is known.
export const idempotencyKey = v.optional(
  v.pipe(
    v.string("must be a string"),
    v.regex(/^[0-9a-fA-F]{32}$/, "must be 32 hex digits"),
    v.minLength(32),
    v.maxLength(32),
    v.description(
      "Retry key: 32 hex digits, not all zero. Use a fresh one for each intended effect, the same one only to retry it.",
    ),
  ),
);

export { optional } from "valibot";
