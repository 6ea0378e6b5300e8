/** What a host sees in a published schema: what it accepts, values that it accepts, and values that it does not. */
import fc from "fast-check";
import { hostWith } from "./gh-host.ts";

export type Schema = Readonly<Record<string, unknown>>;

export interface Published {
  readonly name: string;
  readonly description: string;
  readonly annotations: Readonly<Record<string, unknown>>;
  readonly inputSchema: Schema;
}

export function members(value: unknown): Schema {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`no object: ${Bun.inspect(value)}`);
  return { ...value };
}

export const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The tools of the live tools/list. */
export async function publishedTools(): Promise<readonly Published[]> {
  using host = hostWith();
  const { result } = await host.request("tools/list");
  // Parse boundary: the lint judges what is in it.
  return listed(result?.tools) as readonly Published[];
}

/** The arguments of a tool with their schemas, and which of them it needs. */
export const argumentsOf = ({ inputSchema }: Published): [name: string, schema: Schema][] =>
  Object.entries(members(inputSchema["properties"])).map(([name, schema]) => [name, members(schema)]);
export const needs = ({ inputSchema }: Published, name: string): boolean =>
  listed(inputSchema["required"]).includes(name);

/** The words that the lint lets through. A validator that skipped one would accept too much. */
const words: Readonly<Record<string, (bound: unknown, value: unknown) => boolean>> = {
  type: (type, value) => typesOf(value).includes(String(type)),
  description: () => true,
  enum: (values, value) => listed(values).includes(value),
  const: (only, value) => value === only,
  minimum: (least, value) => Number(value) >= Number(least),
  maximum: (most, value) => Number(value) <= Number(most),
  exclusiveMinimum: (least, value) => Number(value) > Number(least),
  exclusiveMaximum: (most, value) => Number(value) < Number(most),
  pattern: (form, value) => new RegExp(String(form), "u").test(String(value)),
  minItems: (least, value) => listed(value).length >= Number(least),
  maxItems: (most, value) => listed(value).length <= Number(most),
  items: (each, value) => listed(value).every((entry) => accepts(members(each), entry)),
};

function typesOf(value: unknown): string[] {
  if (Array.isArray(value)) return ["array"];
  if (value === null) return ["null"];
  if (typeof value !== "number") return [typeof value];
  return Number.isInteger(value) ? ["number", "integer"] : ["number"];
}

/** Whether a JSON Schema validator lets a value of one argument through. */
export function accepts(schema: Schema, value: unknown): boolean {
  if (!words["type"]?.(schema["type"], value)) return false;
  return Object.entries(schema).every(([word, bound]) => {
    const holds = words[word];
    if (holds === undefined) throw new Error(`a word that no host was asked about: ${word}`);
    return holds(bound, value);
  });
}

/** The same, with the bounds that only the words of the description tell: JSON Schema counts characters, phux bytes. */
export function acceptsInWords(schema: Schema, value: unknown): boolean {
  if (!accepts(schema, value)) return false;
  const about = String(schema["description"]);
  const [, least, most] = /(\d+)\.\.(\d+) bytes/.exec(about) ?? [];
  const texts = typeof value === "string" ? [value] : listed(value).filter((entry) => typeof entry === "string");
  return texts.every((text) => {
    const bytes = Buffer.byteLength(text);
    if (least !== undefined && (bytes < Number(least) || bytes > Number(most))) return false;
    return !(about.includes("Not empty") && bytes === 0);
  });
}

const letters = fc.string({ unit: fc.constantFrom(..."abcxyz"), minLength: 1, maxLength: 12 });

