/** Tools that act on several panes, and fail at one of them: the failure names those that it happened to all the same. */
import { expect, test } from "bun:test";
import { Lifecycle } from "../../src/wire/enums.ts";
import { withServer } from "../phux/dialled.ts";
import { errorFrame, errorResult, type FakeServer, requestId } from "../phux/fake-server.ts";
import { SmallPhux, twoSessions } from "../phux/small-phux.ts";
import { idOf } from "../phux/snapshot.ts";
import { type Bench, benchOn } from "./calls.ts";

const yes = { confirm: true } as const;

/** `work:0` is @1 and @2; whatever is asked of @2 is refused. */
function refusingTwo(body: (bench: Bench, server: FakeServer, phux: SmallPhux) => Promise<void>): Promise<void> {
  const phux = new SmallPhux(twoSessions);
  phux.override = (frame, client) => {
    const command = frame.name === "COMMAND" ? frame.value.command : null;
    if (command?.tag === "KILL_RESOURCE" && command.terminal_id.id === 2) {
      client.send(errorResult(requestId(frame), "PERMISSION_DENIED", "not yours"));
      return true;
    }
    if (frame.name === "SET_METADATA" && frame.value.scope.tag === "resource" && frame.value.scope.id.id === 2) {
      client.send(errorFrame(requestId(frame), "PERMISSION_DENIED", "not yours"));
      return true;
    }
    return false;
  };
  return withServer({ script: phux.script, features: ["retain_on_exit"] }, (server) =>
    body(benchOn(server), server, phux),
  );
}

const messageOf = (text: string): string => JSON.parse(text).error.message;

test("a kill", () =>
  refusingTwo(async (bench) => {
    const message = messageOf(await bench.failure("phux_kill", { target: "work:0", ...yes }));
    expect(message).toBe("killing @2: permission denied: not yours\nended all the same: @1");
  }));

test("a removal", () =>
  refusingTwo(async (bench, _server, phux) => {
    const exited = (id: string) => ({ id: idOf(id), lifecycle: Lifecycle.exited });
    const resource_state = ["@1", "@2"].map(exited);
    phux.state = { ...phux.state, extensions: { ...phux.state.extensions, resource_state } };
    const message = messageOf(await bench.failure("phux_rm", { target: "work:0", ...yes }));
    expect(message).toBe("removing @2: permission denied: not yours\nremoved all the same: @1");
  }));

test("a tag", () =>
  refusingTwo(async (bench, _server, phux) => {
    const message = messageOf(await bench.failure("phux_tag", { action: "add", target: "work:0", tags: ["ci"] }));
    expect(message).toBe("@2: writing phux.tags/v1: permission denied: not yours\nchanged before that: @1");
    expect(new TextDecoder().decode(phux.get("@1", "phux.tags/v1"))).toBe('["ci"]');
  }));
