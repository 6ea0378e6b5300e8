import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { refusalText, sentence } from "../../src/phux/errors.ts";
import * as argument from "../../src/tools/argument.ts";
import { type Arguments, parseArguments } from "../../src/tools/arguments.ts";
import { inProcess } from "../../src/tools/tool.ts";
import { ok } from "../../src/wire/result.ts";
import { errorIn, valueIn } from "../phux/dialled.ts";
import { Bench } from "./calls.ts";

/** One argument of every kind. */
const everything = {
  name: argument.text("A name."),
  count: argument.optional(argument.integer("A count.", 1, 100)),
  open: argument.optional(argument.integer("Open above.", 0, null)),
  ratio: argument.optional(argument.ratio("A share.")),
  list: argument.optional(argument.texts("A list.")),
  some: argument.optional(argument.texts("At least one.", 1)),
  loose: argument.optional(argument.anyTexts("Any texts.")),
  typed: argument.optional(argument.typedTexts("Texts to type.")),
  raw: argument.optional(argument.anyText("Any text.")),
  on: argument.optional(argument.flag("A switch.")),
  side: argument.optional(argument.oneOf(["left", "right"], "A side.")),
  members: argument.optional(argument.object("An object.")),
  idempotency_key: argument.idempotencyKey,
  socket: argument.socket,
} satisfies Arguments;

/** What a call with these arguments besides a name comes to: the value of `slot`, or the text of the refusal. */
function given(slot: keyof typeof everything, value: unknown): unknown {
  const parsed = parseArguments("t", everything, { name: "n", [slot]: value });
  return parsed.ok ? Object.fromEntries(Object.entries(parsed.value))[slot] : refusalText(parsed.error);
}

const bytes = (character: string, count: number) => character.repeat(count);
const KEY = "00112233445566778899aabbccddeeff";

describe("lenient decoding: what a host sends as its text", () => {
  const cases: [slot: keyof typeof everything, value: unknown, got: unknown][] = [
    ["count", "30", 30],
    ["count", " 30 ", 30],
    ["count", "3e1", 30],
    ["ratio", "0.5", 0.5],
    ["on", "true", true],
    ["on", "false", false],
    ["list", '["a","b"]', ["a", "b"]],
    ["list", "[]", []],
    ["members", '{"a":1}', { a: 1 }],
    ["members", { a: [1, null] }, { a: [1, null] }],
    ["members", { a: 2 ** 53 - 1, b: 1e-7, c: "😀" }, { a: 2 ** 53 - 1, b: 1e-7, c: "😀" }],
    ["name", "[1]", "[1]"],
    ["raw", "7", "7"],
    ["raw", '"7"', '"7"'],
    ["side", "left", "left"],
    ["count", null, undefined],
    ["list", null, undefined],
    ["side", null, undefined],
    ["socket", null, undefined],
    ["idempotency_key", null, undefined],
  ];
  test.each(cases)("%s: %j", (slot, value, got) => expect(given(slot, value)).toEqual(got));
});

