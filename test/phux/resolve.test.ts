import { describe, expect, test } from "bun:test";
import { type AgentRecord, parseAgentRecord } from "../../src/phux/agent-record.ts";
import { Inventory } from "../../src/phux/inventory.ts";
import { leavesOf, pickOne, type ResolutionView, readsFor, resolveSet } from "../../src/phux/resolve.ts";
import type { AgentFaultReason } from "../../src/phux/resolve-agent.ts";
import { refuseAgent } from "../../src/phux/selection-refusal.ts";
import { formatResource, parseSelector, type Selector } from "../../src/phux/selector.ts";
import type { LayoutDocument, LayoutNode } from "../../src/wire/layout-document.ts";
import { describeShared } from "../shared.ts";
import { layoutOf, selectorVectors } from "./selectors-vector.ts";
import { idOf, type Sketch, selectorsOf, snapshotOf } from "./snapshot.ts";

const plain = { forInput: false, wants: "terminal" } as const;

function parsed(text: string): Selector {
  const selector = parseSelector(text);
  if (!selector.ok) throw new Error(selector.error.message);
  return selector.value;
}

function recordOf(record: object) {
  const decoded = parseAgentRecord(new TextEncoder().encode(JSON.stringify(record)));
  return decoded === null ? [] : [decoded];
}

function resolved(text: string, view: ResolutionView, purpose = plain): string[] | AgentFaultReason {
  const set = resolveSet(parsed(text), view, purpose);
  return set.ok ? selectorsOf(set.value) : set.error.reason;
}

describeShared("selectors.json", () => {
  const { fixture, cases, agent_cases, format } = selectorVectors();
  const snapshot = snapshotOf(fixture.snapshot);
  const view = (complete = true, layouts = true): ResolutionView => ({
    inventory: new Inventory(snapshot),
    layouts: new Map(
      layouts ? Object.entries(fixture.layouts).map(([session, stored]) => [Number(session), layoutOf(stored)]) : [],
    ),
    tags: new Map(Object.entries(fixture.tags)),
    agents: {
      records: new Map(
        Object.entries(fixture.agents).flatMap(([id, record]) => recordOf(record).map((known) => [id, known] as const)),
      ),
      complete,
    },
  });

  test.each(cases.map((row) => [row.selector, row] as const))("%j", (text, row) => {
    const selector = parseSelector(text);
    if (row.parse.error !== undefined) {
      expect(selector).toMatchObject({ ok: false, error: { reason: row.parse.error } });
      return;
    }
    expect(selector).toEqual({ ok: true, value: row.parse as Selector });
    expect(resolved(text, view())).toEqual(row.ids ?? []);
    expect(resolved(text, view(true, false))).toEqual(row.registry_ids ?? row.ids ?? []);
    const pick = pickOne((row.ids ?? []).map(idOf), snapshot);
    expect(pick === null ? null : formatResource(pick)).toBe(row.pick ?? null);
  });

  test.each(agent_cases.map((row) => [row.selector, row.index_complete, row.for_input, row.wants, row] as const))(
    "%s, complete %p, for input %p, wants the %s",
    (text, complete, forInput, wants, row) => {
      const set = resolveSet(parsed(text), view(complete), { forInput, wants });
      if (row.expect.refusal === undefined) {
        expect(set.ok && selectorsOf(set.value)).toEqual(row.expect.ids ?? []);
        return;
      }
      if (set.ok) throw new Error(`found ${selectorsOf(set.value)}`);
      expect(set.error.reason).toBe(row.expect.refusal as AgentFaultReason);
      const exit = row.expect.exit_code;
      if (exit !== undefined) expect(refuseAgent(set.error).exitCode).toBe(exit);
      if (row.expect.candidates) expect(selectorsOf(set.error.candidates)).toEqual(row.expect.candidates);
      if (row.expect.terminal) expect(set.error.terminal).toEqual(idOf(row.expect.terminal));
    },
  );

  test.each(format)("%j", ({ id, text }) => {
    const resource = id.kind === "local" ? ({ tag: "local", id: id.id } as const) : null;
    expect(formatResource(resource ?? { tag: "satellite", host: id.host ?? "", id: id.id })).toBe(text);
    expect(formatResource(idOf(text))).toBe(text);
  });
});

const leaf = (pane: string): LayoutNode => ({ kind: "leaf", pane: idOf(pane) });
const beside = (left: LayoutNode, right: LayoutNode): LayoutNode => ({
  kind: "split",
  dir: "horizontal",
  ratio: 0.5,
  left,
  right,
});
const tabs = (...windows: [name: string, root: LayoutNode][]): LayoutDocument => ({
  version: 3,
  windows: windows.map(([name, root]) => ({ name, root, focused_terminal: idOf("@1") })),
  focused_window_index: 0,
});

