import { describe, expect, test } from "bun:test";
import { catalog } from "../../src/tools/catalog.ts";
import { catalogJson } from "../../src/tools/catalog-json.ts";
import { type Descriptor, descriptorOf } from "../../src/tools/descriptor.ts";
import { toolsJson } from "../../src/tools/published.ts";
import { describeShared, sharedJson } from "../shared.ts";
import { items, type Members, members } from "../wire/vector.ts";

const descriptors = catalog.map(descriptorOf);
const named = descriptors.map((descriptor) => [descriptor.name, descriptor] as const);
const bytes = (value: unknown) => Buffer.byteLength(typeof value === "string" ? value : JSON.stringify(value));

/** Words of JSON Schema that one host or another refuses, drops or rewrites (design.md section 3). */
const forbidden = [
  ...["oneOf", "anyOf", "allOf", "not", "if", "then", "else", "$ref", "$defs", "definitions", "$schema", "$id"],
  ...["default", "format", "patternProperties", "prefixItems", "nullable", "title"],
];

/** Every schema in a schema, with the way to it. Names of arguments are no words of the schema. */
function* schemasIn(schema: Members, at: string): Generator<[at: string, schema: Members]> {
  yield [at, schema];
  for (const [name, one] of Object.entries(members(schema["properties"] ?? {})))
    yield* schemasIn(members(one), `${at}.${name}`);
  if (schema["items"] !== undefined) yield* schemasIn(members(schema["items"]), `${at}[]`);
}

describe("the list", () => {
  test("is what the program was built with", () => expect(catalogJson()).toBe(toolsJson));
  test("is under 44 KiB in one reply", () => expect(bytes({ tools: descriptors })).toBeLessThanOrEqual(44 * 1_024));
  test("has each name once, short enough behind every host's prefix", () => {
    expect(new Set(descriptors.map(({ name }) => name)).size).toBe(descriptors.length);
    for (const { name } of descriptors) expect(name).toMatch(/^phux_[a-z_]{2,35}$/);
  });
  test("has no two descriptions alike", () =>
    expect(new Set(descriptors.map(({ description }) => description)).size).toBe(descriptors.length));
});