describe("what is refused names its argument and its range", () => {
  const cases: [slot: keyof typeof everything, value: unknown, says: string][] = [
    ["name", 5, "string"],
    ["name", ["a"], "string"],
    ["name", "", "1..4096 bytes"],
    ["name", "a\0b", "NUL"],
    ["name", "\ud800", "surrogate"],
    ["count", 0, "1..100"],
    ["count", 101, "1..100"],
    ["count", 1.5, "1..100"],
    ["count", "1.5", "1..100"],
    ["count", "x", "1..100"],
    ["count", "", "1..100"],
    ["count", true, "1..100"],
    ["count", [], "1..100"],
    ["count", "[3]", "1..100"],
    ["count", "null", "1..100"],
    ["count", Number.NaN, "1..100"],
    ["count", Number.POSITIVE_INFINITY, "1..100"],
    ["count", "1e400", "1..100"],
    ["count", 2 ** 53, "1..100"],
    ["open", 2 ** 53, "0 or more"],
    ["open", 2 ** 53 + 2, "0 or more"],
    ["open", -1, "0 or more"],
    ["ratio", "x", "between 0 and 1"],
    ["list", "plain", "list of strings"],
    ["list", { 0: "a" }, "list of strings"],
    ["list", ["a", 1], '"list" entry 1 must be a string'],
    ["list", ["a", null], '"list" entry 1'],
    ["list", ["a", ""], '"list" entry 1 must have 1..4096 bytes'],
    ["list", "[1]", '"list" entry 0'],
    ["some", [], "1..64 entries"],
    ["typed", [], "at least one"],
    ["typed", ["a", 1], '"typed" entry 1 must be a string'],
    ["on", "yes", "true or false"],
    ["on", 1, "true or false"],
    ["on", "1", "true or false"],
    ["side", "up", "left, right"],
    ["side", "LEFT", "left, right"],
    ["members", [], "object"],
    ["members", "[]", "object"],
    ["members", 7, "object"],
    ["raw", "a\udc00", "surrogate"],
    ["loose", ["a", "\ud83d"], '"loose" entry 1 must not contain half of a surrogate pair'],
    ["members", { a: [{ n: 2 ** 53 }] }, "beyond 2^53"],
    ["members", '{"a":1e400}', "beyond 2^53"],
    ["members", { a: ["\ud800"] }, "surrogate"],
    ["members", { "\ud800": 1 }, "surrogate"],
    ["members", `${'{"a":'.repeat(101)}1${"}".repeat(101)}`, "deeper than 100 levels"],
    ["members", `{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}`, "deeper than 100 levels"],
    ["socket", "", "empty"],
    ["socket", "/tmp/\ud800", "surrogate"],
    ["socket", 7, "string"],
    ["idempotency_key", 7, "string"],
  ];
  test.each(cases)("%s: %j", (slot, value, says) => {
    const text = given(slot, value);
    expect(text).toStartWith(`t: "${slot}" `);
    expect(text).toContain(says);
  });

  const coded: [slot: keyof typeof everything, value: unknown, code: string][] = [
    ["ratio", 0, "invalid_ratio"],
    ["ratio", 1, "invalid_ratio"],
    ["ratio", -0, "invalid_ratio"],
    ["ratio", 1e-46, "invalid_ratio"],
    ["ratio", 1 - 1e-9, "invalid_ratio"],
    ["ratio", Number.POSITIVE_INFINITY, "invalid_ratio"],
    ["ratio", "2", "invalid_ratio"],
    ["idempotency_key", "", "invalid_idempotency_key"],
    ["idempotency_key", "a".repeat(31), "invalid_idempotency_key"],
    ["idempotency_key", "a".repeat(33), "invalid_idempotency_key"],
    ["idempotency_key", `${"a".repeat(31)}g`, "invalid_idempotency_key"],
    ["idempotency_key", "0".repeat(32), "invalid_idempotency_key"],
  ];
  test.each(coded)("%s: %j has a code", (slot, value, code) =>
    expect(JSON.parse(String(given(slot, value)))).toMatchObject({
      error: { code, message: expect.stringContaining(`"${slot}"`) },
      exit_code: 2,
    }),
  );
});

describe("at a cap and past it", () => {
  const cases: [slot: keyof typeof everything, what: string, value: unknown, passes: boolean][] = [
    ["name", "4,096 bytes", bytes("a", 4096), true],
    ["name", "4,097 bytes", bytes("a", 4097), false],
    ["name", "2,048 characters of two bytes", bytes("é", 2048), true],
    ["name", "2,049 of them", bytes("é", 2049), false],
    ["name", "1,365 characters of three bytes", bytes("漢", 1365), true],
    ["name", "1,366 of them", bytes("漢", 1366), false],
    ["name", "1,024 of four bytes", bytes("😀", 1024), true],
    ["name", "1,025 of them", bytes("😀", 1025), false],
    ["list", "64 entries", Array(64).fill("a"), true],
    ["list", "65 entries", Array(65).fill("a"), false],
    ["list", "an entry of 4,096 bytes", [bytes("a", 4096)], true],
    ["list", "an entry of 4,097 bytes", [bytes("a", 4097)], false],
    ["some", "one entry", ["a"], true],
    ["raw", "a million characters", bytes("x", 1_000_000), true],
    ["raw", "none", "", true],
    ["loose", "no entry", [], true],
    ["typed", "half of a character, typed as U+FFFD", ["\ud800"], true],
    ["count", "the least", 1, true],
    ["count", "the most", 100, true],
    ["open", "the largest safe number", Number.MAX_SAFE_INTEGER, true],
    ["open", "a negative zero", -0, true],
    ["idempotency_key", "upper case", KEY.toUpperCase(), true],
  ];
  test.each(cases)("%s: %s", (slot, _, value, passes) => {
    expect(parseArguments("t", everything, { name: "n", [slot]: value }).ok).toBe(passes);
  });
});

