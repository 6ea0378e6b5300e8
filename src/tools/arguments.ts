import * as v from "valibot";
import type { ErrorDocumentCode } from "../phux/error-codes.ts";
import { type Refusal, refuse, sentence } from "../phux/errors.ts";
import { beginningOf } from "../text/character.ts";
import { nearest } from "../text/nearest.ts";
import { fail, ok, type Result } from "../wire/result.ts";

/** One argument: a valibot schema whose description is what the model reads. */
export type Argument = v.GenericSchema;
export type Arguments = Readonly<Record<string, Argument>>;
/** The value a tool is given: what the schemas let through, defaults not applied. */
export type Given<Input extends Arguments> = v.InferOutput<v.StrictObjectSchema<Input, undefined>>;
/** The `arguments` object as a host sent it. */
export type RawArguments = Readonly<Record<string, unknown>>;

/** A parameter that Gemini CLI adds to every schema and passes on; it means nothing here (design.md section 3). */
const ADDED_BY_A_HOST = "wait_for_previous";

/** What the human said yes to is never read out of a text (design.md section 3). */
const CONSENT = "confirm";

/** The argument names in `input` that a value must be given for. */
export function requiredNames(input: Arguments): string[] {
  return Object.keys(input).filter((name) => input[name]?.type !== "optional");
}

type JsonType = "string" | "number" | "boolean" | "array" | "object" | "other";

/** The JSON type that an argument's schema wants. */
export function wantedType(schema: v.GenericSchema): JsonType {
  if (schema.type === "optional" && "wrapped" in schema) return wantedType(schema.wrapped as v.GenericSchema);
  switch (schema.type) {
    case "string":
    case "picklist":
      return "string";
    case "number":
    case "boolean":
    case "array":
      return schema.type;
    case "custom":
      return "object";
    default:
      return "other";
  }
}

function jsonType(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return value === null ? "null" : typeof value;
}

// Hosts and models often send a value as its JSON text (tools.md 5.2).
function decoded(value: unknown, wanted: JsonType): unknown {
  if (typeof value !== "string" || wanted === "string" || wanted === "other") return value;
  try {
    const read: unknown = JSON.parse(value);
    return jsonType(read) === wanted ? read : value;
  } catch {
    return value;
  }
}

const shown = (name: string) =>
  name.length <= 64 ? JSON.stringify(name) : `${JSON.stringify(beginningOf(name, 64))}…`;

function unknownArgument(tool: string, input: Arguments, raw: RawArguments): Refusal | null {
  const known = Object.keys(input);
  for (const name of Object.keys(raw)) {
    if (known.includes(name)) continue;
    if (name === ADDED_BY_A_HOST && typeof raw[name] === "boolean") continue;
    const near = known.length === 0 ? null : nearest(name, known, known.length)[0];
    const hint = near ? `did you mean ${JSON.stringify(near)}? It` : "it";
    const list = known.length === 0 ? "no arguments" : known.join(", ");
    return sentence(`${tool} has no argument ${shown(name)}; ${hint} takes ${list}`);
  }
  return null;
}

/**
 * Checks the arguments of a call in the order of tools.md 5.1, steps 2 to 4: unknown names, missing ones, then types
 * and bounds in the order of the schema, each value decoded as 5.2 says. The first failure is the answer.
 */
export function parseArguments<const Input extends Arguments>(
  tool: string,
  input: Input,
  raw: RawArguments,
): Result<Given<Input>, Refusal> {
  const unknown = unknownArgument(tool, input, raw);
  if (unknown !== null) return fail(unknown);
  const values = new Map<string, unknown>();
  for (const [name, schema] of Object.entries<Argument>(input)) {
    const value = Object.hasOwn(raw, name) ? raw[name] : undefined;
    if (value === undefined || value === null) continue;
    values.set(name, name === CONSENT ? value : decoded(value, wantedType(schema)));
  }
  const missing = requiredNames(input).find((name) => !values.has(name));
  if (missing !== undefined) return fail(sentence(`${tool} needs the argument "${missing}"`));
  const parsed = v.safeParse(v.strictObject(input), Object.fromEntries(values), {
    abortEarly: true,
    abortPipeEarly: true,
  });
  if (parsed.success) return ok(parsed.output);
  return fail(wrongArgument(tool, parsed.issues[0]));
}

/** Values that are of the right type and wrong all the same have a code for two arguments (tools.md 5.3). */
const codes: ReadonlyMap<string, ErrorDocumentCode> = new Map([
  ["idempotency_key", "invalid_idempotency_key"],
  ["ratio", "invalid_ratio"],
]);

function wrongArgument(tool: string, issue: v.BaseIssue<unknown>): Refusal {
  const [name = "", ...inside] = (issue.path ?? []).map((item) => String(item.key));
  const where = inside.length === 0 ? `"${name}"` : `"${name}" entry ${inside.join(".")}`;
  const message = `${tool}: ${where} ${issue.message}`;
  const code = issue.kind === "validation" ? codes.get(name) : undefined;
  return code === undefined ? sentence(message, 2) : refuse(code, message);
}
