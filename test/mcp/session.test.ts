import { describe, expect, test } from "bun:test";
import { Session } from "../../src/mcp/session.ts";
import { catalogOf, said, type Tool } from "./catalog.ts";
import { serve, Wire } from "./wire.ts";

/** A call that ends when the test says so, whatever becomes of its signal. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const tool: Tool = async (_, call) => {
    begun.push(call.signal);
    await promise;
    return said("open");
  };
  const begun: AbortSignal[] = [];
  return { tool, begun, open: resolve };
}

/** Lets everything happen that waits for nothing. */
const settle = () => Bun.sleep(0);

const textResult = (id: unknown, text: string) => ({
  id,
  result: { content: [{ type: "text", text }], isError: false },
});

describe("a session", () => {
  test("puts the catalog's JSON out as it stands, on one line", async () => {
    const wire = new Wire();
    const toolsJson = '[\n {"name":"a\u2028", "x":1e2}]';
    const catalog = { ...catalogOf({}), toolsJson };
    await new Session(wire, { name: "n", version: "v", instructions: "i", catalog }).start();
    wire.hear({ id: 1, method: "tools/list" });
    expect(wire.lines).toEqual(['{"jsonrpc":"2.0","id":1,"result":{"tools":[  {"name":"a\\u2028", "x":1e2}]}}']);
  });

  test("starts a call after the messages that came with it", async () => {
    const { tool, begun } = gate();
    const { wire } = await serve({ tool });
    wire.call(1, "tool");
    wire.cancel(1);
    wire.call(2, "tool");
    await settle();
    expect(begun.length).toBe(1);
  });

  test("aborts the cancelled call and no other", async () => {
    const { tool, begun, open } = gate();
    const { wire } = await serve({ tool });
    for (const id of [0, "0", "", 1]) wire.call(id, "tool");
    await settle();
    wire.cancel(0);
    wire.cancel("");
    expect(begun.map(({ aborted }) => aborted)).toEqual([true, false, true, false]);
    open();
    await settle();
    expect(wire.messages).toMatchObject([textResult("0", "open"), textResult(1, "open")]);
  });

  test("a late result of a cancelled call neither leaves nor frees the next call of its id", async () => {
    const first = gate();
    const second = gate();
    const { wire } = await serve({ first: first.tool, second: second.tool });
    wire.call(1, "first");
    await settle();
    wire.cancel(1);
    wire.call(1, "second");
    first.open();
    await settle();
    expect(wire.lines).toEqual([]);
    wire.call(1, "second");
    expect(wire.messages).toMatchObject([{ id: null, error: { code: -32600, message: expect.stringContaining("1") } }]);
    second.open();
    await settle();
    expect(wire.messages).toMatchObject([{ id: null }, textResult(1, "open")]);
  });

  test("an id of a call is refused to any other request while it runs", async () => {
    const { wire } = await serve({ tool: gate().tool });
    wire.call("x", "tool");
    wire.hear({ id: "x", method: "ping" });
    expect(wire.messages).toMatchObject([
      { id: null, error: { code: -32600, message: expect.stringContaining('"x"') } },
    ]);
  });

  test.each([
    ["throws", () => Promise.reject(new Error("oh\u001b s3cret"))],
    ["throws at once", () => Promise.resolve().then(() => JSON.parse('{"s3cret'))],
    ["throws what is no error", () => Promise.reject("s3cret")],
    ["throws what has no text", () => Promise.reject(Object.create(null))],
    ["throws what throws", () => Promise.reject(new Proxy({}, { getPrototypeOf: () => JSON.parse("{") }))],
  ])("a tool that %s is an answer, and a report without its words", async (_, tool) => {
    const { wire, reports } = await serve({ tool });
    wire.call(1, "tool");
    await settle();
    expect(wire.messages).toMatchObject([{ id: 1, result: { isError: true, content: [{ type: "text" }] } }]);
    expect(reports).toHaveLength(1);
    expect(reports[0]).toMatch(
      /^tool: (\w+ at \S+:\d+:\d+$|\w+ at no known place$|something of type \w+ |an exception )/,
    );
    expect(reports.join()).not.toContain("s3cret");
    expect(wire.lines.join()).not.toContain("\u001b");
  });

  test("a result that cannot be written is -32603", async () => {
    // A mistake that types do not let through.
    const { wire } = await serve({ tool: () => ({ text: 5, isError: false }) as unknown as ReturnType<typeof said> });
    wire.call(1, "tool");
    await settle();
    expect(wire.messages).toMatchObject([{ id: 1, error: { code: -32603 } }]);
  });

  test("the host of a call is the one of the last initialize", async () => {
    const { wire } = await serve({ who: (_, call) => said(JSON.stringify(call.host)) });
    wire.call(1, "who");
    await settle();
    wire.hear({ id: 2, method: "initialize", params: { clientInfo: { name: "h", version: 3 } } });
    wire.call(3, "who");
    await settle();
    expect(wire.messages).toMatchObject([textResult(1, "null"), { id: 2 }, textResult(3, '{"name":"h","version":""}')]);
  });
});

