/** The rules of design.md section 3 for a published tool, as complaints. */
import { argumentsOf, listed, members, type Published, type Schema } from "./g-json-schema.ts";

/** The words an argument may have, by its type; `description` and `type` always. */
const words: Readonly<Record<string, readonly string[]>> = {
  string: ["enum", "pattern"],
  integer: ["minimum", "maximum"],
  number: ["exclusiveMinimum", "exclusiveMaximum"],
  boolean: ["const"],
  array: ["items", "minItems", "maxItems"],
  object: [],
};

/** What of a pattern not every host's or language's regular expressions have: groups with a `?`, classes by letter, references. */
const unusual = /\(\?|\\[a-zA-Z0-9]|\\$|\[\^|[*+?}][?+]/;

/** Bytes of a text on its way. */
export const bytesOf = (text: string): number => Buffer.byteLength(text);

export function lint(tool: Published): string[] {
  const found: string[] = [];
  const complain = (at: string, what: string) => found.push(`${at}: ${what}`);
  expectKeys(tool, ["name", "description", "inputSchema", "annotations"], (what) => complain("tool", what));
  if (!/^phux_[a-z]+(?:_[a-z]+)*$/.test(tool.name) || tool.name.length > 40) complain("name", tool.name);
  if (!/^\S.{28,}[.)`]$/s.test(tool.description)) complain("description", "says little, or no sentence");
  const root = tool.inputSchema;
  const required = "required" in root ? ["required"] : [];
  expectKeys(root, ["type", "properties", ...required, "additionalProperties"], (what) => complain("schema", what));
  if (root["type"] !== "object" || root["additionalProperties"] !== false) complain("schema", "is no closed object");
  if (required.length > 0 && listed(root["required"]).length === 0) complain("schema", "has an empty required");
  const names = argumentsOf(tool).map(([name]) => name);
  for (const name of listed(root["required"]))
    if (!names.includes(String(name))) complain("schema", `requires ${name}, which is no property`);
  for (const [name, schema] of argumentsOf(tool)) {
    if (!/^[a-z]+(?:_[a-z]+)*$/.test(name)) complain(name, "is no plain name");
    lintArgument(schema, ["description"], (what) => complain(name, what));
    for (const what of unsaidBounds(schema)) complain(name, what);
  }
  const texts = [tool.description, ...argumentsOf(tool).map(([, schema]) => String(schema["description"]))];
  for (const text of texts) {
    if (bytesOf(text) >= 2_048) complain("description", "of 2 KB or more");
    if (/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(text)) complain("description", "with a character that is not seen");
  }
  return found;
}

function lintArgument(schema: Schema, besides: readonly string[], complain: (what: string) => void): void {
  const { type } = schema;
  const known = typeof type === "string" ? words[type] : undefined;
  if (known === undefined) {
    complain(`is of no known type: ${JSON.stringify(type)}`);
    return;
  }
  for (const word of Object.keys(schema))
    if (![...known, ...besides, "type"].includes(word)) complain(`has the word ${word}`);
  for (const word of besides) if (String(schema[word] ?? "").trim() === "") complain(`has no ${word}`);
  const typed = type === "integer" ? "number" : type;
  for (const value of [...listed(schema["enum"]), ...("const" in schema ? [schema["const"]] : [])])
    if (typeof value !== typed) complain(`has the value ${JSON.stringify(value)}`);
  if (schema["enum"] !== undefined && new Set(listed(schema["enum"])).size < 2)
    complain("has a choice of less than two");
  for (const word of known.filter((one) => /^(min|max|exclusive)/.test(one) && one in schema))
    if (!Number.isSafeInteger(schema[word])) complain(`has the bound ${word} ${schema[word]}`);
  if (schema["pattern"] !== undefined) lintPattern(String(schema["pattern"]), complain);
  if (type === "array") lintArgument(members(schema["items"] ?? { type: "nothing" }), [], complain);
}

function lintPattern(pattern: string, complain: (what: string) => void): void {
  if (unusual.test(pattern)) complain(`has the unusual pattern ${pattern}`);
  if (!/^\^.*\$$/.test(pattern)) complain(`has a pattern that is not anchored: ${pattern}`);
  for (const flags of ["", "u"]) {
    try {
      new RegExp(pattern, flags);
    } catch {
      complain(`has a pattern that is none with the flag ${flags}`);
    }
  }
}

/** Bounds of a schema that its description does not say: some hosts drop all but the description. */
function unsaidBounds(schema: Schema): string[] {
  const about = String(schema["description"]);
  const said = (number: unknown) => new RegExp(`(?<![0-9])${number}(?![0-9])`).test(about);
  const bounds = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems"];
  const unsaid = bounds
    .filter((word) => word in schema && !said(schema[word]))
    .map((word) => `does not say its ${word}`);
  const sizes = /\{(\d+)(?:,(\d+))?\}/.exec(String(schema["pattern"] ?? ""));
  if (sizes !== null && ![sizes[2] ?? sizes[1], Number(sizes[2] ?? sizes[1]) + 1].some(said))
    unsaid.push("does not say its length");
  return unsaid;
}

function expectKeys(value: object, keys: readonly string[], complain: (what: string) => void): void {
  const found = Object.keys(value);
  if (found.join() !== keys.join()) complain(`has the members ${found.join()}`);
}
