import { expect, test } from "bun:test";
import { features } from "../../src/wire/capability.ts";
import type { Shape, TaggedShape } from "../../src/wire/codec.ts";
import { designedCommands } from "../../src/wire/designed.ts";
import * as enums from "../../src/wire/enums.ts";
import { ErrorCode, errorScope } from "../../src/wire/error-code.ts";
import { frames } from "../../src/wire/frame.ts";
import { limits } from "../../src/wire/limits.ts";
import { PhysicalKey } from "../../src/wire/physical-key.ts";
import { describeShared, sharedJson } from "../shared.ts";
import { items, type Members, members } from "./vector.ts";

/** Our shape in the words of wire-schema.json; what narrows a value (closed tables, bounds) is not in those words. */
function ours(shape: Shape): unknown {
  switch (shape.kind) {
    case "fixed":
      return shape.length === 3 ? "rgb24" : `bytes${shape.length}`;
    case "oneOf":
    case "checked":
    case "discarded":
      return ours(shape.of);
    case "opt":
      return { opt: ours(shape.of) };
    case "list":
      return { [`list${shape.count}`]: ours(shape.of) };
    case "record":
      return { parts: pairs(shape.fields), trailing: pairs(shape.trailing), tagged: oursTagged(shape.tagged ?? []) };
    case "union":
      return {
        sized: shape.sized,
        // What no source tells is in no schema.
        variants: shape.variants
          .filter(({ name }) => !Object.hasOwn(designedCommands, name))
          .map(({ tag, name, body }) => ({ tag, name, body: ours(body) })),
      };
    case "block":
      return { block: oursTagged(shape.tagged) };
    case "nested":
      return "(itself)";
    default:
      return shape.kind;
  }
}

function pairs(parts: readonly (readonly [string, Shape])[]): unknown {
  return parts.map(([name, shape]) => [name, ours(shape)]);
}

function oursTagged(tagged: TaggedShape): unknown {
  return tagged.map(({ id, name, presence, shape }) => ({ id, name, presence, type: ours(shape) }));
}

