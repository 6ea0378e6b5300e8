import { describe, expect, test } from "bun:test";
import { approvals, approve } from "../../src/tools/approval.ts";
import { operationStatus } from "../../src/tools/operation.ts";
import { kill, signal } from "../../src/tools/pane.ts";
import { remove } from "../../src/tools/resource.ts";
import { detach } from "../../src/tools/session.ts";
import type { LabOptions } from "../lab/options.ts";
import type { Stage } from "../lab/stage.ts";
import { until } from "../lab/until.ts";
import type { Bench } from "./calls.ts";
import { membersOf, onLab } from "./lab-bench.ts";

const tools = [operationStatus, kill, signal, remove, detach, approvals, approve];
const dangerous = ["KILL_RESOURCE", "KILL_RESOURCES", "SIGNAL_TERMINAL", "DETACH_CLIENTS"];

const held = (body: (bench: Bench, stage: Stage) => Promise<void>, options: Partial<LabOptions> = {}) =>
  onLab(tools, { hold: dangerous, ...options }, body);

/** Makes a call that the server holds, and gives the id that the pending answer names. */
async function pend(bench: Bench, tool: string, args: Readonly<Record<string, unknown>>): Promise<string> {
  const began = performance.now();
  const answer = membersOf(await bench.document(tool, args));
  const took = performance.now() - began;
  expect(answer).toEqual({
    schema_version: 1,
    status: "pending",
    operation_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    tool,
  });
  expect(took).toBeGreaterThan(1_900);
  expect(took).toBeLessThan(3_500);
  return String(answer["operation_id"]);
}

const status = async (bench: Bench, id: string) =>
  membersOf(await bench.document("phux_operation_status", { operation_id: id }));

async function finished(bench: Bench, id: string) {
  await until("the operation has finished", async () => (await status(bench, id))["finished_at_ms"] !== null);
  return status(bench, id);
}

async function onlyApproval(bench: Bench) {
  const { approvals: rows } = membersOf(await bench.document("phux_approvals"));
  if (!Array.isArray(rows) || rows.length !== 1) throw new Error(`not one approval: ${JSON.stringify(rows)}`);
  return membersOf(rows[0]);
}

const KEY = "00112233445566778899aabbccddeeff";

