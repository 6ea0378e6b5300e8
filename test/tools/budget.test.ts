import { describe, expect, test } from "bun:test";
import { budgetOf, budgetOverride } from "../../src/tools/budget.ts";
import { describeShared, sharedJson } from "../shared.ts";
import { type Members, members } from "../wire/vector.ts";

describe("the budget of a host", () => {
  const cases: [name: string | null, characters: number, bytes: number, lines: number][] = [
    ["claude-code", 48_000, Infinity, Infinity],
    ["codex-mcp-client", 10_000, 11_500, Infinity],
    ["gemini-cli-mcp-client", 38_000, Infinity, Infinity],
    ["gemini-cli-mcp-client-phux", 38_000, Infinity, Infinity],
    ["opencode", 45_000, 50_000, 1_900],
    ["copilot-cli", 18_000, 20_000, Infinity],
    ["qwen-cli-mcp-client-phux", 24_000, Infinity, 950],
    ["mcp", 40_000, Infinity, Infinity],
    ["", 40_000, Infinity, Infinity],
    [null, 40_000, Infinity, Infinity],
  ];
  test.each(cases)("%p", (name, characters, bytes, lines) =>
    expect(budgetOf(name, null)).toEqual({ characters, bytes, lines }),
  );

  test("a person's own bound counts for every host", () => {
    expect(budgetOf("codex-mcp-client", 123_456)).toEqual({
      characters: 123_456,
      bytes: Infinity,
      lines: Infinity,
    });
  });
});

describe("PHUX_MCP_MAX_RESULT_CHARS", () => {
  const cases: [setting: string | undefined, bound: number | null][] = [
    [undefined, null],
    ["", null],
    ["many", null],
    ["-5", null],
    ["1e5", null],
    ["5000.5", null],
    [" 5000", null],
    ["5000", 5_000],
    ["0", 1_000],
    ["999", 1_000],
    ["8000000", 8_000_000],
    ["8000001", 8_000_000],
    ["999999999999", 8_000_000],
    ["9".repeat(400), null],
  ];
  test.each(cases)("%j", (setting, bound) => expect(budgetOverride(setting)).toBe(bound));
});

describeShared("what the hosts were measured to show", () => {
  const facts = members(sharedJson("hosts/hosts.json"));
  const hosts: [name: string, host: Members][] = Object.entries(members(facts["hosts"])).map(([name, host]) => [
    name,
    members(host),
  ]);
  test.each(hosts)("%s", (_, host) => {
    const budget = members(host["resultBudget"]);
    const client = typeof host["clientInfo"] === "string" ? host["clientInfo"] : null;
    const ours = budgetOf(client, null);
    expect(ours.characters).toBe(Number(budget["characters"]));
    // Qwen Code turned out to count lines too.
    expect(ours.lines).toBeLessThanOrEqual(Number(budget["lines"] ?? Infinity));
  });
  test("and for everyone else", () =>
    expect(budgetOf("someone", null).characters).toBe(Number(members(facts["resultBudgetDefault"])["characters"])));
});
