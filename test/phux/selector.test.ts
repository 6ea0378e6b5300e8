import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { formatResource, parseSelector, type Selector, type SelectorFaultReason } from "../../src/phux/selector.ts";

const forms: [text: string, selector: Selector][] = [
  [".", { form: "current" }],
  ["api", { form: "session", session: "api" }],
  ["v1.2", { form: "session", session: "v1.2" }],
  ["a/b", { form: "session", session: "a/b" }],
  ["12", { form: "session", session: "12" }],
  [" api ", { form: "session", session: " api " }],
  ["api:3", { form: "window", session: "api", window: { index: 3 } }],
  ["api:003", { form: "window", session: "api", window: { index: 3 } }],
  ["api:+3", { form: "window", session: "api", window: { index: 3 } }],
  ["api:-3", { form: "window", session: "api", window: { name: "-3" } }],
  ["api:++3", { form: "window", session: "api", window: { name: "++3" } }],
  ["api:0x1", { form: "window", session: "api", window: { name: "0x1" } }],
  ["api:65535", { form: "window", session: "api", window: { index: 65_535 } }],
  ["api:65536", { form: "window", session: "api", window: { name: "65536" } }],
  ["api:logs", { form: "window", session: "api", window: { name: "logs" } }],
  ["api:a:b", { form: "window", session: "api", window: { name: "a:b" } }],
  ["api:", { form: "window", session: "api", window: { name: "" } }],
  [":", { form: "window", session: "", window: { name: "" } }],
  ["api:0.2", { form: "pane", session: "api", window: { index: 0 }, pane: 2 }],
  ["api:logs.+02", { form: "pane", session: "api", window: { name: "logs" }, pane: 2 }],
  ["api:.65535", { form: "pane", session: "api", window: { name: "" }, pane: 65_535 }],
  ["@0", { form: "id", id: 0 }],
  ["@+0012", { form: "id", id: 12 }],
  ["@4294967295", { form: "id", id: 4_294_967_295 }],
  ["lab/@4", { form: "satellite", host: "lab", id: 4 }],
  ["/@4", { form: "satellite", host: "", id: 4 }],
  ["a/@1/@2", { form: "satellite", host: "a/@1", id: 2 }],
  ["a:b/@2", { form: "satellite", host: "a:b", id: 2 }],
  ["#x/@2", { form: "satellite", host: "#x", id: 2 }],
  ["#old", { form: "tag", tag: "old" }],
  ["##a b", { form: "tag", tag: "#a b" }],
  ["#a:0.1", { form: "tag", tag: "a:0.1" }],
  ["%fixer-2_a", { form: "agent", name: "fixer-2_a" }],
  [`%${"a".repeat(32)}`, { form: "agent", name: "a".repeat(32) }],
];

test.each(forms)("%j", (text, selector) => {
  expect(parseSelector(text)).toEqual({ ok: true, value: selector });
});

const refusals: [text: string, reason: SelectorFaultReason, part: string][] = [
  ["", "empty", "empty"],
  ["=", "last_unsupported", "="],
  ["%", "empty_agent_name", "%"],
  ["%Fixer", "bad_agent_name", '"Fixer"'],
  ["%2nd", "bad_agent_name", '"2nd"'],
  ["%a\n", "bad_agent_name", '"a\\n"'],
  [`%${"a".repeat(33)}`, "bad_agent_name", "1 to 32"],
  ["%lab/@4", "bad_agent_name", '"lab/@4"'],
  ["lab/@", "bad_terminal_id", '""'],
  ["lab/@4 ", "bad_terminal_id", '"4 "'],
  ["lab/@4294967296", "bad_terminal_id", '"4294967296"'],
  ["@", "bad_terminal_id", '""'],
  ["@one", "bad_terminal_id", '"one"'],
  ["@-1", "bad_terminal_id", '"-1"'],
  ["@+", "bad_terminal_id", '"+"'],
  ["@1.0", "bad_terminal_id", '"1.0"'],
  ["#", "empty_tag", "#"],
  ["api:0.", "bad_pane_index", '""'],
  ["api:0.a", "bad_pane_index", '"a"'],
  ["api:0.1.2", "bad_pane_index", '"1.2"'],
  ["api:0.65536", "bad_pane_index", '"65536"'],
  ["api:v1.2.3", "bad_pane_index", '"2.3"'],
];

test.each(refusals)("%j is refused as %s", (text, reason, part) => {
  const parsed = parseSelector(text);
  if (parsed.ok) throw new Error(`parsed as ${parsed.value.form}`);
  expect(parsed.error.reason).toBe(reason);
  expect(parsed.error.message).toContain(part);
});

describe("of any text", () => {
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom(..."@#%=./:+-019ax ".split("")), maxLength: 12 }),
  );

  test("it parses, or says why not", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const parsed = parseSelector(text);
        return parsed.ok || (parsed.error.reason.length > 0 && parsed.error.message.length > 0);
      }),
      { numRuns: 2_000 },
    );
  });

  test("an id comes back from its own text, whatever the host is called", () => {
    const ids = fc.oneof(
      fc.record({ tag: fc.constant("local" as const), id: fc.nat(0xffff_ffff) }),
      // A host that begins with % is out of reach: the agent rule comes first (client.md 3.1).
      fc.record({
        tag: fc.constant("satellite" as const),
        host: texts.filter((host) => !host.startsWith("%")),
        id: fc.nat(0xffff_ffff),
      }),
    );
    fc.assert(
      fc.property(ids, (id) => {
        const { tag, ...rest } = id;
        const form = tag === "local" ? "id" : "satellite";
        expect(parseSelector(formatResource(id))).toEqual({ ok: true, value: { form, ...rest } as Selector });
      }),
    );
  });
});