describe("names", () => {
  const fromJson = (text: string): Record<string, unknown> => JSON.parse(text);
  const unknown: [args: string, says: string[]][] = [
    ['{"name":"n","nmae":1}', ['"nmae"', 'did you mean "name"']],
    ['{"name":"n","Name":1}', ['"Name"', 'did you mean "name"']],
    ['{"name":"n","idempotencyKey":1}', ['"idempotencyKey"', '"idempotency_key"']],
    ['{"name":"n","zzzzzzzz":1}', ['"zzzzzzzz"', "name, count"]],
    ['{"name":"n","__proto__":{"x":1}}', ['"__proto__"']],
    ['{"name":"n","constructor":1}', ['"constructor"']],
    ['{"name":"n","toString":1}', ['"toString"']],
    ['{"name":"n","":1}', ['""']],
    ['{"wait_for_previous":"true","name":"n"}', ['"wait_for_previous"']],
    ['{"wait_for_previous":null,"name":"n"}', ['"wait_for_previous"']],
    ['{"b":1,"a":1}', ['"b"']],
    ['{"zzzzzzzz":1}', ['"zzzzzzzz"; it takes name, count']],
  ];
  test.each(unknown)("%s", (args, says) => {
    const { message } = errorIn(parseArguments("t", everything, fromJson(args)));
    for (const part of says) expect(message).toContain(part);
  });

  test.each(["true", "false"])("wait_for_previous: %s is what one host adds to every call, and dropped", (flag) => {
    const parsed = parseArguments("t", everything, fromJson(`{"name":"n","wait_for_previous":${flag}}`));
    expect(valueIn(parsed)).toEqual({ name: "n" });
  });

  test("an unknown name of 64 characters is repeated whole", () => {
    const name = "n".repeat(64);
    const { message } = errorIn(parseArguments("t", everything, { name: "n", [name]: 1 }));
    expect(message).toContain(`${JSON.stringify(name)};`);
  });

  test("a long unknown name is not repeated whole", () => {
    const { message } = errorIn(parseArguments("t", everything, { name: "n", ["x".repeat(9_999)]: 1 }));
    expect(message.length).toBeLessThan(400);
  });

  test("inherited members are no arguments", () => {
    const inherited: Record<string, unknown> = Object.create({ name: "n" });
    expect(errorIn(parseArguments("t", everything, inherited)).message).toContain('needs the argument "name"');
  });

  test("a tool without arguments says so", () => {
    expect(errorIn(parseArguments("t", {}, { a: 1 })).message).toContain("takes no arguments");
    expect(valueIn(parseArguments("t", {}, {}))).toEqual({});
  });
});

test("a key is its 16 bytes, none is none", () => {
  expect(argument.keyBytes(KEY)).toEqual(Uint8Array.fromHex(KEY));
  expect(argument.keyBytes(undefined)).toBeNull();
});

describe("the order of the checks", () => {
  const strict = inProcess({
    name: "t",
    verb: null,
    sets: [],
    about: "A tool of this test.",
    touches: { methods: [] },
    input: {
      first: argument.text("First."),
      second: argument.integer("Second.", 1, 9),
      confirm: argument.consent("Consent."),
    },
    confirm: (raw) => (raw["confirm"] === true ? null : "gate"),
    exclude: (given) => (given.first === "both" ? sentence("exclusion") : null),
    run: async () => ok({ done: true }),
  });
  const bench = new Bench(null, {}, [strict]);
  const cases: [args: Record<string, unknown>, says: string][] = [
    [{}, "gate"],
    [{ unknown: 1, first: 5, confirm: "true" }, "gate"],
    [{ unknown: 1, confirm: true }, '"unknown"'],
    [{ confirm: true }, '"first"'],
    [{ first: null, second: 0, confirm: true }, '"first"'],
    [{ first: 5, confirm: true }, '"second"'],
    [{ first: 5, second: 0, confirm: true }, '"first"'],
    [{ first: "both", second: 0, confirm: true }, '"second"'],
    [{ first: "both", second: 3, confirm: true }, "exclusion"],
  ];
  test.each(cases)("%j", async (args, says) => expect(await bench.failure("t", args)).toContain(says));

  test.each([["true"], [1], ["yes"], [[true]], [{ a: true }], [false]])(
    "consent is never decoded: %j",
    async (confirm) => expect(await bench.failure("t", { first: "a", second: 1, confirm })).toBe("gate"),
  );

  test("and when everything is right, it runs", async () =>
    expect(await bench.document("t", { first: "a", second: "1", confirm: true })).toEqual({ done: true }));
});

test("any arguments whatever give values or a refusal that says something", () => {
  const anything = fc.dictionary(
    fc.oneof(fc.constantFrom(...Object.keys(everything), "__proto__", "constructor"), fc.string()),
    fc.oneof(fc.anything(), fc.json(), fc.constantFrom("1e999", "[", '{"a":1}', -0, Number.NaN, 2 ** 53)),
  );
  fc.assert(
    fc.property(anything, (raw) => {
      const parsed = parseArguments("t", everything, raw);
      if (!parsed.ok) expect(parsed.error.message.length).toBeGreaterThan(10);
      else for (const name of Object.keys(parsed.value)) expect(name in everything).toBe(true);
    }),
    { numRuns: 300 },
  );
});
