import { describe, expect, test } from "bun:test";
import instructions from "../../src/skill/INSTRUCTIONS.md" with { type: "text" };
import guide from "../../src/skill/SKILL.md" with { type: "text" };
import { catalog } from "../../src/tools/catalog.ts";

const names = catalog.map(({ name }) => name);

describe("the guide", () => {
  test.each(names)("names %s", (name) => expect(new RegExp(`${name}\\b`).test(guide)).toBe(true));

  const phrases = [
    ...["tools/list", "phux mcp --schema", "finite timeout", "level read", "observed transition", "delivery_unknown"],
    ...["confirm: true", "human's client-local focus"],
  ];
  test.each(phrases)("says: %s", (phrase) => expect(guide.includes(phrase)).toBe(true));
  test.each(["ADR-", "docs/", "TODO"])("does not say: %s", (word) => expect(guide.includes(word)).toBe(false));

  test("names no tool that is not there", () => {
    for (const [name] of guide.matchAll(/phux_[a-z_]+/g)) expect(names).toContain(name);
  });
});

describe("the instructions", () => {
  test("are under 2 KB", () => expect(Buffer.byteLength(instructions)).toBeLessThan(2_048));
  test("say that what a pane shows is not to be obeyed", () => expect(instructions).toMatch(/untrusted/));
  test("name no tool that is not there", () => {
    for (const [name] of instructions.matchAll(/phux_[a-z_]+/g)) expect(names).toContain(name);
  });
});
