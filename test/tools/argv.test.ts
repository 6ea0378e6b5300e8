/** The argument vectors of the tools that run `phux`: exactly the templates of spec/tools.json, whatever a caller writes. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { socket } from "../../src/tools/argument.ts";
import { wantedType } from "../../src/tools/arguments.ts";
import { catalog } from "../../src/tools/catalog.ts";
import type { Prepared, Tool } from "../../src/tools/tool.ts";
import { describeShared, sharedJson } from "../shared.ts";

type Given = Readonly<Record<string, unknown>>;

interface ArgumentSpec {
  readonly type: string;
  readonly required: boolean;
  readonly enum?: readonly string[];
  readonly items?: { readonly enum?: readonly string[] };
  readonly minimum?: number;
  readonly default?: unknown;
}
type Part = string | { if?: string; ifNonEmpty?: string; else?: true; each?: string; argv: readonly Part[] };
interface ToolSpec {
  readonly name: string;
  readonly exec: string;
  readonly argv?: readonly Part[];
  readonly args: Readonly<Record<string, ArgumentSpec>>;
  readonly deadlineMs?: number;
}

const cliTools = catalog.filter((tool) => tool.runs === "cli");
const toolNamed = (name: string): Tool => {
  const tool = catalog.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`${name} is not in the catalog`);
  return tool;
};

function prepared(tool: Tool, given: Given): Extract<Prepared, { runs: "cli" }> | null {
  const result = tool.prepare(given);
  return result.ok && result.value.runs === "cli" ? result.value : null;
}

/** A value that an argument takes. */
function sample(name: string, spec: ArgumentSpec): unknown {
  switch (spec.type) {
    case "string":
      if (name === "idempotency_key") return "00112233445566778899aabbccddeeff";
      return spec.enum?.[0] ?? `a ${name}`;
    case "integer":
      return Math.max(spec.minimum ?? 1, 1) + 1;
    case "number":
      return name === "ratio" ? 0.25 : Math.max(spec.minimum ?? 1, 1) + 1;
    case "boolean":
      return true;
    case "array":
      return spec.items?.enum?.slice(0, 2) ?? ["first", "second one"];
    default:
      return { b: 1, a: ["x", null] };
  }
}

/** A template of tools.json filled in: strings, `{name}` holes, and parts that depend on an argument. */
function filled(template: readonly Part[], given: Given): string[] {
  const out: string[] = [];
  const present = (name: string) => {
    const value = given[name];
    return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
  };
  let taken = false;
  for (const part of template) {
    if (typeof part === "string") {
      const [, name = "", more] = part.match(/^\{(\w+)(\.\.\.|\|compact-json)?\}$/) ?? [];
      const value = given[name];
      if (name === "") out.push(part);
      else if (Array.isArray(value)) out.push(...value.map(String));
      else out.push(more === "|compact-json" ? JSON.stringify(value) : String(value));
    } else if (part.each !== undefined) {
      const items = given[part.each];
      for (const item of Array.isArray(items) ? items : [])
        out.push(...part.argv.map((at) => (at === "{item}" ? item : String(at))));
    } else {
      const [name = "", wanted] = (part.if ?? part.ifNonEmpty ?? "").split("=");
      const holds: boolean =
        part.else === true ? !taken : wanted === undefined ? present(name) : given[name] === wanted;
      taken = holds;
      if (holds) out.push(...filled(part.argv, given));
    }
  }
  return out;
}

function withDefaults(spec: ToolSpec, given: Given): Given {
  const defaults = Object.entries(spec.args).flatMap(([name, { default: value }]) =>
    value === undefined || given[name] !== undefined ? [] : [[name, value] as const],
  );
  return { ...Object.fromEntries(defaults), ...given };
}

