import { describe, expect, test } from "bun:test";
import { Deadline } from "../../src/phux/deadline.ts";
import { Dialer } from "../../src/phux/dial.ts";
import { ScreenReader } from "../../src/phux/screen-read.ts";
import { type Condition, pollInterval, WaitJudge, waitForScreen } from "../../src/phux/wait.ts";
import { connected, errorIn, never, valueIn, withServer } from "./dialled.ts";
import { errorResult, type FakeServer, requestId, until } from "./fake-server.ts";
import { plainScreen, SmallPhux } from "./small-phux.ts";
import { idOf } from "./snapshot.ts";

describe("the judge of a wait", () => {
  type Reading = readonly [now: number, rows: readonly string[]];
  const cases: [what: string, Condition, Reading[], met: number | null][] = [
    ["a text that is there", { until: "ok" }, [[0, ["it is ok"]]], 0],
    [
      "a text that comes",
      { until: "ok" },
      [
        [0, ["no"]],
        [10, ["ok"]],
      ],
      1,
    ],
    ["never across two lines", { until: "ab" }, [[0, ["a", "b"]]], null],
    ["in its own case only", { until: "OK" }, [[0, ["ok"]]], null],
    ["an empty text, with any line", { until: "" }, [[0, [""]]], 0],
    ["an empty text, without a line", { until: "" }, [[0, []]], null],
    [
      "a still screen needs one whole dwell",
      { idleMs: 100 },
      [
        [0, ["a"]],
        [99, ["a"]],
        [100, ["a"]],
      ],
      2,
    ],
    [
      "a change restarts the clock",
      { idleMs: 100 },
      [
        [0, ["a"]],
        [90, ["b"]],
        [100, ["b"]],
        [190, ["b"]],
      ],
      3,
    ],
    [
      "back to what it was is a change",
      { idleMs: 100 },
      [
        [0, ["a"]],
        [50, ["b"]],
        [60, ["a"]],
        [150, ["a"]],
        [160, ["a"]],
      ],
      4,
    ],
    [
      "a row more is a change",
      { idleMs: 100 },
      [
        [0, ["a"]],
        [50, ["a", ""]],
        [100, ["a", ""]],
        [150, ["a", ""]],
      ],
      3,
    ],
    ["no dwell at all", { idleMs: 0 }, [[0, ["a"]]], 0],
  ];
  test.each(cases)("%s", (_, condition, readings, met) => {
    const judge = new WaitJudge(condition);
    const first = readings.findIndex(([now, rows]) => judge.isMet(rows, now));
    expect(first < 0 ? null : first).toBe(met);
  });

  const intervals: [of: string, Condition, ms: number][] = [
    ["a text", { until: "x" }, 150],
    ["no dwell", { idleMs: 0 }, 25],
    ["a short dwell", { idleMs: 99 }, 25],
    ["a quarter of 200 ms", { idleMs: 200 }, 50],
    ["a quarter of 600 ms", { idleMs: 600 }, 150],
    ["a dwell of years", { idleMs: 9e15 }, 150],
  ];
  test.each(intervals)("the pause for %s", (_, condition, ms) => expect(pollInterval(condition)).toBe(ms));
});

/** A wait for @1 on a server, with as many seconds of limit. */
async function wait(server: FakeServer, condition: Condition, ms: number, signal = never()) {
  const connection = await connected(server, signal);
  const reconnect = () => new Dialer("x").dial(server.socket, signal);
  const screens = new ScreenReader(connection, reconnect);
  const waited = await waitForScreen(screens, idOf("@1"), condition, new Deadline(ms, signal));
  connection.close();
  return waited;
}

const withPhux = (body: (server: FakeServer, phux: SmallPhux) => Promise<void>) => {
  const phux = new SmallPhux();
  return withServer({ script: phux.script }, (server) => body(server, phux));
};
const reads = (server: FakeServer) => server.commands.filter(({ tag }) => tag === "GET_SCREEN").length;

