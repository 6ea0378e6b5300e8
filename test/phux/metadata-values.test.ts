import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  type AgentRecord,
  agentStates,
  attentions,
  effectiveAttention,
  encodeAgentRecord,
  isSameAgentRecord,
  parseAgentRecord,
} from "../../src/phux/agent-record.ts";
import { compareUtf8 } from "../../src/phux/byte-order.ts";
import { encodeTags, normalizeTags, parseTags, withoutTags, withTags } from "../../src/phux/tags.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const broken = Uint8Array.of(0x22, 0xff, 0x22);

describe("tags", () => {
  const stored: [value: string, tags: string[]][] = [
    ["[]", []],
    ['["b","a","b"]', ["b", "a", "b"]],
    ['["a",1]', []],
    ['{"a":1}', []],
    ["a", []],
    ["", []],
  ];
  test.each(stored)("%s is %j", (value, tags) => {
    expect(parseTags(bytes(value))).toEqual(tags);
  });

  test("no value and no UTF-8 are no tags", () => {
    expect([parseTags(null), parseTags(broken)]).toEqual([[], []]);
  });

  const written: [tags: string[], kept: string[]][] = [
    [
      ["#build", " ci ", "build"],
      ["build", "ci"],
    ],
    [
      ["##x", "two words"],
      ["#x", "two words"],
    ],
    [["#", " ", ""], []],
  ];
  test.each(written)("%j is written as %j", (tags, kept) => {
    expect(normalizeTags(tags)).toEqual(kept);
  });

  test("adding and taking away leave them sorted by bytes, none twice", () => {
    expect(withTags(["b", "\u{1f44d}", "a"], ["\uffee", "b"])).toEqual(["a", "b", "\uffee", "\u{1f44d}"]);
    expect(withoutTags(["b", "a", "b", "c"], ["a", "x"])).toEqual(["b", "c"]);
  });

  test("any tags come back", () => {
    const lists = fc.array(fc.string({ unit: "binary" }));
    fc.assert(fc.property(lists, (tags) => expect(parseTags(encodeTags(tags))).toEqual(tags)));
  });
});

describe("agent records", () => {
  const stored: [value: string, record: AgentRecord | null][] = [
    ['{"name":"fixer"}', { name: "fixer", state: "unknown" }],
    [
      '{"session":"s","attention":"low","state":"working","kind":"claude","name":"fixer","later":1}',
      { name: "fixer", kind: "claude", state: "working", attention: "low", session: "s" },
    ],
    ['{"name":"a","kind":null,"state":null,"attention":null}', { name: "a", state: "unknown" }],
    ['{"name":"a","state":"asleep","attention":"urgent"}', { name: "a", state: "unknown", attention: "normal" }],
    ['{"name":"a","kind":5,"session":[]}', { name: "a", state: "unknown" }],
    ['{"name":" a "}', { name: " a ", state: "unknown" }],
    ['{"name":"  "}', null],
    ['{"name":7}', null],
    ["{}", null],
    ["[]", null],
    ["null", null],
    ['"fixer"', null],
    ["", null],
  ];
  test.each(stored)("%s", (value, record) => {
    expect(parseAgentRecord(bytes(value))).toEqual(record);
  });

  test("no value and no UTF-8 are no record", () => {
    expect([parseAgentRecord(null), parseAgentRecord(broken)]).toEqual([null, null]);
  });

  test.each([
    ["blocked", "high"],
    ["working", "normal"],
    ["done", "low"],
    ["unknown", "low"],
    ["idle", "none"],
  ] as const)("%s asks for %s attention, unless the record says otherwise", (state, attention) => {
    expect(effectiveAttention({ name: "a", state })).toBe(attention);
    expect(effectiveAttention({ name: "a", state, attention: "high" })).toBe("high");
  });

  test("any record comes back the same, its members in the document's order", () => {
    const records = fc.record(
      {
        name: fc.string().filter((name) => name.trim() !== ""),
        kind: fc.string(),
        state: fc.constantFrom(...agentStates),
        attention: fc.constantFrom(...attentions),
        session: fc.string(),
      },
      { requiredKeys: ["name", "state"] },
    );
    fc.assert(
      fc.property(records, (record) => {
        const read = parseAgentRecord(encodeAgentRecord(record));
        expect(read && isSameAgentRecord(read, record)).toBe(true);
        const order = ["name", "kind", "state", "attention", "session"].filter((member) => member in record);
        expect(Object.keys(read ?? {})).toEqual(order);
      }),
    );
  });

  test("a difference in any one field is a difference", () => {
    const record = { name: "a", kind: "k", state: "idle", attention: "low", session: "s" } as const;
    const others: AgentRecord[] = [
      { ...record, name: "b" },
      { ...record, kind: "K" },
      { ...record, state: "done" },
      { ...record, attention: "none" },
      { ...record, session: "" },
      { name: "a", state: "idle", attention: "low", session: "s" },
    ];
    expect(others.map((other) => isSameAgentRecord(record, other))).toEqual(others.map(() => false));
  });
});

test("strings are ordered by the bytes of their UTF-8", () => {
  const texts = fc.string({
    unit: fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("\ud7ff", "\ue000", "\uffff", "\u{10000}")),
  });
  fc.assert(
    fc.property(texts, texts, (left, right) => {
      expect(Math.sign(compareUtf8(left, right))).toBe(Buffer.compare(Buffer.from(left), Buffer.from(right)));
    }),
    { numRuns: 1_000 },
  );
});