/** Values of an argument that its schema accepts, in letters that mean nothing to a selector, a path or an option. */
export function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  const { type, pattern, minimum, maximum } = schema;
  if ("const" in schema) return fc.constant(schema["const"]);
  if (schema["enum"] !== undefined) return fc.constantFrom(...listed(schema["enum"]));
  if (type === "boolean") return fc.boolean();
  if (type === "object")
    return fc.dictionary(letters, fc.oneof(letters, fc.boolean(), fc.constant(null)), { maxKeys: 3 });
  if (type === "integer") {
    const most = maximum === undefined ? Number.MAX_SAFE_INTEGER : Number(maximum);
    return fc.oneof(
      fc.constantFrom(Number(minimum), most),
      fc.integer({ min: Number(minimum), max: Math.min(most, 99_999) }),
    );
  }
  if (type === "number") return fc.double({ min: 0.01, max: 0.99, noNaN: true });
  if (type === "array") {
    const most = Math.min(Number(schema["maxItems"] ?? 64), 64);
    const minLength = Number(schema["minItems"] ?? 0);
    const short = fc.array(valuesOf(members(schema["items"])), { minLength, maxLength: Math.min(most, 3) });
    return fc.oneof(short, fc.array(valuesOf(members(schema["items"])), { minLength: most, maxLength: most }));
  }
  return pattern === undefined ? letters : fc.stringMatching(new RegExp(String(pattern)));
}

/** All the arguments of a tool: those it needs and some of the others, consent always. */
export function callsOf(tool: Published): fc.Arbitrary<Schema> {
  const all = argumentsOf(tool).filter(([name]) => name !== "socket");
  const values = Object.fromEntries(
    all.map(([name, schema]) => [name, name === "confirm" ? fc.constant(true) : valuesOf(schema)]),
  );
  const requiredKeys = all.map(([name]) => name).filter((name) => needs(tool, name) || name === "confirm");
  return fc.record(values, { requiredKeys });
}

/** One call with what a tool needs and nothing else. */
export function leastCall(tool: Published): Schema {
  const [call] = fc.sample(callsOf(tool), { numRuns: 1, seed: 7 });
  return Object.fromEntries(Object.entries(call ?? {}).filter(([name]) => needs(tool, name) || name === "confirm"));
}

const ofEveryType: readonly unknown[] = ["plain", "", 7, -1, 1.5, true, false, [], ["a"], [1], [null], {}, { a: 1 }];

/** Values that a schema does not accept, as they are: each type but its own, and just past each bound. */
export function valuesOutside(schema: Schema): unknown[] {
  const { type, minimum, maximum, pattern } = schema;
  const beyond: unknown[] = [];
  if (type === "integer") beyond.push(Number(minimum) - 1, 2 ** 53, 1.5, "1.5", "1e400", "NaN", " ", "0x10", "١");
  if (maximum !== undefined) beyond.push(Number(maximum) + 1, String(Number(maximum) + 1));
  if (type === "number") beyond.push(0, 1, -0, 2, -0.5, "1", "0", "NaN");
  if (type === "boolean") beyond.push("yes", "TRUE", "1", " true", 0, 1);
  if (schema["maxItems"] !== undefined)
    beyond.push(Array(Number(schema["maxItems"]) + 1).fill(sampleOf(schema["items"])));
  if (type === "array") beyond.push('["a"', "a,b", "[1]", { 0: "a", length: 1 }, [["a"]], [{}]);
  if (type === "object") beyond.push("[]", '{"a"', "null", '"x"');
  for (const one of listed(schema["enum"])) beyond.push(String(one).toUpperCase(), ` ${one}`, `${one}\n`, `${one}\0`);
  if (pattern !== undefined)
    beyond.push("", "!", `${sampleOf(schema)}\n`, `${sampleOf(schema)}!`, ` ${sampleOf(schema)}`);
  return [...ofEveryType, ...beyond].filter((value) => !accepts(schema, value) && !accepts(schema, read(value)));
}

function sampleOf(schema: unknown): unknown {
  return fc.sample(valuesOf(members(schema)), { numRuns: 1, seed: 7 })[0];
}

/** A value that arrived as its JSON text. */
export function read(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
