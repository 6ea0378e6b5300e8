import { describe, expect, test } from "bun:test";
import { Dialer } from "../../src/phux/dial.ts";
import { UnsettledKeys } from "../../src/phux/unsettled-keys.ts";
import { Bench } from "../tools/calls.ts";
import { never, valueIn, withServer } from "./dialled.ts";
import { type FakeServer, jsonResult, okResult, requestId } from "./fake-server.ts";

const first = { socket: "/a", id: "01" };
const next = { socket: "/a", id: "02" };
const KEY = "0123456789abcdef".repeat(2);

describe("a key whose outcome is not known", () => {
  test("belongs to the process that got it, at its socket", () => {
    const keys = new UnsettledKeys();
    expect(keys.isOfAnother(KEY, next)).toBe(false);
    keys.keep(KEY, first);
    expect([first, next, { socket: "/b", id: "02" }].map((server) => keys.isOfAnother(KEY, server))).toEqual([
      false,
      true,
      false,
    ]);
    keys.settle(KEY);
    expect(keys.isOfAnother(KEY, next)).toBe(false);
  });

  test("is remembered as long as a server does", () => {
    let now = 0;
    const keys = new UnsettledKeys(() => now);
    keys.keep(KEY, first);
    now = 599_999;
    expect(keys.isOfAnother(KEY, next)).toBe(true);
    now = 600_000;
    expect(keys.isOfAnother(KEY, next)).toBe(false);
  });

  test("has one place of 1,024", () => {
    const keys = new UnsettledKeys();
    keys.keep(KEY, first);
    for (let other = 0; other < 1_023; other += 1) keys.keep(String(other), first);
    expect(keys.isOfAnother(KEY, next)).toBe(true);
    keys.keep("one more", first);
    expect(keys.isOfAnother(KEY, next)).toBe(false);
  });
});

/** Kills @1 with a key; the server is what `act` makes of it. */
async function killOn(server: FakeServer, bench: Bench): Promise<string> {
  const { text } = await bench.call("phux_kill", { target: "@1", idempotency_key: KEY, confirm: true });
  return `${text}, kills: ${server.commands.length}`;
}

test("a repeat on another process at the same socket sends nothing and says why; a fresh key is served", () =>
  withServer({ features: ["keyed_signal"] }, async (server) => {
    const bench = new Bench(server.socket);
    let id = 1;
    server.hello = (_, client) => client.send(server.helloOk({ server_id: new Uint8Array(16).fill(id) }));
    // It reads the kill and throws us out: what became of it is not known.
    server.script = (_, client) => client.expel("INTERNAL_ERROR", "restarting");
    expect(await killOn(server, bench)).toMatch(/repeat it with the same idempotency_key.*kills: 1$/s);
    id = 2;
    server.script = (frame, client) => client.send(okResult(requestId(frame)));
    expect(await killOn(server, bench)).toMatch(/idempotency_conflict.*nothing was sent.*fresh key.*kills: 1$/s);
    id = 1;
    expect(await killOn(server, bench)).toMatch(/"killed": true.*kills: 2$/s);
    // Now its outcome is known, and whoever repeats it all the same knows what happened.
    id = 3;
    expect(await killOn(server, bench)).toMatch(/"killed": true.*kills: 3$/s);
  }));

test("a server without an id cannot be told from its successor, so nothing goes out a second time", () =>
  withServer({ features: ["keyed_signal"] }, async (server) => {
    server.hello = (_, client) => client.send(server.helloOk({ server_id: new Uint8Array() }));
    server.script = (_, client) => client.end();
    await new Bench(server.socket).call("phux_signal", {
      ...{ target: "@1", signal: "interrupt", confirm: true, idempotency_key: KEY },
    });
    expect(server.commands).toHaveLength(1);
  }));

test("connections of one dialer share what is unsettled", () =>
  withServer({ script: (frame, client) => client.send(jsonResult(requestId(frame), {})) }, async (server) => {
    const dialer = new Dialer("phux-mcp/test");
    const one = valueIn(await dialer.dial(server.socket, never()));
    const other = valueIn(await dialer.dial(server.socket, never()));
    expect(one.unsettled).toBe(other.unsettled);
    one.close();
    other.close();
  }));
