import { expect, test } from "bun:test";
import { parseProcessFacts } from "../../src/phux/process-facts.ts";

const nothing = {
  child: null,
  foreground: null,
  cwd: null,
  prompt: { state: "unknown", last_exit_code: null },
  exit: null,
};

test.each<[what: string, process: unknown, facts: unknown]>([
  ["no process part, as on 0.8", undefined, null],
  ["null", null, null],
  ["a list", [], null],
  ["nothing known", {}, nothing],
  [
    "everything known, and more than we know of",
    {
      child: { pid: 5120, start_ms: 1_789_999_000_000, later: 1 },
      foreground: { pgid: 5121, start_ms: 1_789_999_000_500, name: "vim" },
      cwd: "/srv/app",
      prompt: { state: "running", last_exit_code: 0 },
      exit: { status: null, signal: 15, reason: "exited", exited_at_ms: 1_790_000_000_000 },
      later: true,
    },
    {
      child: { pid: 5120, start_ms: 1_789_999_000_000 },
      foreground: { pgid: 5121, start_ms: 1_789_999_000_500, name: "vim" },
      cwd: "/srv/app",
      prompt: { state: "running", last_exit_code: 0 },
      exit: { status: null, signal: 15, reason: "exited", exited_at_ms: 1_790_000_000_000 },
    },
  ],
  ["half of it", { child: { pid: 7 }, prompt: {} }, { ...nothing, child: { pid: 7, start_ms: null } }],
])("%s", (_, process, facts) => expect<unknown>(parseProcessFacts(JSON.stringify({ process }))).toEqual(facts));

test("a reply that is no JSON object has no facts", () => expect(parseProcessFacts("nonsense")).toBeNull());
