import { expect, test } from "bun:test";
import fc from "fast-check";
import { stringifyDocument } from "../../src/phux/json-number.ts";

const documents: [document: object, text: string][] = [
  [{}, "{}"],
  [{ seq: 5n }, '{\n  "seq": 5\n}'],
  [{ seq: 18_446_744_073_709_551_615n }, '{\n  "seq": 18446744073709551615\n}'],
  [
    { list: [1n, [-2n], {}], none: undefined, text: "1n" },
    '{\n  "list": [\n    1,\n    [\n      -2\n    ],\n    {}\n  ],\n  "text": "1n"\n}',
  ],
];
test.each(documents)("%p", (document, text) => {
  expect(stringifyDocument(document)).toBe(text);
});

test("on one line", () => {
  expect(stringifyDocument({ a: [1n], b: "x" }, 0)).toBe('{"a":[1],"b":"x"}');
});

test("without a bigint it is JSON.stringify, and with one only the digits differ", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      (document, seq) => {
        expect(stringifyDocument(document)).toBe(JSON.stringify(document, null, 2));
        const marked = JSON.stringify({ document, seq: "\u2603" }, null, 2).replace('"\u2603"\n}', `${seq}\n}`);
        expect(stringifyDocument({ document, seq })).toBe(marked);
      },
    ),
  );
});
