/** What a host says in the wrong order, twice, or to nobody; each message on its line, and all the replies in any order. */
import type { Reply } from "./k-oracle.ts";

export type LifeRow = readonly [why: string, says: readonly object[], replies: readonly Reply[]];

const initialize = (id: unknown) => ({
  jsonrpc: "2.0",
  id,
  method: "initialize",
  params: { protocolVersion: "2025-06-18" },
});
const call = (id: unknown) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "phux_ls", arguments: {} },
});
const ok = (id: unknown): Reply => ({ id, is: "result" });
const unknown = (id: unknown): Reply => ({ id, is: -32601 });
/** There is no server in this test, so a call that runs is one that says so. */
const ran = (id: unknown): Reply => ({ id, is: "refused" });
const initialized = { jsonrpc: "2.0", method: "notifications/initialized" };

export const life: readonly LifeRow[] = [
  ["a call before initialize runs", [call(1), initialize(2)], [ran(1), ok(2)]],
  ["a list before initialize is answered", [{ id: 1, method: "tools/list" }, initialize(2)], [ok(1), ok(2)]],
  ["a call between initialize and initialized runs", [initialize(1), call(2), initialized], [ok(1), ran(2)]],
  ["initialize twice is answered twice", [initialize(1), initialized, initialize(2), call(3)], [ok(1), ok(2), ran(3)]],
  ["initialize twice with one id", [initialize(0), initialize(0)], [ok(0), ok(0)]],
  ["initialized twice, and before initialize", [initialized, initialize(1), initialized, initialized], [ok(1)]],
  ["no initialize at all", [call("a"), call("b")], [ran("a"), ran("b")]],
  [
    "shutdown and exit are other protocols' words",
    [{ id: 1, method: "shutdown" }, { method: "exit" }, call(2)],
    [unknown(1), ran(2)],
  ],
  [
    "server/discover first, as hosts of today",
    [{ id: 0, method: "server/discover" }, initialize(1)],
    [unknown(0), ok(1)],
  ],
  [
    "a notification with an id is a request that nobody knows",
    [
      { id: 1, method: "notifications/initialized" },
      { id: 2, method: "notifications/cancelled", params: { requestId: 3 } },
      call(3),
    ],
    [unknown(1), unknown(2), ran(3)],
  ],
  [
    "a request without an id is silence",
    [{ method: "ping" }, { method: "tools/list" }, { method: "initialize" }, call(undefined)],
    [],
  ],
  [
    "answers to questions that we never asked",
    [
      { id: 1, result: {} },
      { id: 2, error: { code: -1, message: "" } },
      { id: "host-1", result: { roots: [] } },
    ],
    [],
  ],
  ["an answer that has a method too is a request", [{ id: 1, method: "ping", result: {} }], [ok(1)]],
  [
    "cancel of initialize, ping and list changes nothing",
    [initialize(1), { id: 2, method: "ping" }, ...[1, 2, 3].map(cancel), { id: 3, method: "tools/list" }],
    [ok(1), ok(2), ok(3)],
  ],
  ["a cancel before its call does not wait for it", [cancel(9), call(9)], [ran(9)]],
  [
    "a cancel of a call that has the other type of id",
    [call("5"), cancel(5), call(6), cancel("6")],
    [ran("5"), ran(6)],
  ],
];

function cancel(requestId: unknown): object {
  return { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } };
}
