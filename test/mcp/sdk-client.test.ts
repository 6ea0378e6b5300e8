import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { EmptyResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { Session } from "../../src/mcp/session.ts";
import { catalogOf, said } from "./catalog.ts";
import { type Compiled, compile } from "./compile.ts";

setDefaultTimeout(30_000);

let program: Compiled;
beforeAll(async () => {
  program = await compile("fixture.ts");
});
afterAll(() => program.remove());

/** The two transports for which the same client must find the same server. */
const transports: [name: string, open: () => Promise<Transport>][] = [
  ["stdio", async () => new StdioClientTransport({ command: program.path, stderr: "ignore" })],
  [
    "a pair in memory",
    async () => {
      const [ours, theirs] = InMemoryTransport.createLinkedPair();
      const catalog = catalogOf({
        fixture_echo: (args) => said(JSON.stringify(args)),
        fixture_refuse: () => ({ text: "no", isError: true }),
        fixture_slow: (_, { signal, progress }) => {
          progress("sleeping");
          return new Promise((resolve) => signal.addEventListener("abort", () => resolve(said("aborted"))));
        },
      });
      await new Session(ours, { name: "fixture", version: "0.0.1", instructions: "Nothing to know.", catalog }).start();
      return theirs;
    },
  ],
];

describe.each(transports)("the SDK's client over %s", (_, open) => {
  test("is served", async () => {
    const client = new Client({ name: "sdk", version: "1" });
    await client.connect(await open());
    expect(client.getServerVersion()).toEqual({ name: "fixture", version: "0.0.1" });
    expect(client.getServerCapabilities()).toEqual({ tools: {} });
    expect(client.getInstructions()).toBe("Nothing to know.");
    expect(await client.ping()).toEqual({});
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("fixture_echo");

    const echo = await client.callTool({ name: "fixture_echo", arguments: { a: [1, "é"] } });
    expect(echo).toEqual({ content: [{ type: "text", text: '{"a":[1,"é"]}' }], isError: false });
    expect(await client.callTool({ name: "fixture_refuse" })).toMatchObject({ isError: true });
    await expect(client.request({ method: "resources/list" }, EmptyResultSchema)).rejects.toThrow("resources/list");

    const heard: unknown[] = [];
    const cancel = new AbortController();
    const slow = client.callTool({ name: "fixture_slow" }, undefined, {
      signal: cancel.signal,
      onprogress: (progress) => {
        heard.push(progress);
        cancel.abort();
      },
    });
    await expect(slow).rejects.toThrow();
    expect(heard).toMatchObject([{ progress: 1, message: "sleeping" }]);
    expect(await client.ping()).toEqual({});
    await client.close();
  });
});
