/** A server that is another process after a lost connection: its ids may name other panes, so a read looks again. */
import { expect, test } from "bun:test";
import { withServer } from "../phux/dialled.ts";
import type { FakeServer } from "../phux/fake-server.ts";
import { plainScreen, SmallPhux, twoSessions } from "../phux/small-phux.ts";
import { snapshotOf } from "../phux/snapshot.ts";
import { type Bench, benchOn } from "./calls.ts";

/** `home` has @3; behind the first look at a screen the server ends, and its successor counts `home`'s pane as @1. */
function restarting(
  body: (bench: Bench, server: FakeServer) => Promise<void>,
  successor = snapshotOf({
    sessions: [{ id: 1, name: "home", active_window: 1 }],
    windows: [{ id: 1, session_id: 1, index: 0, name: "window-0", active_resource: "@1" }],
    resources: [{ id: "@1", window_id: 1 }],
    ...{ focused_session: 1, focused_window: 1, focused_resource: "@1" },
  }),
): Promise<void> {
  const phux = new SmallPhux(twoSessions);
  phux.screen = (pane) => ({ ...plainScreen, pane: pane.id, lines: [`this is @${pane.id}`] });
  let looks = 0;
  phux.override = (frame, client) => {
    if (frame.name !== "COMMAND" || frame.value.command.tag !== "GET_SCREEN" || looks++ > 0) return false;
    phux.state = successor;
    client.end();
    return true;
  };
  return withServer({ script: phux.script }, async (server) => {
    let id = 0;
    server.hello = (_, client) => client.send(server.helloOk({ server_id: new Uint8Array(16).fill(++id) }));
    await body(benchOn(server), server);
  });
}

test("a snapshot by name shows the pane that has the name now", () =>
  restarting(async (bench) => {
    expect(await bench.document("phux_snapshot", { target: "home" })).toMatchObject({ lines: ["this is @1"] });
  }));

test("a wait by name watches it", () =>
  restarting(async (bench) => {
    const met = await bench.document("phux_wait", { target: "home", until: "this is @1", timeout_secs: 5 });
    expect(met).toMatchObject({ outcome: "met" });
  }));

test("a pane that is gone with its server is a miss", () =>
  restarting(async (bench) => {
    expect(await bench.code("phux_snapshot", { target: "@3" })).toEqual(["no_such_target", 1]);
  }));

test("a server that is the same process is asked for the same pane, without another look", () =>
  restarting(async (bench, server) => {
    server.hello = (_, client) => client.send(server.helloOk());
    expect(await bench.document("phux_snapshot", { target: "home" })).toMatchObject({ lines: ["this is @3"] });
    expect(server.commands.map(({ tag }) => tag)).toEqual(["GET_STATE", "GET_SCREEN", "GET_SCREEN"]);
  }));
