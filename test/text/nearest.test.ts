import { expect, test } from "bun:test";
import fc from "fast-check";
import { editDistance, nearest } from "../../src/text/nearest.ts";

const names = ["phux_ls", "phux_send_keys", "phux_snapshot", "phux_agent_list", "phux_agent_show", "phux_claim_list"];

const cases: [word: string, first: string | undefined][] = [
  ["phux_lss", "phux_ls"],
  ["phux-ls", "phux_ls"],
  ["PHUX_LS", "phux_ls"],
  ["ls", "phux_ls"],
  ["snapshot", "phux_snapshot"],
  ["phux_list_agents", "phux_agent_list"],
  ["phux_keys_send", "phux_send_keys"],
  ["phux_snpashot", "phux_snapshot"],
  ["mcp__phux__phux_ls", "phux_ls"],
  ["", undefined],
  ["完全", undefined],
];
test.each(cases)("%j means %p", (word, first) => {
  expect(nearest(word, names)[0]).toBe(first);
});

test("a name that is nearly another one is not taken for a part of it", () => {
  expect(nearest("repl_to", ["to", "body", "reply_to"])).toEqual(["reply_to", "to"]);
});

test("at most as many as asked, and a long word costs nothing", () => {
  expect(nearest("phux", names, 2).length).toBeLessThanOrEqual(2);
  expect(nearest("x".repeat(1 << 20), names)).toEqual([]);
});

const distances: [a: string, b: string, edits: number][] = [
  ["", "", 0],
  ["", "abc", 3],
  ["kitten", "sitting", 3],
  ["ab", "ba", 1],
  ["abcd", "acbd", 1],
];
test.each(distances)("%j to %j in %d edits", (a, b, edits) => {
  expect(editDistance(a, b)).toBe(edits);
});

test("a distance has no direction, and is nothing only between equals", () => {
  const word = fc.string({ maxLength: 12 });
  fc.assert(fc.property(word, word, (a, b) => editDistance(a, b) === editDistance(b, a)));
  fc.assert(fc.property(word, word, (a, b) => (editDistance(a, b) === 0) === (a === b)));
});
