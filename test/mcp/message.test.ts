import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { leadingId } from "../../src/mcp/leading-id.ts";
import { classify, errorLine, json, notificationLine, parseLine, resultLine } from "../../src/mcp/message.ts";

const utf8 = new TextEncoder();

const values: [value: unknown, kind: object][] = [
  [
    { id: 1, method: "m" },
    { kind: "request", id: 1, method: "m" },
  ],
  [
    { id: "", method: "m", params: 3 },
    { kind: "request", id: "", params: 3 },
  ],
  [
    { id: 0.5, method: "" },
    { kind: "request", id: 0.5 },
  ],
  [{ method: "m" }, { kind: "notification", method: "m" }],
  [{ id: 1, method: "m", result: {} }, { kind: "request" }],
  [{ id: 1, result: {} }, { kind: "response" }],
  [{ id: null, error: {} }, { kind: "response" }],
  [
    { id: 1, method: null, result: {} },
    { kind: "invalid", id: 1 },
  ],
  [{ id: 2 ** 53 - 1, method: "m" }, { kind: "request" }],
  [
    { id: 2 ** 53, method: "m" },
    { kind: "invalid", id: null },
  ],
  [
    { id: Number.NEGATIVE_INFINITY, method: "m" },
    { kind: "invalid", id: null },
  ],
  [{ id: "a" }, { kind: "invalid", id: "a" }],
  [{ id: [1] }, { kind: "invalid", id: null }],
  [[], { kind: "invalid", id: null }],
  [undefined, { kind: "invalid", id: null }],
];
test.each(values)("%j is classified", (value, kind) => {
  expect(classify(value)).toMatchObject(kind);
});

test("any value is classified, and only by its own members", () => {
  fc.assert(fc.property(fc.anything(), (value) => classify(value).kind.length > 0));
});

test("any bytes are a value or one of three errors", () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const line = parseLine(bytes);
      return line.ok || ["blank", "not UTF-8", "not JSON"].includes(line.error);
    }),
  );
});

test("what is written as a line is one line, and the same value", () => {
  const anyText = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("\u2028", "\u2029", "\ud800", "a\nb"));
  fc.assert(
    fc.property(fc.oneof(anyText, fc.maxSafeInteger()), fc.jsonValue(), (id, value) => {
      const line = resultLine(id, json(value));
      expect(line).not.toMatch(/[\n\r\u2028\u2029]/);
      expect(JSON.parse(line)).toEqual({
        jsonrpc: "2.0",
        id: Object.is(id, -0) ? 0 : id,
        result: JSON.parse(json(value)),
      });
    }),
  );
});

test("what a host said goes back as the same value, with nothing in it that a terminal would obey", () => {
  const said = "\u001b\u007f\u009b31m\u202e\u{e0041}עברית";
  for (const line of [
    resultLine(said, "{}"),
    errorLine(said, -32022, "no", { requested: said }),
    notificationLine("notifications/progress", { progressToken: said }),
  ]) {
    expect(line).not.toMatch(/[\p{Cc}\u202e\u{e0041}]/u);
    expect(line).toContain("עברית");
    expect(JSON.stringify(JSON.parse(line))).toContain(JSON.stringify(said));
  }
});

test("the members of an error stand in the order that hosts rely on", () => {
  expect(errorLine(null, -32700, "no")).toBe('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}');
});

describe("the id in front of a line that is too long", () => {
  const fronts: [rule: string, front: string, id: string | number | null][] = [
    ["first", '{"id":7,"x":"aaa', 7],
    ["after others", '{"jsonrpc":"2.0","params":{"id":1,"a":[{"id":2}]}, "id" : "a" , "x":"', "a"],
    ["with white space and a mark", '\uFEFF \t{ "id"\t:\t0 }', 0],
    ["spelled with escapes", '{"i\\u0064":"\\u0041","x":"', "A"],
    ["cut within a number", '{"id":77', null],
    ["cut within a string", '{"id":"abc', null],
    ["not usable", '{"id":{"id":1},"x":"', null],
    ["null", '{"id":null,"x":"', null],
    ["beyond 2^53", '{"id":9007199254740993,"x":"', null],
    ["not there", '{"method":"ping","x":"', null],
    ["within a string that is cut", '{"x":"{ ,\\"id\\":5, ', null],
    ["as a value", '{"x":"id","y":5,"z":"', null],
    ["in a batch", '[{"id":5,"x":"', null],
    ["after the end of the object", '{} {"id":5,"x":', null],
    ["in a word", "id", null],
    ["nowhere", "", null],
  ];
  test.each(fronts)("%s", (_, front, id) => {
    expect(leadingId(utf8.encode(front))).toBe(id);
  });

  test("a character cut in half does not matter, bytes that are no UTF-8 do", () => {
    expect(leadingId(utf8.encode('{"id":1,"x":"漢').slice(0, -1))).toBe(1);
    expect(leadingId(Uint8Array.of(...utf8.encode('{"id":1,"x":"'), 0xff))).toBe(null);
  });

  test("of any object it is the one that a parser finds, or null", () => {
    const id = fc.oneof(fc.string(), fc.maxSafeInteger());
    const member = fc.dictionary(
      fc.string().filter((key) => key !== "id"),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(member, id, member, (before, wanted, after) => {
        const text = JSON.stringify({ ...before, id: wanted, ...after });
        const whole = { ...before, id: wanted };
        // Keys like numbers come first in an object, so the text says where the id ends.
        const end = JSON.stringify(whole).length;
        const front = utf8.encode(text.slice(0, end));
        expect([null, Object.is(wanted, -0) ? 0 : wanted]).toContain(leadingId(front));
        expect(leadingId(utf8.encode(`${text.slice(0, -1)},"x":"`))).toBe(Object.is(wanted, -0) ? 0 : wanted);
      }),
    );
  });
});