describeShared("the tables are those of wire-schema.json", () => {
  const schema = members(sharedJson("spec/wire-schema.json"));
  const types = members(schema["types"]);

  function theirs(type: string, inside: readonly string[] = []): unknown {
    if (inside.includes(type)) return "(itself)";
    const generic = /^(opt|list16|list32)<(.*)>$/.exec(type);
    if (generic?.[1] !== undefined) return { [generic[1]]: theirs(generic[2] ?? "", inside) };
    if (!(type in types)) return type;
    const form = members(types[type]);
    const within = [...inside, type];
    if (form["form"] === "alias") return theirs(String(form["type"]), within);
    if (form["form"] === "record") return body(form, within);
    if (form["form"] === "tlv_bytes") return { block: theirsTagged(form["tlv"], within) };
    return {
      sized: "body_length" in form,
      variants: items(form["variants"])
        .map(members)
        .map((variant) => ({ tag: variant["tag"], name: variant["name"], body: body(variant, within) })),
    };
  }

  function body(form: Members, inside: readonly string[]): unknown {
    const parts = (list: unknown) =>
      items(list ?? [])
        .map(members)
        .map(({ name, type }) => [name, theirs(String(type), inside)]);
    return {
      parts: parts(form["fields"]),
      trailing: parts(form["trailing"]),
      tagged: theirsTagged(form["tlv"], inside),
    };
  }

  function theirsTagged(list: unknown, inside: readonly string[]): unknown {
    return items(list ?? [])
      .map(members)
      .map(({ id, name, type, presence, repeated }) => ({
        id,
        name,
        presence: repeated === true ? "repeated" : presence,
        type: theirs(String(type), inside),
      }));
  }

  const contract = items(schema["frames"]).map(members);

  test.each(contract.map((frame) => [String(frame["name"]), frame] as const))("frame %s", (name, frame) => {
    const known = Object.values(frames).find((entry) => entry.name === name);
    expect({
      type_byte: known?.type,
      direction: known?.direction,
      fields: oursTagged(known?.content.shape ?? []),
    }).toEqual({
      type_byte: Number(frame["type_byte"]),
      direction: frame["direction"] === "c2s" || frame["direction"] === "s2c" ? frame["direction"] : "both",
      fields: theirsTagged(frame["fields"], []),
    });
  });

  test("no frame beyond the contract, and no retired or unimplemented type byte", () => {
    expect(Object.keys(frames).sort()).toEqual(contract.map(({ name }) => String(name)).sort());
    const taken = new Set(Object.values(frames).map(({ type }) => Number(type)));
    expect(taken.size).toBe(contract.length);
    const unused = [
      ...items(schema["retired_type_bytes"]),
      ...Object.keys(members(schema["named_but_not_implemented_type_bytes"])),
    ];
    expect(unused.filter((type) => taken.has(Number(type)))).toEqual([]);
  });

  test("enumerations", () => {
    const { nameOf, UNWRAP_BIT, ...tables } = enums;
    const theirTables = Object.entries(members(schema["enums"])).map(([name, table]) => [
      name,
      members(table)["values"],
    ]);
    expect<unknown>(tables).toEqual(Object.fromEntries(theirTables));
    expect(UNWRAP_BIT).toBe(0x80);
    expect(nameOf(enums.DetachReason, 255)).toBe("internal_error");
    expect(nameOf(enums.DetachReason, 42)).toBeNull();
  });

  test("closed tables are those whose unknown numbers are malformed, or make an event opaque", () => {
    const found = new Set<string>();
    for (const { content } of Object.values(frames)) closedTables(content.shape, found);
    const closed = Object.values(members(schema["enums"]))
      .map(members)
      .filter(({ unknown }) => unknown === "malformed" || String(unknown).startsWith("event becomes opaque"))
      .map(({ unknown, values }) =>
        closedTable(unknown === "malformed" ? "malformed" : "opaque", Object.values(members(values))),
      );
    const keys = closedTable("malformed", Object.values(members(schema["physical_keys"])));
    expect([...found].sort()).toEqual([...new Set([...closed, keys])].sort());
  });

  test("error codes and their scopes", () => {
    const theirCodes = items(schema["error_codes"]).map(members);
    expect<unknown>(ErrorCode).toEqual(Object.fromEntries(theirCodes.map(({ code, name }) => [name, code])));
    for (const { code, name, scope } of theirCodes) expect([name, errorScope(Number(code))]).toEqual([name, scope]);
  });

  test("feature bits", () => {
    const words = members(schema["server_features"]);
    const word = (name: string, at: number) =>
      items(words[name])
        .map(members)
        .map((feature) => [feature["name"], [at, feature["bit"]]]);
    expect<unknown>(features).toEqual(Object.fromEntries([...word("word0", 0), ...word("word1", 1)]));
  });

  test("physical keys", () => expect<unknown>(PhysicalKey).toEqual(schema["physical_keys"]));
  test("limits", () => expect<unknown>(limits).toEqual(schema["limits"]));
});

function closedTable(others: string, values: readonly unknown[]): string {
  return `${others} ${values.join(" ")}`;
}

function closedTables(tagged: TaggedShape, found: Set<string>): void {
  for (const { shape } of tagged) walk(shape, found);
}

function walk(shape: Shape, found: Set<string>): void {
  if (shape.kind === "oneOf") found.add(closedTable(shape.others, shape.values));
  else if (shape.kind === "record") {
    for (const [, part] of [...shape.fields, ...shape.trailing]) walk(part, found);
    closedTables(shape.tagged ?? [], found);
  } else if (shape.kind === "union") for (const { body } of shape.variants) walk(body, found);
  else if (shape.kind === "block") closedTables(shape.tagged, found);
  else if (shape.kind === "opt" || shape.kind === "list" || shape.kind === "checked") walk(shape.of, found);
}