describe.concurrent("a held action", () => {
  test("approved: it runs, and its status tells what the call would have answered", () =>
    held(async (bench, { lab }) => {
      const id = await pend(bench, "phux_kill", { target: "@1", confirm: true });
      const approval = await onlyApproval(bench);
      expect(Object.keys(approval)).toEqual([
        ...["id", "requester", "method", "subjects", "requested_at_ms", "expires_at_ms"],
      ]);
      expect(approval).toMatchObject({ method: "KILL_RESOURCE", subjects: ["@1"] });
      expect(approval["requester"]).toEqual({ client: expect.any(Number), client_name: "phux-mcp/test" });
      expect(await status(bench, id)).toEqual({
        schema_version: 1,
        operation_id: id,
        tool: "phux_kill",
        state: "held",
        approval: { id: approval["id"], expires_at_ms: approval["expires_at_ms"] },
        started_at_ms: expect.any(Number),
        finished_at_ms: null,
        result: null,
        error: null,
      });
      expect(lab.server.panes.has(1)).toBe(true);
      const decided = await bench.document("phux_approve", { id: approval["id"], decision: "approve", confirm: true });
      expect(decided).toEqual({ schema_version: 1, id: approval["id"], decision: "approve" });
      await until("the pane is gone", () => !lab.server.panes.has(1));
      expect(await finished(bench, id)).toMatchObject({
        state: "succeeded",
        approval: null,
        result: { schema_version: 1, killed: true, target: "@1" },
        error: null,
      });
      await until("the kept connection is closed", () => lab.server.connections.size === 0);
    }));

  test("denied: the pane lives, and the status has the text of the refusal", () =>
    held(async (bench, { lab }) => {
      const id = await pend(bench, "phux_signal", { target: "@1", signal: "terminate", confirm: true });
      const approval = await onlyApproval(bench);
      expect(approval).toMatchObject({ method: "SIGNAL_TERMINAL", signal: "terminate" });
      await bench.document("phux_approve", { id: approval["id"], decision: "deny" });
      const row = await finished(bench, id);
      expect(row).toMatchObject({ state: "failed", approval: null, result: null });
      expect(String(row["error"])).toContain("permission_denied");
      expect(lab.server.panes.has(1)).toBe(true);
    }));

  test("expired: failed", () =>
    held(
      async (bench, { lab }) => {
        const id = await pend(bench, "phux_kill", { target: "main", confirm: true });
        const row = await finished(bench, id);
        expect(row).toMatchObject({ state: "failed" });
        expect(String(row["error"])).toContain("expired");
        expect(lab.server.panes.has(1)).toBe(true);
      },
      { holdMs: 2_300 },
    ));

  test("its target ends by itself: failed", () =>
    held(async (bench, { lab }) => {
      const id = await pend(bench, "phux_kill", { target: "@1", confirm: true });
      lab.server.panes.get(1)?.terminal.write(new TextEncoder().encode("exit\n"));
      expect(await finished(bench, id)).toMatchObject({ state: "failed" });
    }));

  test("its connection ends: failed, and nobody claims to know whether it happened", () =>
    held(async (bench, { lab }) => {
      const id = await pend(bench, "phux_kill", { target: "@1", confirm: true, idempotency_key: KEY });
      lab.server.upgrade();
      const row = await finished(bench, id);
      expect(row).toMatchObject({ state: "failed", result: null });
      expect(String(row["error"])).toContain("not known");
      expect(lab.server.panes.has(1)).toBe(true);
      expect(membersOf(await bench.document("phux_approvals"))["approvals"]).toEqual([]);
    }));

  test("detach and rm are held the same way", () =>
    held(async (bench, { lab, connect }) => {
      const client = await connect();
      const spawn = { group: 1, command: ["true"], kind: 0, retain_secs: 60, request_id: 1 };
      client.send({ name: "SPAWN_RESOURCE", value: spawn });
      await until("pane 2 has exited", () => lab.server.panes.get(2)?.retained !== null);
      const [detached, removed] = await Promise.all([
        pend(bench, "phux_detach", { session: "main", confirm: true }),
        pend(bench, "phux_rm", { target: "@2", confirm: true }),
      ]);
      const { operations } = membersOf(await bench.document("phux_operation_status"));
      expect(operations).toMatchObject([{ state: "held" }, { state: "held" }]);
      const { approvals: rows } = membersOf(await bench.document("phux_approvals"));
      if (!Array.isArray(rows)) throw new Error("no list");
      expect(rows.map((row) => membersOf(row)["subjects"]).toSorted()).toEqual([["@2"], ["session:main"]]);
      for (const row of rows) {
        await bench.document("phux_approve", { id: membersOf(row)["id"], decision: "approve", confirm: true });
      }
      expect(await finished(bench, detached)).toMatchObject({
        result: { schema_version: 1, detached: 0, session: "main" },
      });
      expect(await finished(bench, removed)).toMatchObject({
        result: { schema_version: 1, removed: ["@2"], target: "@2" },
      });
      expect(lab.server.panes.has(2)).toBe(false);
    }));

  test("freeze is nobody's to approve: the call waits for its answer", () =>
    onLab(tools, { hold: ["KILL_RESOURCE"] }, async (bench, { lab }) => {
      lab.faults.lateMs = { SIGNAL_TERMINAL: 2_400 };
      expect(await bench.document("phux_signal", { target: "@1", signal: "freeze" })).toMatchObject({ signaled: true });
    }));

  test("a cancel before the pending answer withdraws the hold; the pane lives", () =>
    held(async (bench, { lab }) => {
      const cancel = new AbortController();
      const call = bench.call("phux_kill", { target: "@1", confirm: true }, { signal: cancel.signal });
      await until("it is held", async () => {
        const { approvals: rows } = membersOf(await bench.document("phux_approvals"));
        return Array.isArray(rows) && rows.length === 1;
      });
      cancel.abort();
      await call;
      await until("the hold is withdrawn", () => lab.server.connections.size === 0);
      expect(membersOf(await bench.document("phux_approvals"))["approvals"]).toEqual([]);
      expect(membersOf(await bench.document("phux_operation_status"))["operations"]).toEqual([]);
      expect(lab.server.panes.has(1)).toBe(true);
    }));

  test("a cancel after it does not", () =>
    held(async (bench, { lab }) => {
      const cancel = new AbortController();
      const { text } = await bench.call("phux_kill", { target: "@1", confirm: true }, { signal: cancel.signal });
      expect(text).toContain("pending");
      cancel.abort();
      await onlyApproval(bench);
      await until("only the kept connection stands", () => lab.server.connections.size === 1);
    }));
});