const house: Sketch = {
  focused_session: 1,
  focused_resource: "@3",
  sessions: [
    { id: 1, name: "api" },
    { id: 2, name: "web" },
    { id: 3, name: "parked" },
  ],
  windows: [
    { id: 5, session_id: 1, index: 0, name: "window-0" },
    { id: 6, session_id: 2, index: 0, name: "main" },
    { id: 7, session_id: 2, index: 1, name: "main" },
  ],
  resources: [
    { id: "@4", window_id: 5 },
    { id: "@3", window_id: 5 },
    { id: "@8", window_id: 5, kind: "agent_session", parent: "@3" },
    { id: "@9", window_id: 5, kind: "unknown" },
    { id: "@5", window_id: 6, lifecycle: "exited" },
    { id: "@6", window_id: 7 },
    { id: "@7", window_id: 0 },
    // A hub before draft 38 gives satellite panes the window number of the other host.
    { id: "lab/@2", window_id: 5 },
  ],
};

describe("against a small house", () => {
  const view: ResolutionView = {
    inventory: new Inventory(snapshotOf(house)),
    layouts: new Map([
      [1, tabs(["1", beside(leaf("@3"), beside(leaf("@8"), leaf("@4")))], ["twice", beside(leaf("@4"), leaf("@4"))])],
      [2, null],
    ]),
    tags: new Map([
      ["lab/@2", ["old"]],
      ["@5", ["old", "new"]],
      ["@8", ["old"]],
    ]),
    agents: {
      complete: true,
      records: new Map<string, AgentRecord>([
        ["@3", { name: "fixer", kind: "claude", state: "idle" }],
        ["@8", { name: "fixer", state: "idle" }],
        ["@5", { name: "codex", kind: "Codex", state: "idle" }],
      ]),
    },
  };

  const sets: [text: string, panes: string[], why: string][] = [
    [".", ["@4", "@3"], "Terminals of the focused session, in snapshot order"],
    ["api", ["@4", "@3"], "neither agent sessions, unknown kinds nor satellites"],
    ["web", ["@5", "@6"], "an exited pane that is kept belongs to its session"],
    ["parked", [], "a session without windows"],
    ["api:0", ["@3", "@4"], "as drawn; a leaf of another kind is left out"],
    ["api:0.0", ["@3"], "counted as drawn"],
    ["api:0.1", [], "a leaf that is no Terminal keeps its number and misses"],
    ["api:0.2", ["@4"], "and shifts none of the others"],
    ["api:twice", ["@4"], "a pane drawn twice is met once"],
    ["api:window-0", [], "a layout that decodes has the last word"],
    ["web:main", ["@5"], "without a layout: the first window of that name"],
    ["web:1.0", ["@6"], "without a layout: index and position of the registry"],
    ["web:1.1", [], "past the last pane"],
    ["@8", ["@8"], "an id is any resource"],
    ["@7", ["@7"], "an id needs no session"],
    ["@2", [], "the satellite's number is not ours"],
    ["lab/@2", ["lab/@2"], "a satellite's pane"],
    ["#old", ["@5", "lab/@2"], "Terminals only, in snapshot order"],
    ["%fixer", ["@3"], "an agent session bears no name of its own"],
  ];
  test.each(sets)("%s is %j: %s", (text, panes) => {
    expect(resolved(text, view)).toEqual(panes);
  });

  test("a kind is no name, however it is written", () => {
    expect(resolved("%codex", view)).toBe("kind_constant");
  });

  const reads: [text: string, read: object][] = [
    [".", { read: "nothing" }],
    ["api", { read: "nothing" }],
    ["@9", { read: "nothing" }],
    ["lab/@2", { read: "nothing" }],
    ["api:0", { read: "layout", session: 1 }],
    ["web:0.0", { read: "layout", session: 2 }],
    ["nobody:0", { read: "nothing" }],
    ["#old", { read: "tags", terminals: ["@4", "@3", "@5", "@6", "@7", "lab/@2"].map(idOf) }],
    ["%fixer", { read: "agents", terminals: ["@4", "@3", "@5", "@6", "@7", "lab/@2"].map(idOf) }],
  ];
  test.each(reads)("%s needs %j", (text, read) => {
    expect<object>(readsFor(parsed(text), view.inventory)).toEqual(read);
  });

  test("one of several is the focused pane, or the first", () => {
    const { snapshot } = view.inventory;
    expect(pickOne(["@4", "@3"].map(idOf), snapshot)).toEqual(idOf("@3"));
    expect(pickOne(["@5", "@6"].map(idOf), snapshot)).toEqual(idOf("@5"));
    expect(pickOne([], snapshot)).toBeNull();
  });
});

test("leaves of a deep tree come left to right", () => {
  const deep = Array.from({ length: 20_000 }, (_, at) => `@${at}`);
  const tree = deep.slice(1).reduce((left, pane) => beside(left, leaf(pane)), leaf("@0"));
  expect(selectorsOf(leavesOf(tree))).toEqual(deep);
});
