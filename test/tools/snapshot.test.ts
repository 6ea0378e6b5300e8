import { describe, expect, test } from "bun:test";
import type { Feature } from "../../src/wire/capability.ts";
import type { Command } from "../../src/wire/frame.ts";
import type { ProtocolVersion } from "../../src/wire/version.ts";
import { withServer } from "../phux/dialled.ts";
import { errorResult, type FakeServer, requestId, V08, V10 } from "../phux/fake-server.ts";
import { plainScreen, type ScreenDocument, SmallPhux } from "../phux/small-phux.ts";
import { idOf } from "../phux/snapshot.ts";
import { type Bench, benchOn } from "./calls.ts";

function onPhux(
  body: (bench: Bench, server: FakeServer, phux: SmallPhux) => Promise<void>,
  { version = V10, features = [] }: { version?: ProtocolVersion; features?: readonly Feature[] } = {},
): Promise<void> {
  const phux = new SmallPhux();
  return withServer({ script: phux.script, version, features }, (server) => body(benchOn(server), server, phux));
}

const asked = (server: FakeServer) => server.commands.filter(({ tag }) => tag === "GET_SCREEN");

describe("what a snapshot asks for", () => {
  const cases: [args: object, request: Partial<Extract<Command, { tag: "GET_SCREEN" }>>][] = [
    [{}, { terminal_id: idOf("@1"), request_scrollback: null, cells: false, format: 0 }],
    [{ target: "home" }, { terminal_id: idOf("@3"), request_scrollback: null }],
    [{ scrollback: 0 }, { request_scrollback: 0 }],
    [{ scrollback: 7, tail: 3 }, { request_scrollback: 7 }],
    [{ tail: 4_294_967_295 }, { request_scrollback: 4_294_967_295 }],
    [{ cells: true }, { cells: true, format: 0 }],
    [{ unwrap: true }, { format: 0 }],
    [
      { target: null, cells: false, scrollback: "5" },
      { request_scrollback: 5, cells: false },
    ],
  ];
  test.each(cases)("%j", (args, request) =>
    onPhux(async (bench, server) => {
      await bench.document("phux_snapshot", { ...args });
      expect(asked(server)).toMatchObject([request]);
      expect(server.clients).toHaveLength(1);
    }),
  );

  const formats: [args: object, format: number][] = [
    [{ format: "html" }, 1],
    [{ format: "vt", unwrap: true }, 0x82],
  ];
  test.each(formats)("%j", (args, format) =>
    onPhux(async (bench, server, phux) => {
      phux.screen = () => ({ ...plainScreen, rendered: { format: "html", data: "<pre>" } });
      const document = await bench.document("phux_snapshot", { ...args });
      expect(asked(server)).toMatchObject([{ format }]);
      expect(document).toEqual({
        schema_version: 3,
        pane: 1,
        cols: 20,
        rows: 2,
        cursor: { x: 2, y: 0, visible: true },
        rendered: { format: "html", data: "<pre>" },
      });
    }),
  );

  test("no format byte on 0.8", () =>
    onPhux(
      async (bench, server) => {
        await bench.document("phux_snapshot", { cells: true });
        expect(asked(server)[0]).not.toHaveProperty("format");
      },
      { version: V08 },
    ));
});

test("unwrap comes before tail", () =>
  onPhux(async (bench, _server, phux) => {
    const screen: ScreenDocument = {
      ...plainScreen,
      lines: ["d", "$ "],
      scrollback: ["a", "b", "c"],
      soft_wrap: { lines: [], scrollback: [1, 2] },
    };
    phux.screen = () => screen;
    expect(await bench.document("phux_snapshot", { unwrap: true, tail: 2 })).toMatchObject({
      lines: ["bcd", "$ "],
      scrollback: [],
      soft_wrap: { lines: [], scrollback: [] },
      truncated: true,
      truncated_reason: "row_window",
    });
  }));

