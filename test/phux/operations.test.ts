import { describe, expect, test } from "bun:test";
import { Action } from "../../src/phux/action.ts";
import { refuse } from "../../src/phux/errors.ts";
import { MOST_OPERATIONS, Operations, REMEMBERED_MS } from "../../src/phux/operations.ts";
import { fail, ok } from "../../src/wire/result.ts";
import { withConnection } from "./dialled.ts";
import { requestId } from "./fake-server.ts";
import { idOf } from "./snapshot.ts";

/** The rows of a process whose clock the test moves. */
async function remembered(body: (operations: Operations, action: Action, clock: { now: number }) => void) {
  await withConnection({ script: () => {} }, async (connection) => {
    const clock = { now: 1_000 };
    const action = new Action(connection, async () => fail(refuse("no_server", "gone")));
    body(new Operations(() => clock.now), action, clock);
  });
}

const ids = (operations: Operations) => operations.list().map(({ id }) => id);

describe("what is remembered", () => {
  test("newest first, each with an id of its own", () =>
    remembered((operations, action) => {
      const rows = [1, 2, 3].map(() => operations.admit("phux_kill", action)?.id);
      expect(ids(operations)).toEqual(rows.toReversed().map(String));
      expect(new Set(rows).size).toBe(3);
      for (const id of rows) expect(id).toMatch(/^[0-9a-f]{32}$/);
    }));

  test("what it came to, the first time", () =>
    remembered((operations, action, clock) => {
      const id = operations.admit("phux_kill", action)?.id ?? "";
      clock.now = 1_500;
      operations.settle(id, ok({ killed: true }));
      operations.settle(id, fail("too late"));
      expect(operations.find(id)).toMatchObject({
        startedAtMs: 1_000,
        outcome: { finishedAtMs: 1_500, result: { killed: true }, error: null },
      });
    }));

  test("a finished one for ten minutes, one that runs for ever", () =>
    remembered((operations, action, clock) => {
      const [done, runs] = [operations.admit("phux_kill", action), operations.admit("phux_rm", action)];
      operations.settle(done?.id ?? "", fail("no"));
      clock.now += REMEMBERED_MS - 1;
      expect(operations.find(done?.id ?? "")).not.toBeNull();
      clock.now += 1;
      expect(operations.find(done?.id ?? "")).toBeNull();
      clock.now += 100 * REMEMBERED_MS;
      expect(ids(operations)).toEqual([runs?.id ?? ""]);
    }));

  test("256: the one that finished first makes room, and none that runs does", () =>
    remembered((operations, action, clock) => {
      const rows = Array.from({ length: MOST_OPERATIONS }, () => operations.admit("phux_kill", action)?.id ?? "");
      expect(operations.admit("phux_kill", action)).toBeNull();
      for (const id of [rows[7] ?? "", rows[3] ?? ""]) {
        clock.now += 1;
        operations.settle(id, ok({}));
      }
      expect(operations.admit("phux_kill", action)).not.toBeNull();
      expect(operations.find(rows[7] ?? "")).toBeNull();
      expect(operations.find(rows[3] ?? "")).not.toBeNull();
      expect(operations.list()).toHaveLength(MOST_OPERATIONS);
    }));
});

describe("what an action asks for, in the words of an approval record", () => {
  test.each([
    [{ tag: "KILL_RESOURCE", terminal_id: idOf("edge/@4") }, ["edge/@4"]],
    [{ tag: "KILL_RESOURCES", ids: [idOf("@1"), idOf("@2")] }, ["@1", "@2"]],
    [{ tag: "SIGNAL_TERMINAL", terminal_id: idOf("@4"), signal: 0 }, ["@4"]],
    [{ tag: "DETACH_CLIENTS", session: "work" }, ["session:work"]],
    [{ tag: "DETACH_CLIENTS", session: null }, ["global"]],
  ] as const)("%p", async (command, subjects) => {
    const asked: unknown[] = [];
    let action: Action | null = null;
    await withConnection(
      {
        script: (frame, client) => {
          asked.push(action?.asked);
          client.send({ name: "COMMAND_RESULT", value: { request_id: requestId(frame), result: { tag: "ok" } } });
        },
      },
      async (connection) => {
        action = new Action(connection, async () => fail(refuse("no_server", "gone")));
        await action.request(command, "asking");
        expect(action.asked).toBeNull();
      },
    );
    expect(asked).toEqual([{ method: command.tag, subjects }]);
  });
});
