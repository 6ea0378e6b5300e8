import { describe, expect, test } from "bun:test";
import { move } from "../../src/tools/layout.ts";
import type { ErrorName } from "../../src/wire/error-code.ts";
import type { AnyFrame, MoveResult } from "../../src/wire/frame.ts";
import { encodeLayout } from "../../src/wire/layout-document.ts";
import { withServer } from "../phux/dialled.ts";
import { errorFrame, errorResult, type FakeServer, requestId } from "../phux/fake-server.ts";
import { layoutOf } from "../phux/layout-text.ts";
import { idOf } from "../phux/snapshot.ts";
import { Bench } from "./calls.ts";
import { layoutKey } from "./lab-room.ts";
import { type Fault, MovingPhux, moved, notMoved } from "./moving-phux.ts";

const asksState = (frame: AnyFrame) => frame.name === "COMMAND" && frame.value.command.tag === "GET_STATE";
const writes = (frame: AnyFrame, session: number) =>
  frame.name === "SET_METADATA" && frame.value.key === layoutKey(session);

/** Answers a MOVE_RESOURCE in place of the server, when `nth` moves have happened already. */
const onMove =
  (answer: (frame: AnyFrame) => ReturnType<Fault>, nth = 0): Fault =>
  (frame, phux) =>
    frame.name === "MOVE_RESOURCE" && phux.moves === nth ? answer(frame) : null;
/** Takes the write of a session's layout, and stores something else in its place, or nothing. */
const onWrite =
  (session: number, instead: (phux: MovingPhux) => void = () => {}): Fault =>
  (frame, phux) => {
    if (!writes(frame, session)) return null;
    instead(phux);
    return "nothing";
  };
/** Something that happens right before the `look`th GET_STATE of the call is answered. */
const beforeLook = (look: number, happens: (phux: MovingPhux, frame: AnyFrame) => ReturnType<Fault>): Fault => {
  let looks = 0;
  return (frame, phux) => {
    if (!asksState(frame)) return null;
    looks += 1;
    return looks === look ? happens(phux, frame) : null;
  };
};
const relocated = (pane: string, window: number) => (phux: MovingPhux) => {
  phux.relocate(idOf(pane), window);
  return null;
};
const either =
  (...faults: readonly Fault[]): Fault =>
  (frame, phux) =>
    faults.map((fault) => fault(frame, phux)).find((answer) => answer !== null) ?? null;
const refusal = (name: ErrorName, message: string) => (frame: AnyFrame) => errorFrame(requestId(frame), name, message);

function onPhux(
  fault: Fault,
  body: (bench: Bench, phux: MovingPhux, server: FakeServer) => Promise<void>,
): Promise<void> {
  const phux = new MovingPhux().failing(fault);
  return withServer({ script: phux.script, features: ["move_resource"] }, (server) =>
    body(new Bench(server.socket, {}, [move]), phux, server),
  );
}

const across = { source: "@2", target: "@3" };
const names = (server: FakeServer) =>
  server.frames.map((frame) => (frame.name === "COMMAND" ? frame.value.command.tag : frame.name));
const cycle = ["GET_METADATA", "SET_METADATA", "GET_METADATA"] as const;

describe("what a move between sessions sends", () => {
  test("ownership, then the destination's layout, then the source's", () =>
    onPhux(
      () => null,
      async (bench, phux, server) => {
        await bench.document("phux_move_pane", across);
        expect(names(server)).toEqual(["GET_STATE", "GET_STATE", "MOVE_RESOURCE", "GET_STATE", ...cycle, ...cycle]);
        const keys = server.frames.flatMap((frame) => (frame.name === "SET_METADATA" ? [frame.value.key] : []));
        expect(keys).toEqual([layoutKey(2), layoutKey(1)]);
        expect([phux.drawn(1), phux.drawn(2)]).toEqual(["*w: @1 focus @1", "*h: V(0.5; @3, @2) focus @2"]);
        expect(server.clients).toHaveLength(1);
      },
    ));

  test("within a session it moves nothing on the server, and reads a layout once to find both panes", () =>
    onPhux(
      () => null,
      async (bench, phux, server) => {
        await bench.document("phux_move_pane", { source: "work:0.0", target: "work:w.1" });
        expect(names(server)).toEqual(["GET_STATE", "GET_METADATA", ...cycle]);
        expect(phux.drawn(1)).toBe("*w: V(0.5; @2, @1) focus @1");
      },
    ));

  test("a session that went has its layout deleted, and that is looked at", () =>
    onPhux(
      () => null,
      async (bench, phux, server) => {
        await bench.document("phux_move_pane", { source: "@3", target: "@1" });
        expect(names(server).slice(-2)).toEqual(["DELETE_METADATA", "GET_METADATA"]);
        expect(phux.drawn(2)).toBeNull();
      },
    ));
});

