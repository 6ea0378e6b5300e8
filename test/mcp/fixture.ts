/** The engine with tools that do nothing but what a test of the engine needs. Compiled by the tests that drive it. */
import { endWithHost, surviveMistakes } from "../../src/mcp/lifetime.ts";
import { outputTo } from "../../src/mcp/output.ts";
import { type Catalog, Session, type ToolAnswer, type ToolCall } from "../../src/mcp/session.ts";
import { complain } from "../../src/mcp/stderr.ts";
import { StdioTransport } from "../../src/mcp/stdio.ts";
import { unknownTool } from "../../src/text/nearest.ts";

type Tool = (args: Readonly<Record<string, unknown>>, call: ToolCall) => Promise<ToolAnswer>;

const answer = (text: string): ToolAnswer => ({ text, isError: false });

/** Resolves after so many milliseconds, or at once when the call is aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener("abort", () => {
    clearTimeout(timer);
    resolve();
  });
  return promise;
}

const tools: Readonly<Record<string, Tool>> = {
  /** Gives its arguments back. */
  fixture_echo: async (args) => answer(JSON.stringify(args)),
  /** Takes `ms` milliseconds, a minute when it is not told; an abort ends it. Both are told on stderr. */
  fixture_slow: async ({ ms }, call) => {
    complain("begun");
    call.progress("sleeping");
    await pause(typeof ms === "number" ? ms : 60_000, call.signal);
    if (call.signal.aborted) complain("aborted");
    return answer("awake");
  },
  /** Takes no notice of an abort. */
  fixture_stubborn: async ({ ms }) => {
    await Bun.sleep(typeof ms === "number" ? ms : 60_000);
    return answer("done all the same");
  },
  /** Has a mistake in it: an exception in `how` it is told. */
  fixture_broken: async ({ how }) => {
    if (how === "later") {
      setTimeout(() => {
        throw new Error("thrown later");
      });
      void Promise.reject(new Error("rejected and forgotten"));
      return answer("it is coming");
    }
    throw new Error("thrown\nhere");
  },
  /** Refuses. */
  fixture_refuse: async () => ({ text: "no", isError: true }),
  /** A text of `characters`, made of `of`. */
  fixture_big: async ({ characters, of }) =>
    answer((typeof of === "string" ? of : "x").repeat(typeof characters === "number" ? characters : 1)),
  /** Tells who asks. */
  fixture_who: async (_, call) => answer(JSON.stringify(call.host)),
  /** Says `count` statuses, one every `ms`. */
  fixture_chatty: async ({ count, ms }, call) => {
    for (let i = 0; i < Number(count) && !call.signal.aborted; i++) {
      call.progress(`step ${i}\nof ${count}`);
      await pause(Number(ms), call.signal);
    }
    return answer("said");
  },
};

const catalog: Catalog = {
  // As long as a real catalog: what a host leaves unread adds up.
  toolsJson: JSON.stringify(
    Object.keys(tools).map((name) => ({ name, description: "x".repeat(5000), inputSchema: { type: "object" } })),
  ),
  run: async (name, args, call) =>
    (Object.hasOwn(tools, name) ? tools[name]?.(args, call) : undefined) ?? {
      text: unknownTool(name, Object.keys(tools)),
      isError: true,
    },
};

surviveMistakes();
const transport = new StdioTransport(() => Bun.stdin.stream(), outputTo(Bun.stdout, 1));
const session = new Session(transport, {
  name: "fixture",
  version: "0.0.1",
  instructions: "Nothing to know.",
  catalog,
  report: complain,
});
endWithHost(session, transport);
await session.start();
