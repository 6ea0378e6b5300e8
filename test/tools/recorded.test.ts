import { expect, test } from "bun:test";
import { formatResource } from "../../src/phux/selector.ts";
import type { AnyFrame } from "../../src/wire/frame.ts";
import { decodeLayout, type LayoutDocument, type LayoutNode } from "../../src/wire/layout-document.ts";
import { valueIn } from "../phux/dialled.ts";
import { until } from "../phux/fake-server.ts";
import { describeShared } from "../shared.ts";
import { items, type Members, members } from "../wire/vector.ts";
import { benchOn } from "./calls.ts";
import { type RecordedCall, RecordedServer, recordedCalls, withoutId, wordOf } from "./recorded.ts";

const TOOLS = ["ls", "snapshot", "send_keys", "paste", "wait", "kill", "watch", "spawn", "signal"].map(
  (n) => `phux_${n}`,
);

/** The order that ours must have: the recorded one, changed only where a key of `differs` allows it. */
function orderOf({ sequence, differs, args, result }: RecordedCall, came: readonly string[]): readonly string[] {
  const reads = (count: number) => Array.from({ length: count }, () => "GET_METADATA");
  if (differs.has("ls_document")) return [...sequence, ...reads(items(result?.["sessions"]).length)];
  // Both sessions of the recording have one pane.
  if (differs.has("agent_names")) return [...sequence, ...reads(2)];
  if (differs.has("window_from_layout") && /^[^@#%].*:/.test(String(args["target"]))) {
    return [...sequence.slice(0, 1), ...reads(1), ...sequence.slice(1)];
  }
  if (differs.has("poll_connection")) {
    const screens = came.filter((word) => word === "GET_SCREEN").length;
    return [...sequence.slice(0, 1), ...Array.from({ length: screens }, () => "GET_SCREEN")];
  }
  return sequence;
}

/** The document that ours must be: the recorded one, and what newer documents have beside it (client.md 4). */
function documentOf({ tool, result, differs }: RecordedCall): Members {
  const sessions = () =>
    items(result?.["sessions"]).map((row) => ({ ...members(row), keep_empty: false, empty: false }));
  if (differs.has("ls_document")) return { ...result, sessions: sessions(), hosts_complete: false };
  if (tool === "phux_wait") return { ...result, polls: expect.any(Number) };
  if (tool === "phux_watch") return { ...result, events: items(result?.["events"]).map(newerEvent) };
  return tool === "phux_spawn" ? { ...result, replayed: false } : { ...result };
}

/** Since there are other resources than terminals, a new one says which it is. */
function newerEvent(event: unknown): Members {
  const spawned = members(event)["event"] === "pane_spawned";
  return { ...members(event), ...(spawned && { kind: "terminal", parent: null }) };
}

function layoutIn(frame: AnyFrame): LayoutDocument {
  if (frame.name !== "SET_METADATA") throw new Error(frame.name);
  return valueIn(decodeLayout(frame.value.value ?? new Uint8Array(), 2));
}

/** A layout in which the split that holds `pane` on its right has the other axis. */
function turned(layout: LayoutDocument, pane: string): LayoutDocument {
  const turn = (node: LayoutNode): LayoutNode => {
    if (node.kind === "leaf") return node;
    const holds = node.right.kind === "leaf" && formatResource(node.right.pane) === pane;
    const dir = holds === (node.dir === "horizontal") ? "vertical" : "horizontal";
    return { ...node, dir, left: turn(node.left), right: turn(node.right) };
  };
  return { ...layout, windows: layout.windows.map((window) => ({ ...window, root: turn(window.root) })) };
}

describeShared("what a real 0.22 did, ours does", () => {
  const calls = recordedCalls(TOOLS).map((call) => {
    const name = `${call.tool} ${JSON.stringify(call.args)} ${call.note}`;
    return [name, call] as const;
  });
  test("all of them are here", () => expect(calls).toHaveLength(53));

  test.each(calls)("%s", async (_, call) => {
    const server = new RecordedServer(call.steps);
    try {
      const bench = benchOn(server);
      if (call.result !== null) {
        const document = members(await bench.document(call.tool, call.args));
        // A listing has whole members more.
        if (call.differs.has("ls_document")) expect(document).toMatchObject(documentOf(call));
        else expect(document).toEqual(documentOf(call));
        if (call.note === "met at the first poll") expect(document["polls"]).toBe(1);
      } else {
        const started = call.sequence[0] === "SPAWN_RESOURCE";
        expect(await bench.code(call.tool, call.args)).toEqual([started ? "spawn_failed" : "no_such_target", 1]);
      }
      const came = () => server.pairs.map(([frame]) => wordOf(frame));
      // A subscription has no answer, so that it may still be on its way.
      await until("the last frame came", () => came().length >= orderOf(call, came()).length);
      expect(came()).toEqual([...orderOf(call, came())]);
      for (const [frame, recorded] of server.pairs) {
        if (recorded === null) expect(frame.name).toBe("GET_METADATA");
        else if (frame.name === "SET_METADATA" && call.differs.has("split_axis")) {
          const pane = `@${call.result?.["terminal_id"]}`;
          expect(layoutIn(frame)).toEqual(turned(layoutIn(recorded), pane));
        } else expect(withoutId(frame)).toEqual(withoutId(recorded));
      }
    } finally {
      server.close();
    }
  });
});