describe("the loop of a wait", () => {
  test("a text that appears", () =>
    withPhux(async (server, phux) => {
      phux.screen = () => ({ ...plainScreen, lines: ["$ ", reads(server) >= 2 ? "done" : ""] });
      expect(valueIn(await wait(server, { until: "done" }, 5_000))).toEqual({ outcome: "met", polls: 2 });
      expect(server.commands.at(-1)).toMatchObject({ request_scrollback: null, cells: false });
    }));

  test("a text across a wrapped row, in history too", () =>
    withPhux(async (server, phux) => {
      const wrapped = { lines: ["ne", "$ "], scrollback: ["it is do"], soft_wrap: { lines: [], scrollback: [0] } };
      phux.screen = () => ({ ...plainScreen, ...wrapped });
      expect(valueIn(await wait(server, { until: "done" }, 5_000))).toEqual({ outcome: "met", polls: 1 });
    }));

  test("a limit that passes is an answer", () =>
    withPhux(async (server) => {
      const began = performance.now();
      const waited = valueIn(await wait(server, { until: "never" }, 200));
      expect(waited).toEqual({ outcome: "timed_out", polls: reads(server) });
      expect(performance.now() - began).toBeWithin(190, 1_000);
    }));

  test("with no time at all it still looks once", () =>
    withPhux(async (server) => {
      expect(valueIn(await wait(server, { until: "$" }, 0))).toEqual({ outcome: "met", polls: 1 });
      expect(valueIn(await wait(server, { until: "never" }, 0))).toEqual({ outcome: "timed_out", polls: 1 });
    }));

  test("without a limit it waits on", () =>
    withPhux(async (server, phux) => {
      phux.screen = () => ({ ...plainScreen, lines: [reads(server) >= 4 ? "done" : ""] });
      expect(valueIn(await wait(server, { until: "done" }, Number.POSITIVE_INFINITY))).toEqual({
        outcome: "met",
        polls: 4,
      });
    }));

  test("a look that the limit cuts off is a limit that passed", () =>
    withPhux(async (server, phux) => {
      phux.override = (frame) =>
        frame.name === "COMMAND" && frame.value.command.tag === "GET_SCREEN" && reads(server) > 1;
      expect(valueIn(await wait(server, { idleMs: 1_000 }, 300))).toEqual({ outcome: "timed_out", polls: 1 });
    }));

  test("a connection that is lost is made once more for each look", () =>
    withPhux(async (server, phux) => {
      phux.override = (frame, client) => {
        const isFirst = frame.name === "COMMAND" && client.number < 2;
        if (isFirst) client.end();
        return isFirst;
      };
      expect(errorIn(await wait(server, { until: "$" }, 5_000)).code).toBe("server_disconnected");
      expect(server.clients).toHaveLength(2);
      expect(valueIn(await wait(server, { until: "$" }, 5_000))).toEqual({ outcome: "met", polls: 1 });
    }));

  test("a server that threw us out is not asked again", () =>
    withPhux(async (server, phux) => {
      phux.override = (_, client) => {
        client.expel("MALFORMED_MESSAGE", "no");
        return true;
      };
      expect(errorIn(await wait(server, { until: "$" }, 5_000)).code).toBe("transport");
      expect(server.clients).toHaveLength(1);
    }));

  test("a pane that goes away", () =>
    withPhux(async (server, phux) => {
      phux.override = (frame, client) => {
        client.send(errorResult(requestId(frame), "TERMINAL_NOT_FOUND", "no terminal @1"));
        return true;
      };
      expect(errorIn(await wait(server, { until: "$" }, 5_000))).toMatchObject({ code: "no_such_target", exitCode: 1 });
    }));

  test("an answer that is no screen", () =>
    withPhux(async (server, phux) => {
      phux.screen = () => ({ schema_version: 3 });
      expect(errorIn(await wait(server, { until: "$" }, 5_000))).toMatchObject({ code: "transport" });
    }));

  test("an abort ends it within 100 ms, whatever it does", () =>
    withPhux(async (server) => {
      const abort = new AbortController();
      const waiting = wait(server, { until: "never" }, Number.POSITIVE_INFINITY, abort.signal);
      await until("it has looked", () => reads(server) > 0);
      await Bun.sleep(10);
      const began = performance.now();
      abort.abort();
      await waiting;
      await until("the connection is closed", () => server.open === 0);
      expect(performance.now() - began).toBeLessThan(100);
    }));
});

test("both tries of a read share its limit", () =>
  withServer({}, async (server) => {
    const phux = new SmallPhux();
    server.script = (frame, client) => (client.number === 0 ? client.end() : phux.override(frame, client));
    const connection = await connected(server);
    let asked = 0;
    const reconnect = async (ms: number) => {
      asked = ms;
      return new Dialer("x").dial(server.socket, never());
    };
    const began = performance.now();
    const read = await new ScreenReader(connection, reconnect).read({ pane: idOf("@1") }, 120);
    expect(errorIn(read)).toMatchObject({ lost: true, ending: null });
    expect(asked).toBeWithin(0, 121);
    expect(performance.now() - began).toBeWithin(100, 1_000);
    connection.close();
  }));
