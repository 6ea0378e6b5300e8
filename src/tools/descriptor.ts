import { type ConversionConfig, type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import { type Argument, type Arguments, requiredNames } from "./arguments.ts";
import { type Hints, hintsOf, type Tool } from "./tool.ts";

/** One entry of tools/list and of --schema. */
export interface Descriptor {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: {
    readonly type: "object";
    readonly properties: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
    readonly additionalProperties: false;
  };
  readonly annotations: Hints;
}

/** Rules that JSON Schema has no word for are enforced at run time and named in the description. */
const RUN_TIME_RULES: ConversionConfig = {
  ignoreActions: ["min_bytes", "max_bytes", "safe_integer", "check"],
  // The one kind of argument whose members are nobody's business but its reader's (`object` in argument.ts).
  overrideSchema: ({ valibotSchema }) => (valibotSchema.type === "custom" ? { type: "object" } : undefined),
};

/** What a tool publishes, made from its declaration alone (design.md section 3). */
export function descriptorOf(tool: Tool): Descriptor {
  const required = requiredNames(tool.input);
  return {
    name: tool.name,
    description: tool.about,
    inputSchema: {
      type: "object",
      properties: propertiesOf(tool.input),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    },
    annotations: hintsOf(tool),
  };
}

function propertiesOf(input: Arguments): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(input).map(([name, schema]) => [name, published(schema)]));
}

/** The JSON Schema of one argument, in the form that every host accepts: one string `type`, bounds that are real. */
function published(schema: Argument): JsonSchema {
  const { $schema: _, ...converted } = toJsonSchema(schema, RUN_TIME_RULES);
  // Bounds that bound nothing.
  if (converted.maximum === Number.MAX_SAFE_INTEGER) delete converted.maximum;
  if (converted.minItems === 0) delete converted.minItems;
  if (typeof converted.const === "boolean") return { type: "boolean", ...converted };
  return converted;
}
