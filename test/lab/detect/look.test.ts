import { describe, expect, test } from "bun:test";
import { look, stateOf } from "./look.ts";
import { assertsIdle, declaredKind, type Manifest, manifestFor, manifestOf } from "./manifest.ts";

const manifest: Manifest = {
  ...{ kind: "toy", label: "Toy", programs: ["toy"], anywhere: true },
  rules: [
    { id: "asks", state: "blocked", rows: 1, pattern: /\?$/ },
    { id: "spins", state: "working", rows: 3, pattern: /^\* / },
    { id: "rests", state: "idle", rows: 2, pattern: /^>/ },
  ],
};
const restless: Manifest = { ...manifest, rules: manifest.rules.filter(({ state }) => state !== "idle") };

const screens: [rows: string[], rule: string | null, of: Manifest][] = [
  [[], null, manifest],
  [["", ""], null, manifest],
  [["> "], "rests", manifest],
  [["> ", "", ""], "rests", manifest],
  [["> ", "one"], "rests", manifest],
  [["> ", "one", "two"], null, manifest],
  [["* busy", "> ", "x"], "spins", manifest],
  [["* busy", "> ", "x", "y"], null, manifest],
  [["* busy", "> ", "sure?"], "asks", manifest],
  [["sure?", "> "], "rests", manifest],
  [["sure?   "], "asks", manifest],
];

describe("rules are replayed over the end of the screen, the first that fits counts", () => {
  test.each(screens)("%j", (rows, rule, of) => {
    expect(look(of, rows)?.rule.id ?? null).toBe(rule);
  });

  test("the row is the evidence", () => {
    expect(look(manifest, ["  x", "* busy "])).toMatchObject({ state: "working", row: "* busy" });
  });
});

test("no sign means rest only where rest shows none", () => {
  expect(assertsIdle(manifest)).toBe(true);
  expect(stateOf(manifest, null)).toBeNull();
  expect(assertsIdle(restless)).toBe(false);
  expect(stateOf(restless, null)).toBe("idle");
  expect(stateOf(restless, look(restless, ["sure?"]))).toBe("blocked");
});

const programs: [program: string, kind: string | null, found: string | null][] = [
  ["lab-agent", null, "lab"],
  ["lab-agent", "lab", "lab"],
  ["lab-agent", "shell", null],
  ["lab-agent", "codex", null],
  ["sh", null, null],
  ["sh", "shell", "shell"],
  ["vim", null, null],
];
test.each(programs)("%s where %p is declared is of kind %p", (program, kind, found) => {
  expect(manifestFor(program, kind)?.kind ?? null).toBe(found);
});

test("what detection names after its kind is no declaration", () => {
  expect(declaredKind(null)).toBeNull();
  expect(declaredKind({ name: "lab", kind: "lab" })).toBeNull();
  expect(declaredKind({ name: "x" })).toBeNull();
  expect(declaredKind({ name: "x", kind: "lab" })).toBe("lab");
  expect(manifestOf("nothing")).toBeNull();
});
