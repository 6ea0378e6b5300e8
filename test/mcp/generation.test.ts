import { describe, expect, test } from "bun:test";
import { type Handshake, type Host, Session } from "../../src/mcp/session.ts";
import { catalogOf, said, type Tool } from "./catalog.ts";
import { serve, Wire } from "./wire.ts";

const PREFIX = "io.modelcontextprotocol/";
const envelope = (special: object = {}) => ({
  [`${PREFIX}protocolVersion`]: "2026-07-28",
  [`${PREFIX}clientCapabilities`]: {},
  [`${PREFIX}clientInfo`]: { name: "codex", version: "9" },
  ...special,
});
const complete = { resultType: "complete", _meta: { [`${PREFIX}serverInfo`]: { name: "test", version: "1" } } };
const kept = { ...complete, ttlMs: 0, cacheScope: "private" };
const text = (value: string) => ({ content: [{ type: "text", text: value }], isError: false });
const unknown = (method: string) => ({ code: -32601, message: `unknown method "${method}"` });

/** Answers with who asked. */
const who: Tool = async (_, { host }) => said(host?.name ?? "nobody");

const initialize = {
  id: "first",
  method: "initialize",
  params: { protocolVersion: "2026-07-28", clientInfo: { name: "old", version: "1" } satisfies Host },
};

describe("the generation of a request", () => {
  const call = (meta?: object) => ({ method: "tools/call", params: { name: "who", ...(meta && { _meta: meta }) } });
  const cases: [rule: string, request: object, answer: object][] = [
    [
      "discover says what is served",
      { method: "server/discover", params: { _meta: envelope() } },
      { result: { supportedVersions: ["2026-07-28"], capabilities: { tools: {} }, instructions: "", ...kept } },
    ],
    ["a list says how long it may be kept", { method: "tools/list", params: { _meta: envelope() } }, { result: kept }],
    ["a result says that it is complete", call(envelope()), { result: { ...text("codex"), ...complete } }],
    [
      "the host need not name itself",
      call(envelope({ [`${PREFIX}clientInfo`]: undefined })),
      { result: text("nobody") },
    ],
    [
      "unusable arguments too",
      { method: "tools/call", params: { name: "who", arguments: [], _meta: envelope() } },
      { result: { isError: true, ...complete } },
    ],
    ["ping is gone", { method: "ping", params: { _meta: envelope() } }, { error: unknown("ping") }],
    [
      "another version is named, and ours",
      call(envelope({ [`${PREFIX}protocolVersion`]: "2027-01-01" })),
      { error: { code: -32022, data: { supported: ["2026-07-28"], requested: "2027-01-01" } } },
    ],
    ["a version is a text", call(envelope({ [`${PREFIX}protocolVersion`]: 7 })), { error: { code: -32022 } }],
    [
      "capabilities are needed",
      call(envelope({ [`${PREFIX}clientCapabilities`]: undefined })),
      { error: { code: -32602, data: { envelope: { key: `${PREFIX}clientCapabilities`, problem: "missing" } } } },
    ],
    ["and an object", call(envelope({ [`${PREFIX}clientCapabilities`]: [] })), { error: { code: -32602 } }],
    ["without an envelope nothing is new", call({ progressToken: 1 }), { result: text("nobody") }],
    [
      "nor with an empty one",
      { method: "server/discover", params: { _meta: {} } },
      { error: unknown("server/discover") },
    ],
  ];
  test.each(cases)("%s", async (_, request, answer) => {
    const { wire } = await serve({ who });
    wire.hear({ id: 1, ...request });
    await Bun.sleep(0);
    expect(wire.messages).toMatchObject([{ id: 1, ...answer }]);
  });

  test("a result of the first generation carries nothing of the second", async () => {
    const { wire } = await serve({ who });
    wire.hear({ id: 1, ...call() });
    wire.hear({ id: 2, method: "tools/list" });
    wire.hear({ id: 3, method: "ping" });
    await Bun.sleep(0);
    const byId = new Map(wire.lines.map((line) => [JSON.parse(line).id, JSON.parse(line).result]));
    expect(byId.get(1)).toEqual(text("nobody"));
    expect(Object.keys(byId.get(2))).toEqual(["tools"]);
    expect(byId.get(3)).toEqual({});
  });

  test("after initialize an envelope changes nothing", async () => {
    const { wire } = await serve({ who });
    wire.hear(initialize);
    wire.hear({ id: 1, ...call(envelope()) });
    wire.hear({ id: 2, method: "server/discover", params: { _meta: envelope() } });
    wire.hear({ id: 3, method: "ping", params: { _meta: envelope() } });
    await Bun.sleep(0);
    const byId = new Map(wire.lines.map((line) => [JSON.parse(line).id, JSON.parse(line)]));
    expect(byId.get("first").result.protocolVersion).toBe("2024-11-05");
    expect(byId.get(1).result).toEqual(text("old"));
    expect(byId.get(2).error).toEqual(unknown("server/discover"));
    expect(byId.get(3).result).toEqual({});
  });

  test("a host that discovers and then greets is served as it greeted", async () => {
    const { wire } = await serve({ who });
    wire.hear({ id: 0, method: "server/discover", params: { _meta: envelope() } });
    wire.hear(initialize);
    wire.hear({ id: 1, ...call() });
    await Bun.sleep(0);
    expect(wire.messages.at(-1)).toEqual({ jsonrpc: "2.0", id: 1, result: text("old") });
  });
});

describe("a server with a handshake of its own", () => {
  const greetedWith = async (handshake: Handshake, asked: unknown) => {
    const wire = new Wire();
    await new Session(wire, { name: "n", version: "v", instructions: "i", catalog: catalogOf({}), handshake }).start();
    wire.hear({ id: 1, method: "initialize", params: { protocolVersion: asked } });
    return JSON.parse(wire.lines[0] ?? "").result;
  };

  test.each([
    ["2025-06-18", "2025-06-18"],
    ["2025-11-25", "2025-11-25"],
    ["2030-01-01", "2025-11-25"],
    [7, "2025-11-25"],
    [undefined, "2025-11-25"],
  ])("asked for %p it agrees on %p", async (asked, agreed) => {
    expect((await greetedWith({ revisions: ["2025-11-25", "2025-06-18"] }, asked)).protocolVersion).toBe(agreed);
  });

  test("it says that its list can change", async () => {
    expect((await greetedWith({ tools: { listChanged: true } }, "x")).capabilities).toEqual({
      tools: { listChanged: true },
    });
  });

  test("alone, it knows no envelope", async () => {
    const wire = new Wire();
    await new Session(wire, {
      name: "n",
      version: "v",
      instructions: "i",
      catalog: catalogOf({}),
      handshake: { alone: true },
    }).start();
    wire.hear({ id: 1, method: "tools/list", params: { _meta: envelope() } });
    wire.hear({ id: 2, method: "server/discover", params: { _meta: envelope() } });
    expect(wire.lines.map((line) => JSON.parse(line))).toMatchObject([
      { id: 1, result: { tools: [] } },
      { id: 2, error: unknown("server/discover") },
    ]);
  });
});
