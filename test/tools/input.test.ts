import { describe, expect, test } from "bun:test";
import { formatResource } from "../../src/phux/selector.ts";
import type { ErrorName } from "../../src/wire/error-code.ts";
import { withServer } from "../phux/dialled.ts";
import { errorResult, type FakeServer, requestId, until } from "../phux/fake-server.ts";
import { SmallPhux } from "../phux/small-phux.ts";
import { type Bench, benchOn } from "./calls.ts";

function onPhux(body: (bench: Bench, server: FakeServer, phux: SmallPhux) => Promise<void>): Promise<void> {
  const phux = new SmallPhux();
  return withServer({ script: phux.script }, (server) => body(benchOn(server), server, phux));
}

/** What was typed, an event a word: a paste in quotes, a key by its text or number. */
function typed(server: FakeServer): string[] {
  return server.commands.flatMap((command) => {
    if (command.tag !== "ROUTE_INPUT") return [];
    const { tag, event } = command.event;
    const at = formatResource(command.terminal_id);
    if (tag === "paste") return [`${at} ${JSON.stringify(new TextDecoder().decode(event.data))} ${event.trust}`];
    return tag === "key" ? [`${at} ${event.text ?? event.key}`] : [];
  });
}

describe("send_keys", () => {
  test("text before Enter is one trusted paste, then the key", () =>
    onPhux(async (bench, server) => {
      const document = await bench.document("phux_send_keys", { target: "work", keys: ["make ", "test", "Enter"] });
      expect(document).toEqual({ sent: true, pane: "@1" });
      expect(typed(server)).toEqual(['@1 "make test" 0', "@1 58"]);
    }));

  test.each(["日本", "👍🏽", "aé", "\ud800"])("any string is typed: %j", (key) =>
    onPhux(async (bench, server) => {
      await bench.document("phux_send_keys", { target: "@1", keys: [key, "Enter"] });
      expect(typed(server)).toEqual([`@1 ${JSON.stringify(key.toWellFormed())} 0`, "@1 58"]);
    }),
  );

  test("keys that mean nothing are success with nothing sent", () =>
    onPhux(async (bench, server) => {
      expect(await bench.document("phux_send_keys", { target: "@1", keys: [""] })).toEqual({ sent: true, pane: "@1" });
      expect(typed(server)).toEqual([]);
    }));

  test("each event waits for the answer to the one before, and a refusal stops the rest", () =>
    onPhux(async (bench, server, phux) => {
      phux.override = (frame, client) => {
        const isThird = typed(server).length === 3;
        if (isThird) client.send(errorResult(requestId(frame), "INPUT_LEASE_HELD", "held by 4"));
        return isThird;
      };
      expect(await bench.code("phux_send_keys", { target: "@1", keys: ["abcd"] })).toEqual(["input_lease_held", 2]);
      expect(typed(server)).toEqual(["@1 a", "@1 b", "@1 c"]);
      expect(await bench.failure("phux_send_keys", { target: "@1", keys: ["abcd"] })).toContain("held by 4");
    }));

  test("and says how much of it was acknowledged", () =>
    onPhux(async (bench, server, phux) => {
      phux.override = (frame, client) => {
        if (typed(server).length < 3) return false;
        client.send(errorResult(requestId(frame), "INPUT_NOT_WRITTEN", "exited"));
        return true;
      };
      const text = await bench.failure("phux_send_keys", { target: "@1", keys: ["abcd"] });
      expect(text).toContain("2 of 4 input events were acknowledged");
    }));

  const withdrawn: [record: string, code: string | null][] = [
    ['{"name":"bot","kind":"codex","state":"unknown"}', "agent_withdrawn"],
    ['{"name":"bot","state":"unknown"}', null],
    ['{"name":"bot","kind":"codex","state":"idle"}', null],
    ['{"name":"bot","kind":"BOT","state":"idle"}', "invalid_agent_name"],
  ];
  test.each(withdrawn)("to an agent with the record %s", (record, code) =>
    onPhux(async (bench, server, phux) => {
      phux.set("@2", "phux.agent/v1", record);
      const call = { target: "%bot", keys: ["x"] };
      if (code === null) {
        await bench.document("phux_send_keys", call);
        expect(typed(server)).toEqual(["@2 x"]);
      } else {
        expect(await bench.code("phux_send_keys", call)).toEqual([code, 2]);
        expect(typed(server)).toEqual([]);
      }
    }),
  );

  const early: object[] = [{ target: "@1" }, { target: "@1", keys: [] }, { keys: ["x"] }, { target: "@1", keys: "x" }];
  test.each(early)("%j is refused before anything is opened", (args) =>
    onPhux(async (bench, server) => {
      await bench.failure("phux_send_keys", { ...args });
      expect(server.clients).toHaveLength(0);
    }),
  );

  test("a list as its JSON text is a list", () =>
    onPhux(async (bench, server) => {
      await bench.document("phux_send_keys", { target: "@1", keys: '["C-c"]' });
      expect(typed(server)).toHaveLength(1);
    }));
});