describe("the end of a session", () => {
  test("aborts every call, sends nothing for it, and waits for its work", async () => {
    const { wire, session } = await serve({
      tool: (_, call) => new Promise((resolve) => call.signal.addEventListener("abort", () => resolve(said("late")))),
    });
    wire.call(1, "tool");
    wire.call(2, "tool");
    await settle();
    const since = performance.now();
    await session.close();
    expect(performance.now() - since).toBeLessThan(30);
    expect(wire.lines).toEqual([]);
  });

  test("does not wait for longer than 40 ms", async () => {
    const { wire, session } = await serve({ tool: gate().tool });
    wire.call(1, "tool");
    await settle();
    const since = performance.now();
    await session.close();
    expect(performance.now() - since).toBeGreaterThan(35);
    expect(performance.now() - since).toBeLessThan(200);
  });

  test("starts no call that comes later, but answers what needs no work", async () => {
    const { tool, begun } = gate();
    const { wire } = await serve({ tool });
    await wire.close();
    wire.call(1, "tool");
    wire.hear({ id: 2, method: "ping" });
    await settle();
    expect(begun).toEqual([]);
    expect(wire.messages).toMatchObject([{ id: 2, result: {} }]);
  });
});

describe("statuses", () => {
  const tokens: [token: unknown, count: number][] = [
    [0, 1],
    ["", 1],
    ["t", 1],
    [undefined, 0],
    [null, 0],
    [{}, 0],
    [true, 0],
  ];
  test.each(tokens)("with the token %p: %d", async (token, count) => {
    const { wire } = await serve({
      tool: (_, call) => {
        call.progress("a\nb");
        return said("done");
      },
    });
    wire.call(1, "tool", {}, token);
    await settle();
    const notes = [{ method: "notifications/progress", params: { progressToken: token, progress: 1, message: "a b" } }];
    expect(wire.messages).toMatchObject([...notes.slice(0, count), textResult(1, "done")]);
  });

  test("none after the reply, and none after a cancel", async () => {
    const calls: ((message: string) => void)[] = [];
    const { wire } = await serve({
      tool: (_, call) => {
        calls.push(call.progress);
        return said("done");
      },
      held: async (_, call) => {
        calls.push(call.progress);
        return gate().tool({}, call);
      },
    });
    wire.call(1, "tool", {}, 1);
    wire.call(2, "held", {}, 2);
    await settle();
    wire.cancel(2);
    for (const say of calls) say("too late");
    await settle();
    expect(wire.messages).toMatchObject([textResult(1, "done")]);
  });

  test("none to a host that does not read", async () => {
    const { wire } = await serve({
      tool: (_, call) => {
        call.progress("a");
        return said("done");
      },
    });
    wire.congested = true;
    wire.call(1, "tool", {}, 1);
    await settle();
    expect(wire.messages).toMatchObject([textResult(1, "done")]);
  });
});
