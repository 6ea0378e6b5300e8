import { expect, test } from "bun:test";
import { Inventory } from "../../src/phux/inventory.ts";
import type { SessionSnapshot } from "../../src/wire/frame.ts";
import { idOf, selectorsOf, snapshotOf } from "./snapshot.ts";

const snapshot = snapshotOf({
  focused_session: 1,
  focused_resource: "@1",
  sessions: [
    { id: 1, name: "api", active_window: 2 },
    { id: 2, name: "web", active_window: 99 },
    { id: 3, name: "parked", active_window: null },
  ],
  windows: [
    { id: 1, session_id: 1, index: 0, name: "a", active_resource: "@1" },
    { id: 2, session_id: 1, index: 1, name: "b", active_resource: "@2" },
    { id: 3, session_id: 2, index: 0, name: "c" },
  ],
  resources: [
    { id: "@1", window_id: 1 },
    { id: "@5", window_id: 3, kind: "agent_session", parent: "@1" },
    { id: "@2", window_id: 2, lifecycle: "frozen" },
    { id: "@3", window_id: 3, lifecycle: "exited" },
    { id: "@4", window_id: 42 },
    { id: "@6", window_id: 0, kind: "unknown" },
    { id: "lab/@1", window_id: 1 },
  ],
});
const inventory = new Inventory(snapshot);

const facts: [id: string, kind: string, lifecycle: string, window: number | null][] = [
  ["@1", "terminal", "running", 1],
  ["@5", "agent_session", "running", 3],
  ["@2", "terminal", "frozen", 2],
  ["@3", "terminal", "exited", 3],
  ["@4", "terminal", "running", null],
  ["@6", "unknown", "running", null],
  ["lab/@1", "terminal", "running", null],
];
test.each(facts)("%s is a %s, %s, in window %p", (selector, kind, lifecycle, window) => {
  const id = idOf(selector);
  const row = inventory.find(id);
  expect<string[]>([inventory.kindOf(id), inventory.lifecycleOf(id)]).toEqual([kind, lifecycle]);
  expect(row && (inventory.windowOf(row)?.id ?? null)).toBe(window);
});

test("Terminals are those of the whole fleet; a session's are its own", () => {
  expect(selectorsOf(inventory.terminals.map(({ id }) => id))).toEqual(["@1", "@2", "@3", "@4", "lab/@1"]);
  expect(selectorsOf(inventory.terminalsOf({ id: 1 }).map(({ id }) => id))).toEqual(["@1", "@2"]);
});

test.each([
  ["api", "@2", "the active window's active pane"],
  ["web", "@3", "else the first window, and its first Terminal"],
  ["parked", null, "nothing without a window"],
] as const)("the active pane of %s is %p: %s", (name, pane) => {
  const session = inventory.session(name);
  expect(session && inventory.activeTerminalOf(session)).toEqual(pane === null ? null : idOf(pane));
});

test("what is not in the snapshot is not found, and is no Terminal", () => {
  expect(inventory.find(idOf("@9"))).toBeNull();
  expect(["@9", "@5", "@1"].map((id) => inventory.isTerminal(idOf(id)))).toEqual([false, false, true]);
  expect(inventory.session("API")).toBeNull();
});

test("an exit is shown with its reason in words", () => {
  const exit = { exit_status: null, signal: 15, reason: 1, exited_at_ms: 5n, retained_until_ms: 9n };
  const states = { resource_state: [{ id: idOf("@3"), lifecycle: 2, exit }] };
  const exited = new Inventory({ ...snapshot, extensions: states });
  expect(exited.exitOf(idOf("@3"))).toEqual({
    status: null,
    signal: 15,
    reason: "killed",
    exited_at_ms: 5n,
    retained_until_ms: 9n,
  });
  expect(exited.exitOf(idOf("@1"))).toBeNull();
});

test("a snapshot of 0.8 has Terminals only, all running", () => {
  const { facets, extensions, ...old }: SessionSnapshot = snapshot;
  const inventory = new Inventory(old);
  expect(inventory.terminals.length).toBe(old.resources.length);
  expect(old.resources.every(({ id }) => inventory.lifecycleOf(id) === "running")).toBe(true);
});

test("a thousand times as many sessions are no thousand times slower each", () => {
  const ids = Array.from({ length: 20_000 }, (_, at) => at + 1);
  const large = new Inventory(
    snapshotOf({
      focused_session: 1,
      focused_resource: "@1",
      sessions: ids.map((id) => ({ id, name: `s${id}` })),
      windows: ids.map((id) => ({ id, session_id: id, index: 0, name: "w" })),
      resources: ids.map((id) => ({ id: `@${id}`, window_id: id })),
    }),
  );
  const began = performance.now();
  for (const session of large.snapshot.sessions) {
    expect(large.activeTerminalOf(session)).toEqual(idOf(`@${session.id}`));
    expect(large.terminalsOf(session)).toHaveLength(1);
  }
  // A look through every pane for every session took a minute here.
  expect(performance.now() - began).toBeLessThan(4_000);
});