type Failure = [what: string, fault: Fault, code: string, exit: number, window: number, says: string];

describe("a move between sessions that fails", () => {
  const elsewhere: MoveResult = { tag: "err", error: { tag: "unsupported_satellite_route" } };
  const written = encodeLayout(layoutOf("*h: @3 focus @3"), 3);
  const overwritten = onWrite(2, (phux) => phux.set("group 1", layoutKey(2), written));
  const claimed = onMove((frame) => moved(frame, { tag: "ok", id: idOf("@2") }), 1);
  const busy = beforeLook(3, (_, frame) => errorResult(requestId(frame), "INTERNAL_ERROR", "busy"));
  const refusedWrite: Fault = (frame) => (writes(frame, 2) ? refusal("PERMISSION_DENIED", "read only")(frame) : null);
  const spoilt: Fault = (frame, phux) => {
    if (writes(frame, 2)) phux.set("group 1", layoutKey(1), "no CBOR");
    return null;
  };

  // biome-ignore format: one row a failure; the window is where the pane is in the end
  const cases: Failure[] = [
    ["the server refuses", onMove(notMoved), "move_refused", 1, 1, "no such window"],
    ["by an ERROR", onMove(refusal("INVALID_COMMAND", "no")), "move_refused", 1, 1, "invalid command: no"],
    ["the credential lacks a verb", onMove(refusal("PERMISSION_DENIED", "no")), "permission_denied", 2, 1, "permission denied"],
    ["another host's, says the server", onMove((frame) => moved(frame, elsewhere)), "satellite_target", 1, 1, "another host"],
    ["the connection ends", onMove(() => "hang up"), "server_disconnected", 1, 1, "not known"],
    ["the pane leaves before it begins", beforeLook(2, relocated("@2", 2)), "destination_changed", 1, 2, "nothing was moved"],
    ["the state after it cannot be read", busy, "post_move_state_failed", 1, 1, "was moved back"],
    ["the target leaves meanwhile", beforeLook(3, relocated("@3", 1)), "destination_changed", 1, 1, "was moved back"],
    ["the layout there is not kept", onWrite(2), "destination_layout_failed", 1, 1, "was moved back"],
    ["the layout there is written over", overwritten, "destination_layout_failed", 1, 1, "was moved back"],
    ["the write there is refused", refusedWrite, "destination_layout_failed", 1, 1, "read only"],
    ["the way back is refused too", either(onWrite(2), onMove(notMoved, 1)), "destination_layout_failed", 1, 2, "could not be moved back"],
    ["nobody is left where it was", onWrite(2, relocated("@1", 2)), "destination_layout_failed", 1, 2, "no pane of its old window is left"],
    ["the way back is only claimed", either(onWrite(2), claimed), "destination_layout_failed", 1, 2, "elsewhere all the same"],
    ["the layout it left is not kept", onWrite(1), "source_layout_failed", 1, 2, "was moved and placed"],
    ["the layout it left does not decode", spoilt, "source_layout_failed", 1, 2, "does not decode"],
  ];
  test.each(cases)("%s", (_what, fault, code, exit, window, says) =>
    onPhux(fault, async (bench, phux) => {
      const text = await bench.failure("phux_move_pane", across);
      expect(JSON.parse(text)).toMatchObject({ error: { code }, exit_code: exit });
      expect(text).toContain(says);
      expect(phux.windowOf("@2")).toBe(window);
    }),
  );
});

describe("somebody else writes a layout at the same time", () => {
  const kept: [what: string, session: number, theirs: string][] = [
    ["the destination's, which still draws the pane in its place", 2, "*h: H(0.2; V(0.5; @3, @2), @9) focus @9"],
    ["the source's, which no longer draws the pane", 1, "*w: H(0.2; @1, @8) focus @8"],
  ];
  test.each(kept)("%s: the move holds, and so does their edit", (_what, session, theirs) =>
    onPhux(
      onWrite(session, (phux) => phux.draw(session, theirs)),
      async (bench, phux) => {
        expect(await bench.document("phux_move_pane", across)).toMatchObject({ cross_session: true });
        expect(phux.drawn(session)).toBe(theirs);
        expect(phux.moves).toBe(1);
      },
    ),
  );
});
