import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseSelector } from "../../src/phux/selector.ts";
import { refuseSessionName } from "../../src/phux/session-name.ts";

test.each(["api", "v1.2", "a/b", "a b", "..", "==", "a@b", "caf\u00e9", "7", " api", "a#b", "a%"])(
  "%j is a name",
  (name) => {
    expect(refuseSessionName(name)).toBeNull();
  },
);

test.each(["", " ", "\t\n", ".", "=", "@api", "#api", "%api", "a:b", ":", "a/@b", "a\0b", "\0"])(
  "%j is refused",
  (name) => {
    expect(refuseSessionName(name)).toMatchObject({ code: "invalid_session_name", exitCode: 2 });
  },
);

test("a name that is accepted is its own selector", () => {
  const names = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: fc.constantFrom(..."@#%=./: a") }));
  fc.assert(
    fc.property(names, (session) => {
      if (refuseSessionName(session) !== null) return;
      expect(parseSelector(session)).toEqual({ ok: true, value: { form: "session", session } });
    }),
  );
});
