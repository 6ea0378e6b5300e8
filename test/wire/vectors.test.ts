import { expect, test } from "bun:test";
import { describeShared, sharedJson } from "../shared.ts";
import { items, members, toVector } from "./vector.ts";
import { decodeWhole, encodeVector, expectNoPrefixPasses, frameOf, hex } from "./wire.ts";

describeShared("golden frames (vectors/wire.json)", () => {
  const vectors = items(sharedJson("vectors/wire.json")).map(members);
  const framed = vectors.filter(({ frame }) => !String(frame).startsWith("(document)"));
  const good = framed.filter((vector) => vector["expect"] !== "error");
  const exact = good.filter((vector) => vector["roundtrip"] !== false);
  const bad = framed.filter((vector) => vector["expect"] === "error");
  const named = (list: typeof framed) => list.map((vector) => [String(vector["name"]), vector] as const);

  test.each(named(good))("%s decodes", (_, { frame, value, hex: bytes }) => {
    const decoded = decodeWhole(hex(String(bytes)));
    expect(toVector(decoded)).toEqual({ ok: true, value: { name: frame, value } });
  });

  test.each(named(exact))("%s encodes", (_, { frame, value, hex: bytes }) => {
    expect(encodeVector(String(frame), members(value))).toBe(String(bytes));
  });

  test.each(named(exact))("%s, cut at every offset, never passes for itself", (_, { frame, value, hex: bytes }) => {
    expectNoPrefixPasses(hex(String(bytes)), frameOf(String(frame), members(value)));
  });

  test.each(named(bad))("%s is refused", (_, { hex: bytes }) => {
    expect(decodeWhole(hex(String(bytes))).ok).toBe(false);
  });

  test("the file holds all three kinds", () => {
    expect([good.length > 150, exact.length > 150, bad.length]).toEqual([true, true, 6]);
  });
});