test("members that we do not know are passed on", () =>
  onPhux(async (bench, _server, phux) => {
    phux.screen = () => ({ ...plainScreen, schema_version: 4, modes: { alternate: true } });
    expect(await bench.document("phux_snapshot")).toMatchObject({ schema_version: 4, modes: { alternate: true } });
  }));

describe("refusals of a snapshot", () => {
  const early: [args: object, says: string][] = [
    [{ unwrap: true, cells: true }, "unwrap and cells"],
    [{ format: "vt", cells: true }, "format and cells"],
    [{ format: "png" }, "html, vt"],
    [{ tail: -1 }, "0..4294967295"],
    [{ scrollback: 1.5 }, "0..4294967295"],
    [{ target: "" }, "empty"],
  ];
  test.each(early)("%j before anything is opened", (args, says) =>
    onPhux(async (bench, server) => {
      expect(await bench.failure("phux_snapshot", { ...args })).toContain(says);
      expect(server.clients).toHaveLength(0);
    }),
  );

  test("a rendering on 0.8 sends nothing", () =>
    onPhux(
      async (bench, server) => {
        expect(await bench.code("phux_snapshot", { format: "html" })).toEqual(["format_unsupported", 2]);
        expect(server.frames).toEqual([]);
      },
      { version: V08 },
    ));

  const missing: [screen: ScreenDocument, says: string][] = [
    [plainScreen, "too old"],
    [{ ...plainScreen, rendered_error: "no font" }, "no font"],
  ];
  test.each(missing)("a rendering that does not come: %#", (screen, says) =>
    onPhux(async (bench, _server, phux) => {
      phux.screen = () => screen;
      expect(await bench.code("phux_snapshot", { format: "vt" })).toEqual(["format_unsupported", 2]);
      expect(await bench.failure("phux_snapshot", { format: "vt" })).toContain(says);
    }),
  );

  test("the pane closes in between", () =>
    onPhux(async (bench, _server, phux) => {
      phux.override = (frame, client) => {
        const isRead = frame.name === "COMMAND" && frame.value.command.tag === "GET_SCREEN";
        if (isRead) client.send(errorResult(requestId(frame), "TERMINAL_NOT_FOUND", "no terminal @1"));
        return isRead;
      };
      expect(await bench.code("phux_snapshot")).toEqual(["no_such_target", 1]);
    }));

  test("a connection that is lost is made once more, not twice", () =>
    onPhux(async (bench, server, phux) => {
      let most = 1;
      phux.override = (frame, client) => {
        const isLost = frame.name === "COMMAND" && frame.value.command.tag === "GET_SCREEN" && client.number < most;
        if (isLost) client.end();
        return isLost;
      };
      await bench.document("phux_snapshot");
      expect(server.clients).toHaveLength(2);
      most = 99;
      expect(await bench.code("phux_snapshot")).toEqual(["server_disconnected", 1]);
      expect(server.clients).toHaveLength(4);
    }));
});

test("a screen too large for its host loses history from the oldest on, and keeps its wraps in place", () =>
  onPhux(async (bench, _server, phux) => {
    const scrollback = Array.from({ length: 5_000 }, (_, at) => `row ${at} ${"x".repeat(60)}`);
    const soft_wrap = { lines: [0], scrollback: [10, 4_998] };
    phux.screen = () => ({ ...plainScreen, scrollback, soft_wrap });
    const { text } = await bench.call("phux_snapshot", { scrollback: 0 }, { host: "claude-code" });
    expect(text.length).toBeWithin(46_000, 48_001);
    const kept = (JSON.parse(text).scrollback as string[]).length;
    expect(JSON.parse(text)).toMatchObject({
      lines: ["$ ", ""],
      truncated: true,
      truncated_reason: "result_limit",
      truncated_hint: expect.stringContaining("tail"),
      soft_wrap: { lines: [0], scrollback: [kept - 2] },
    });
    expect(text).toContain("row 4999 ");
  }));