describe.concurrent("phux_operation_status", () => {
  test("with nothing pending asks nobody", () =>
    onLab(tools, {}, async (bench, { lab, connect }) => {
      expect(await bench.document("phux_operation_status")).toEqual({ schema_version: 1, operations: [] });
      expect(await bench.failure("phux_operation_status", { operation_id: "a".repeat(32) })).toContain(
        "no_such_operation",
      );
      expect(await bench.failure("phux_operation_status", { operation_id: "A".repeat(32) })).toContain("operation_id");
      await connect();
      expect([...lab.server.connections].map(({ id }) => id)).toEqual([1]);
    }));

  test("a scan that fails leaves it running", () =>
    held(async (bench, { lab }) => {
      const id = await pend(bench, "phux_kill", { target: "@1", confirm: true });
      lab.faults.refuse = { LIST_METADATA: { code: 201, message: "no" } };
      expect(await status(bench, id)).toMatchObject({ state: "running", approval: null });
      lab.faults.refuse = {};
      lab.faults.silent = ["LIST_METADATA"];
      const began = performance.now();
      expect(await status(bench, id)).toMatchObject({ state: "running", approval: null });
      expect(performance.now() - began).toBeLessThan(2_600);
    }));
});

describe.concurrent("phux_approve", () => {
  test.each([
    ["an id that nobody asked about", { id: "0".repeat(32), decision: "deny" }, "permission_denied", 2],
    ["an id in capitals", { id: "A".repeat(32), decision: "deny" }, '"id" must be 32 lowercase hex digits', null],
    ["approve without confirm", { id: "a".repeat(32), decision: "approve" }, "confirm: true", null],
    ["approve with a text", { id: "a".repeat(32), decision: "approve", confirm: "true" }, "confirm: true", null],
    ["no decision", { id: "a".repeat(32) }, "confirm: true", null],
  ] as const)("%s is refused", (_, args, says, exit) =>
    held(async (bench) => {
      const text = await bench.failure("phux_approve", args);
      expect(text).toContain(says);
      if (exit !== null) expect(JSON.parse(text)).toMatchObject({ exit_code: exit });
    }),
  );

  test("who may decide need not be allowed to read the record", () =>
    held(async (bench, { lab }) => {
      const id = await pend(bench, "phux_kill", { target: "@1", confirm: true });
      const approval = await onlyApproval(bench);
      lab.faults.refuse = { GET_METADATA: { code: 201, message: "not yours" } };
      await bench.document("phux_approve", { id: approval["id"], decision: "deny" });
      lab.faults.refuse = {};
      expect(await finished(bench, id)).toMatchObject({ state: "failed" });
    }));
});

describe.concurrent("a server without approvals", () => {
  test.each([
    ["0.8", {}],
    ["0.9", { without: ["approvals"] }],
    ["1.0", { without: ["approvals"] }],
  ] as const)("%s is too old for both, before anything is sent", (version, options) =>
    onLab(tools, { version, ...options }, async (bench, { lab }) => {
      lab.faults.silent = ["LIST_METADATA", "GET_METADATA", "SET_METADATA"];
      expect(await bench.code("phux_approvals")).toEqual(["server_too_old", 2]);
      expect(await bench.code("phux_approve", { id: "a".repeat(32), decision: "deny" })).toEqual(["server_too_old", 2]);
    }),
  );

  test("a slow kill is pending too, and is followed without a scan", () =>
    onLab(tools, { version: "0.8" }, async (bench, { lab }) => {
      lab.faults.lateMs = { KILL_RESOURCE: 2_500 };
      const id = await pend(bench, "phux_kill", { target: "@1", confirm: true });
      expect(await status(bench, id)).toMatchObject({ state: "running" });
      expect(lab.server.connections.size).toBe(1);
      expect(await finished(bench, id)).toMatchObject({ state: "succeeded", result: { killed: true } });
    }));
});