describe.each(named)("%s", (_, descriptor) => {
  const schemas = [...schemasIn({ ...descriptor.inputSchema }, "input")];
  const values = (schema: Members) => [...items(schema["enum"] ?? []), ...("const" in schema ? [schema["const"]] : [])];

  test("has the members of a descriptor and no other", () => {
    expect(Object.keys(descriptor)).toEqual(["name", "description", "inputSchema", "annotations"]);
    expect(Object.values(descriptor.annotations).every((hint) => typeof hint === "boolean")).toBe(true);
    expect(Object.keys(descriptor.annotations)).toEqual(["readOnlyHint", "destructiveHint", "openWorldHint"]);
  });

  test("describes itself in at most 2 KB", () => {
    expect(descriptor.description.length).toBeGreaterThanOrEqual(40);
    for (const text of [descriptor.description, ...schemas.map(([, schema]) => String(schema["description"] ?? ""))]) {
      expect(bytes(text)).toBeLessThanOrEqual(2_048);
    }
  });

  test("its schema survives every host", () => {
    expect(descriptor.inputSchema.type).toBe("object");
    expect(descriptor.inputSchema.additionalProperties).toBe(false);
    for (const [at, schema] of schemas) {
      expect(Object.keys(schema).filter((word) => forbidden.includes(word))).toEqual([]);
      expect(schema["type"]).toBeString();
      if (schema["type"] === "array") expect(members(schema["items"])["type"]).toBeString();
      if ("required" in schema) {
        expect(items(schema["required"]).length).toBeGreaterThan(0);
        for (const name of items(schema["required"]))
          expect(members(schema["properties"])).toHaveProperty(String(name));
      }
      if (schema["pattern"] !== undefined) expect(String(schema["pattern"])).not.toMatch(/\(\?|\\[pPbBk]|\\u/);
      const type = schema["type"] === "integer" ? "number" : String(schema["type"]);
      for (const value of values(schema)) expect(String(typeof value)).toBe(type);
      if (at !== "input" && !at.endsWith("[]")) expect(String(schema["description"]).trim()).not.toBe("");
    }
  });

  test("says its bounds in words, because some hosts drop the others", () => {
    for (const [at, schema] of schemas.filter(([at]) => at !== "input" && !at.endsWith("[]"))) {
      const text = `${at}: ${schema["description"]}`;
      for (const bound of ["minimum", "maximum", "maxItems"]) {
        if (bound in schema) expect(text).toMatch(new RegExp(`(^|[^0-9])${schema[bound]}([^0-9]|$)`));
      }
      if ("exclusiveMinimum" in schema) expect(text).toContain("Between 0 and 1, exclusive");
      if (Number(schema["minItems"] ?? 0) > 0) expect(text).toMatch(/\b1\b/);
      if ("pattern" in schema) expect(text).toMatch(/digits|letters|characters|:/);
    }
  });
});

describeShared("the contract's table of tools", () => {
  const specs = items(sharedJson("spec/tools.json")).map(members);
  const specOf = (name: string) => {
    const found = specs.find((spec) => spec["name"] === name);
    if (found === undefined) throw new Error(`the contract has no tool ${name}`);
    return found;
  };

  test("stands here whole, in its order: 37 in this process and 22 over the CLI", () => {
    expect(descriptors.map(({ name }) => name)).toEqual(specs.map(({ name }) => String(name)));
    expect(catalog.map(({ name, runs, verb }): unknown[] => [name, runs, verb])).toEqual(
      specs.map((spec) => [spec["name"], spec["exec"], spec["cliVerb"] ?? null]),
    );
    expect(catalog.filter(({ runs }) => runs === "in-process")).toHaveLength(37);
    expect(catalog.filter(({ runs }) => runs === "cli")).toHaveLength(22);
  });

  test.each(named)("%s: hints, names, types, bounds", (name, { annotations, inputSchema }) => {
    const spec = specOf(name);
    expect({ ro: annotations.readOnlyHint, d: annotations.destructiveHint }).toEqual({
      ro: spec["readOnly"] === true,
      d: spec["destructive"] === true,
    });
    const args = Object.entries(members(spec["args"])).map(([at, one]) => [at, members(one)] as const);
    expect(Object.keys(inputSchema.properties)).toEqual(args.map(([at]) => at));
    expect([...(inputSchema.required ?? [])]).toEqual(
      args.filter(([, one]) => one["required"] === true).map(([at]) => at),
    );
    for (const [at, one] of args) sameArgument(members(inputSchema.properties[at]), one);
  });

  function sameArgument(published: Members, spec: Members): void {
    const wanted = [spec["type"]].flat().find((type) => type !== "null");
    expect(published["type"]).toBe(spec["integer"] === true ? "integer" : String(wanted));
    expect(published["enum"]).toEqual(spec["enum"]);
    expect(published["const"]).toEqual(spec["const"]);
    if (spec["items"] !== undefined) {
      expect(members(published["items"])["type"]).toEqual(members(spec["items"])["type"]);
      expect(members(published["items"])["enum"]).toEqual(members(spec["items"])["enum"]);
    }
    for (const bound of ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "maxItems", "pattern"]) {
      if (bound in published || bound !== "maximum")
        expect({ [bound]: published[bound] }).toEqual({ [bound]: spec[bound] });
    }
    expect(Number(published["minItems"] ?? 0)).toBe(Number(spec["minItems"] ?? 0));
    // A bound in bytes is said in words alone: JSON Schema counts characters.
    if (spec["maxLength"] === 4096) expect(String(published["description"])).toContain("4096 bytes");
  }
});

const isOpen = ({ annotations }: Descriptor) => annotations.openWorldHint;
test("what starts a program or types into one is open, what reads or arranges is closed", () => {
  const open = descriptors.filter(isOpen).map(({ name }) => name);
  for (const name of ["phux_run", "phux_new", "phux_spawn", "phux_send_keys", "phux_paste"])
    expect(open).toContain(name);
  for (const name of ["phux_ls", "phux_snapshot", "phux_wait", "phux_watch", "phux_status"])
    expect(open).not.toContain(name);
});
