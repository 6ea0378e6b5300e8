import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Inventory } from "../../../src/phux/inventory.ts";
import { leavesOf } from "../../../src/phux/resolve.ts";
import { encodeLayout, type LayoutDocument, type LayoutNode } from "../../../src/wire/layout-document.ts";
import { deriveWindowId } from "../../../src/wire/window-id.ts";
import { local } from "../answer.ts";
import { captureArchive } from "./archive-capture.ts";
import { parseArchive } from "./archive-document.ts";
import { layoutOf } from "./archive-layout.ts";

const origin = { plugin_id: "p", integration_id: "i", native_id: "n" };
const withPane = (pane: object) => ({ sessions: [{ name: "s", windows: [{ name: "w", panes: [pane] }] }] });
const withLayout = (layout: object) => ({
  sessions: [{ name: "s", windows: [{ name: "w", layout, panes: [{}, {}] }] }],
});
const split = (left: object, right: object, more: object = {}) => ({
  ...{ kind: "split", dir: "vertical", ratio: 0.5, left, right },
  ...more,
});
const pane = (at: number) => ({ kind: "pane", pane: at });

describe("an archive is read", () => {
  test.each<[string, object]>([
    ["without sessions", { sessions: [] }],
    ["of version 1", { schema_version: 1, sessions: [{ name: "s" }] }],
    ["with members that nobody knows yet", { sessions: [{ name: "s", later: 1, windows: [] }], later: 2 }],
    ["with an agent's session", withPane({ agent_session: origin })],
    ["with the activity words of a release that gave none", withPane({ cwd: "/", command: ["sh"], title: "t" })],
    ["with a tree", withLayout(split(pane(1), pane(0)))],
    ["with a pane that its tree leaves out", withLayout(pane(1))],
  ])("%s", (_, archive) => {
    expect(parseArchive(JSON.stringify({ schema_version: 2, ...archive })).ok).toBe(true);
  });
});

describe("an archive is refused as a whole", () => {
  test.each<[string, object, string]>([
    ["of a later version", { schema_version: 3, sessions: [] }, "schema_version"],
    ["without sessions", {}, "sessions is missing"],
    ["with a nameless session", { sessions: [{ name: " " }] }, "sessions.0.name"],
    ["with a name twice", { sessions: [{ name: "s" }, { name: "s" }] }, "twice"],
    ["with an empty command", withPane({ command: [] }), "command"],
    ["with a command of no program", withPane({ command: [""] }), "command"],
    ["with a size that no terminal has", withPane({ cols: 65_536 }), "cols"],
    ["with a number for active", withPane({ active: 1 }), "active"],
    [
      "with an agent's session in version 1",
      { ...withPane({ agent_session: origin }), schema_version: 1 },
      "version 1",
    ],
    ["with a command for an agent", withPane({ agent_session: { ...origin, argv: ["sh"] } }), "agent_session"],
    ["with an option for a session id", withPane({ agent_session: { ...origin, native_id: "--x" } }), "option"],
    ["with blanks around a session id", withPane({ agent_session: { ...origin, native_id: " x" } }), "blanks"],
    ["with a plugin id that is too long", withPane({ agent_session: { ...origin, plugin_id: "é".repeat(61) } }), "120"],
    ["with a pane drawn twice", withLayout(split(pane(0), pane(0))), "twice"],
    ["with a pane drawn that is not there", withLayout(pane(2)), "has not"],
    ["with a share of nothing", withLayout(split(pane(0), pane(1), { ratio: 0 })), "ratio"],
    ["with an axis that nobody knows", withLayout(split(pane(0), pane(1), { dir: "up" })), "dir"],
    ["with a node that nobody knows", withLayout({ kind: "tab" }), "layout"],
  ])("%s", (_, archive, named) => {
    const parsed = parseArchive(JSON.stringify({ schema_version: 2, ...archive }));
    expect(parsed).toEqual({ ok: false, error: expect.stringContaining(named) });
  });

  test("nested deeper than can be walked", () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    expect(parseArchive(`{"schema_version":2,"sessions":${deep}}`).ok).toBe(false);
  });

  test("whatever it is", () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => !parseArchive(text).ok));
  });
});

/** A tree over these panes, each once. */
function treeOver(panes: readonly number[]): fc.Arbitrary<LayoutNode> {
  const [only] = panes;
  if (panes.length === 1 && only !== undefined) return fc.constant<LayoutNode>({ kind: "leaf", pane: local(only) });
  return fc.integer({ min: 1, max: panes.length - 1 }).chain((at) =>
    fc.record({
      kind: fc.constant("split" as const),
      dir: fc.constantFrom("horizontal" as const, "vertical" as const),
      ratio: fc.constantFrom(0.25, 0.5, Math.fround(0.3)),
      left: treeOver(panes.slice(0, at)),
      right: treeOver(panes.slice(at)),
    }),
  );
}

/** One to four tabs, which draw panes of one session in some order. */
const layouts: fc.Arbitrary<LayoutDocument> = fc
  .array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 })
  .chain((sizes) => {
    const total = sizes.reduce((sum, size) => sum + size, 0);
    const numbers = Array.from({ length: total }, (_, at) => at + 1);
    return fc.shuffledSubarray(numbers, { minLength: total }).chain((shuffled) => {
      const starts = sizes.map((_, at) => sizes.slice(0, at).reduce((sum, size) => sum + size, 0));
      const roots = sizes.map((size, at) => treeOver(shuffled.slice(starts[at], (starts[at] ?? 0) + size)));
      return fc.record({
        version: fc.constant(3 as const),
        windows: fc.tuple(...roots).chain((trees) => fc.tuple(...trees.map(tabOf))),
        focused_window_index: fc.nat(sizes.length - 1),
      });
    });
  });

function tabOf(root: LayoutNode) {
  const leaves = leavesOf(root);
  return fc.record({
    // As every client derives it, so that another document of the same panes has the same.
    id: fc.constant(deriveWindowId(leaves[0] ?? local(0), new Set())),
    name: fc.string({ unit: "grapheme", maxLength: 8 }),
    root: fc.constant(root),
    focused_terminal: fc.constantFrom(...leaves),
  });
}

test("a layout that is saved and made again with the same panes is the same layout", () => {
  fc.assert(
    fc.property(layouts, (layout) => {
      const ids = layout.windows.flatMap(({ root }) => leavesOf(root));
      const inventory = new Inventory({
        sessions: [
          { id: 7, name: "s", active_window: 1, created_at_unix_secs: 0n, window_count: 1, attached_client_count: 0 },
        ],
        windows: [{ id: 1, session_id: 7, index: 0, name: "window-0", active_resource: null, layout: null }],
        resources: ids.map((id) => ({ id, window_id: 1, cols: 80, rows: 24, title: null, cwd: null })),
        ...{ focused_session: 7, focused_window: 1, focused_resource: local(1) },
      });
      const saved = captureArchive({ inventory, layouts: new Map([[7, layout]]), origins: new Map() });
      const read = parseArchive(JSON.stringify(saved));
      expect(read).toEqual({ ok: true, value: saved });
      // The panes of a window are saved in the order in which it draws them.
      const made = layout.windows.map(({ root }) => leavesOf(root));
      const again = layoutOf(saved.sessions[0]?.windows ?? [], made, 3);
      expect(again && encodeLayout(again, 3)).toEqual(encodeLayout(layout, 3));
    }),
  );
});
