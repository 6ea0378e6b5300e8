import { expect, test } from "bun:test";
import { MOST_OPERATIONS } from "../../src/phux/operations.ts";
import { operationStatus } from "../../src/tools/operation.ts";
import { kill } from "../../src/tools/pane.ts";
import { withServer } from "../phux/dialled.ts";
import { type Client, okResult, requestId } from "../phux/fake-server.ts";
import { SmallPhux } from "../phux/small-phux.ts";
import { Bench } from "./calls.ts";
import { membersOf } from "./lab-bench.ts";

const yes = { confirm: true } as const;

test("when 256 are pending already, the next call waits for its answer", async () => {
  const phux = new SmallPhux();
  const held: (() => void)[] = [];
  phux.override = (frame, client: Client) => {
    if (frame.name !== "COMMAND" || frame.value.command.tag !== "KILL_RESOURCE") return false;
    held.push(() => client.send(okResult(requestId(frame))));
    return true;
  };
  await withServer({ script: phux.script }, async (server) => {
    const bench = new Bench(server.socket, {}, [kill, operationStatus]);
    const call = () => bench.document("phux_kill", { target: "@1", ...yes });
    const pending = await Promise.all(Array.from({ length: MOST_OPERATIONS }, call));
    expect(pending.every((document) => membersOf(document)["status"] === "pending")).toBe(true);
    const one = call();
    // Longer than the two seconds that others are given.
    const first = await Promise.race([one, Bun.sleep(2_600).then(() => "waits")]);
    expect(first).toBe("waits");
    for (const answer of held) answer();
    expect(await one).toEqual({ schema_version: 1, killed: true, target: "@1" });
    const document = membersOf(await bench.document("phux_operation_status"));
    // All 256 are more than a host shows: the newest are kept.
    expect(document).toMatchObject({ truncated: true });
    const { operations } = document;
    if (!Array.isArray(operations)) throw new Error("no list");
    const started = operations.map((row) => Number(membersOf(row)["started_at_ms"]));
    expect(started).toEqual(started.toSorted((a, b) => b - a));
    const all = pending.map(async (document) => {
      const { operation_id } = membersOf(document);
      return Number(membersOf(await bench.document("phux_operation_status", { operation_id }))["started_at_ms"]);
    });
    expect(started[0]).toBe(Math.max(...(await Promise.all(all))));
    expect(new Set(operations.map((row) => membersOf(row)["state"]))).toEqual(new Set(["succeeded"]));
  });
}, 15_000);
