import { expect, test } from "bun:test";
import type { Refusal } from "../../src/phux/errors.ts";
import { refuseAgent, refuseMiss, refuseSelector, refuseSeveral } from "../../src/phux/selection-refusal.ts";
import { parseSelector } from "../../src/phux/selector.ts";
import { idOf } from "./snapshot.ts";

const ids = (count: number) => Array.from({ length: count }, (_, at) => idOf(`@${at + 1}`));
const agent = { name: "fixer", candidates: ids(2), terminal: null };

const refusals: [refusal: Refusal, code: string, exit: number, words: string[]][] = [
  [refuseMiss("lab/@4", []), "no_such_target", 1, ['"lab/@4"']],
  [
    refuseMiss("lab/@4", ["lab: timed out", "attic: gone"]),
    "partial_view",
    3,
    ['"lab/@4"', "lab: timed out; attic: gone"],
  ],
  [refuseMiss("lab/@4", ["lab: timed out"], 1), "partial_view", 1, ["lab: timed out"]],
  [refuseSeveral("api", ids(3)), "selector_not_single", 2, ['"api"', "3 panes", "@1, @2, @3"]],
  [refuseSeveral("api", ids(12)), "selector_not_single", 2, ["12 panes", "@8 and 4 more"]],
  [refuseAgent({ ...agent, reason: "kind_constant" }), "invalid_agent_name", 2, ["%fixer", "@1, @2"]],
  [refuseAgent({ ...agent, reason: "ambiguous" }), "selector_not_single", 2, ["%fixer", "@1, @2"]],
  [refuseAgent({ ...agent, reason: "partial_index" }), "partial_view", 3, ["%fixer", "@1, @2"]],
  [refuseAgent({ ...agent, reason: "partial_index" }, 1), "partial_view", 1, ["%fixer"]],
  [refuseAgent({ ...agent, reason: "unknown" }), "no_such_target", 1, ["fixer"]],
  [
    refuseAgent({ ...agent, reason: "ambiguous_session", terminal: idOf("@9") }),
    "agent_session_ambiguous",
    2,
    ["@9", "@1, @2"],
  ],
  [refuseAgent({ ...agent, reason: "withdrawn", terminal: idOf("@9") }), "agent_withdrawn", 2, ["%fixer", "@9"]],
];
test.each(refusals)("%j", (refusal, code, exitCode, words) => {
  expect<object>(refusal).toMatchObject({ code, exitCode });
  for (const word of words) expect(refusal.message).toContain(word);
});

test("a selector that does not parse is refused with its own reason; kill and tag exit 1", () => {
  const parsed = parseSelector("api:0.x");
  if (parsed.ok) throw new Error("it parsed");
  expect(refuseSelector(parsed.error)).toMatchObject({
    code: "invalid_selector",
    exitCode: 2,
    message: parsed.error.message,
  });
  expect(refuseSelector(parsed.error, 1).exitCode).toBe(1);
});