describe("paste", () => {
  const cases: [args: object, event: string][] = [
    [{ text: "a\nb" }, '@1 "a\\nb" 0'],
    [{ text: "" }, '@1 "" 0'],
    [{ text: "x", untrusted: true }, '@1 "x" 1'],
    [{ text: "\ud83d" }, '@1 "\ufffd" 0'],
    [{ text: "\u0000\u001b[201~" }, '@1 "\\u0000\\u001b[201~" 0'],
  ];
  test.each(cases)("%j", (args, event) =>
    onPhux(async (bench, server) => {
      const untrusted = "untrusted" in args;
      expect(await bench.document("phux_paste", { target: "@1", ...args })).toEqual({
        sent: true,
        pane: "@1",
        untrusted,
      });
      expect(typed(server)).toEqual([event]);
    }),
  );

  test("8 MiB at once", () =>
    onPhux(async (bench, server) => {
      const text = "0123456789abcdef".repeat(1 << 19);
      await bench.document("phux_paste", { target: "@1", text });
      expect(typed(server)[0]).toHaveLength(text.length + '@1 "" 0'.length);
    }));

  test("more than a frame holds is refused before it is sent", () =>
    onPhux(async (bench, server) => {
      const text = "x".repeat(1 << 24);
      expect(await bench.code("phux_paste", { target: "@1", text })).toEqual(["input_too_large", 2]);
      expect(typed(server)).toEqual([]);
    }));

  test("an abort in the middle of a large one closes the socket", () =>
    withServer({}, async (server) => {
      const phux = new SmallPhux();
      server.script = (frame, client) => {
        phux.script(frame, client);
        client.pause();
      };
      const abort = new AbortController();
      const call = benchOn(server).call(
        "phux_paste",
        { target: "@1", text: "x".repeat(8 << 20) },
        { signal: abort.signal },
      );
      await until("the state was read", () => server.frames.length > 0);
      await Bun.sleep(20);
      const began = performance.now();
      abort.abort();
      await call;
      expect(performance.now() - began).toBeLessThan(100);
      server.clients[0]?.resume();
      await until("the connection is closed", () => server.open === 0);
    }));

  const refusals: [wire: ErrorName, code: string, exit: number][] = [
    ["UNSAFE_PASTE", "unsafe_paste", 2],
    ["CANONICAL_LIMIT_EXCEEDED", "canonical_limit_exceeded", 2],
    ["INPUT_DELIVERY_UNKNOWN", "delivery_unknown", 1],
    ["INPUT_NOT_WRITTEN", "input_not_written", 1],
    ["WRONG_RESOURCE_KIND", "wrong_resource_kind", 2],
    ["SATELLITE_UNREACHABLE", "partial_view", 3],
    ["UNSUPPORTED_SATELLITE_ROUTE", "satellite_target", 2],
  ];
  test.each(refusals)("the server's %s", (wire, code, exit) =>
    onPhux(async (bench, server, phux) => {
      phux.override = (frame, client) => {
        if (typed(server).length === 0) return false;
        client.send(errorResult(requestId(frame), wire, "because"));
        return true;
      };
      expect(await bench.code("phux_paste", { target: "@1", text: "x" })).toEqual([code, exit]);
    }),
  );

  test("a refusal without a code is a sentence with the server's own words", () =>
    onPhux(async (bench, server, phux) => {
      phux.override = (frame, client) => {
        if (typed(server).length === 0) return false;
        client.send(errorResult(requestId(frame), "RESOURCE_EXHAUSTED", "lane full"));
        return true;
      };
      expect(await bench.failure("phux_paste", { target: "@1", text: "x" })).toBe(
        "typing into @1: resource exhausted: lane full (0 of 1 input events were acknowledged)",
      );
    }));
});
