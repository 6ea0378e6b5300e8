import { expect, test } from "bun:test";
import type { AgentRecord } from "../../src/phux/agent-record.ts";
import { Inventory } from "../../src/phux/inventory.ts";
import { resolveAgent } from "../../src/phux/resolve-agent.ts";
import { formatResource } from "../../src/phux/selector.ts";
import { snapshotOf } from "./snapshot.ts";

const inventory = new Inventory(
  snapshotOf({
    focused_session: 1,
    focused_resource: "@1",
    sessions: [{ id: 1, name: "api" }],
    windows: [{ id: 1, session_id: 1, index: 0, name: "1" }],
    resources: [
      { id: "@1", window_id: 1 },
      { id: "@2", window_id: 1 },
      { id: "@3", window_id: 1 },
      { id: "@11", window_id: 0, kind: "agent_session", parent: "@1" },
      { id: "@12", window_id: 0, kind: "agent_session", parent: "@1", lifecycle: "exited" },
      { id: "@13", window_id: 0, kind: "agent_session", parent: "@2" },
      { id: "@14", window_id: 0, kind: "agent_session", parent: "@2" },
    ],
  }),
);

const records: [pane: string, record: AgentRecord][] = [
  ["@1", { name: "one", kind: "claude", state: "working" }],
  ["@2", { name: "two", kind: "codex", state: "unknown" }],
  ["@3", { name: "bare", state: "unknown" }],
];

type Purpose = Parameters<typeof resolveAgent>[3];
const reading: Purpose = { forInput: false, wants: "terminal" };

const matches: [name: string, purpose: Purpose, terminal: string, session: string | null, why: string][] = [
  ["one", reading, "@1", "@11", "the one session that has not ended"],
  ["one", { forInput: true, wants: "session" }, "@1", "@11", "a live claim may be typed to"],
  ["two", reading, "@2", null, "several sessions are none, when the Terminal is wanted"],
  ["bare", { forInput: true, wants: "session" }, "@3", null, "without a kind nothing was claimed"],
];
test.each(matches)("%s for %j is %s with %s: %s", (name, purpose, terminal, session) => {
  const match = resolveAgent(name, inventory, { records: new Map(records), complete: true }, purpose);
  if (!match.ok) throw new Error(match.error.reason);
  expect(formatResource(match.value.terminal)).toBe(terminal);
  expect(match.value.agentSession && formatResource(match.value.agentSession)).toBe(session);
});

const faults: [name: string, complete: boolean, purpose: Purpose, reason: string][] = [
  ["two", true, { forInput: true, wants: "terminal" }, "withdrawn"],
  ["two", true, { forInput: false, wants: "session" }, "ambiguous_session"],
  ["two", false, { forInput: true, wants: "terminal" }, "partial_index"],
  ["none", true, reading, "unknown"],
  ["none", false, reading, "partial_index"],
];
test.each(faults)("%s, complete %p, for %j is %s", (name, complete, purpose, reason) => {
  const match = resolveAgent(name, inventory, { records: new Map(records), complete }, purpose);
  expect<object>(match).toMatchObject({ ok: false, error: { reason, name } });
});