describeShared("every combination of arguments is the argv of spec/tools.json", () => {
  // Parse boundary: the contract's own file, whose shape the rows below use.
  const specs = (sharedJson("spec/tools.json") as readonly ToolSpec[]).filter((spec) => spec.exec === "cli");

  test("all 22 of them are here", () =>
    expect(cliTools.map(({ name }) => name).sort()).toEqual(specs.map(({ name }) => name).sort()));

  test.each(specs.map((spec): [string, ToolSpec] => [spec.name, spec]))("%s", (name, spec) => {
    const names = Object.keys(spec.args);
    let tried = 0;
    // Each argument there or not: tools.md says which combinations are refused, and those give no argv.
    for (let mask = 0; mask < 1 << names.length; mask += 1) {
      const chosen = names.filter((argument, bit) => ((mask >> bit) & 1) === 1 || spec.args[argument]?.required);
      const given: Given = Object.fromEntries(
        chosen.map((argument) => [
          argument,
          sample(argument, spec.args[argument] ?? { type: "string", required: false }),
        ]),
      );
      const call = prepared(toolNamed(name), given);
      if (call === null) continue;
      tried += 1;
      expect(call.argv, JSON.stringify(given)).toEqual(filled(spec.argv ?? [], withDefaults(spec, given)));
    }
    expect(tried).toBeGreaterThan(0);
  });

  test.each(specs.map((spec): [string, ToolSpec] => [spec.name, spec]))(
    "%s has the deadline of its defaults",
    (name, spec) => {
      const given: Given = Object.fromEntries(
        Object.entries(spec.args).flatMap(([argument, row]) =>
          row.required ? [[argument, sample(argument, row)]] : [],
        ),
      );
      const extra = name === "phux_launch" ? { integration: "x" } : name === "phux_agent_answer" ? { choice: 1 } : {};
      expect(prepared(toolNamed(name), { ...given, ...extra })?.deadlineMs).toBe(spec.deadlineMs);
    },
  );
});

describe("no text of a caller is read as an option", () => {
  const long: Readonly<Record<string, string>> = { "-s": "--session", "-c": "--cwd", "-o": "--output" };
  const hostile = fc.oneof(
    fc.constantFrom("-", "--", "-x", "--help", "--socket=/evil", "--socket", "-s", "--json", "-o/etc/passwd", "---"),
    fc.string({ minLength: 1, maxLength: 12 }).map((text) => `-${text}`),
  );
  const words = new Set(["type", "split", "action", "idempotency_key", "until"]);
  const lists = new Set(["keys", "args", "extra"]);

  /** The words before any `--` that a parser takes for options, long, without a value behind an `=`. */
  function optionsOf(argv: readonly string[]): string[] {
    const open = argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv;
    return open.filter((word) => word.startsWith("-")).map((word) => long[word] ?? word.split("=", 1)[0] ?? word);
  }

  const base: Readonly<Record<string, Given>> = {
    phux_agent_answer: { choice: 1 },
    phux_agent_emit: { type: "stop" },
    phux_launch: { integration: "x", target: "@1" },
  };
  const needed = (tool: Tool) =>
    Object.keys(tool.input).filter((name) => tool.input[name]?.type !== "optional" && !words.has(name));
  const slots = cliTools.flatMap((tool) =>
    Object.entries(tool.input).flatMap(([name, schema]): [string, Tool, string][] => {
      const takesText = ["string", "array"].includes(wantedType(schema)) && !words.has(name);
      return takesText ? [[`${tool.name} ${name}`, tool, name]] : [];
    }),
  );

  test.each(slots)("%s", (_, tool, name) => {
    const plain = Object.fromEntries(needed(tool).map((one) => [one, lists.has(one) ? ["plain"] : "plain"]));
    const argvWith = (text: string) => {
      const value = wantedType(tool.input[name] ?? tool.input["target"] ?? socket) === "array" ? [text] : text;
      const action = tool.name === "phux_archive" ? { action: name === "path" ? "import" : "save" } : {};
      const given = { ...plain, ...base[tool.name], ...action, [name]: value };
      // An answer in words takes the place of one by number.
      return prepared(tool, name === "text" && "choice" in given ? { ...given, choice: null } : given)?.argv ?? null;
    };
    const usual = argvWith("plain");
    if (usual === null) throw new Error(`${tool.name} refuses a plain ${name}`);
    fc.assert(
      fc.property(hostile, (text) => {
        const argv = argvWith(text);
        // Refused is fine; passed on, it must leave the options as they are.
        if (argv !== null) expect(optionsOf(argv)).toEqual(optionsOf(usual));
      }),
    );
  });
});
