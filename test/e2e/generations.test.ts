/** The newest official client, in each way in which it can begin, on the compiled binary. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { startLab } from "../lab/server.ts";
import { binary } from "./binary.ts";

setDefaultTimeout(30_000);

type Mode = "legacy" | "auto" | { pin: string };

async function connected(mode: Mode, socket: string, name = "newest") {
  const client = new Client({ name, version: "1.0.0" }, { versionNegotiation: { mode } });
  const env = { PATH: "/usr/bin:/bin", HOME: tmpdir(), PHUX_SOCKET: socket };
  await client.connect(new StdioClientTransport({ command: binary, args: [], env, stderr: "ignore" }));
  return client;
}

const modes: [mode: Mode, version: string][] = [
  ["legacy", "2024-11-05"],
  ["auto", "2026-07-28"],
  [{ pin: "2026-07-28" }, "2026-07-28"],
];

describe.each(modes)("the newest client, %j", (mode, version) => {
  test("lists, calls, waits and cancels", async () => {
    const folder = mkdtempSync(join(tmpdir(), "phux-mcp-generation-"));
    const lab = await startLab({
      socket: join(folder, "s"),
      home: folder,
      cwd: folder,
      shell: "/bin/sh",
      session: "main",
    });
    const client = await connected(mode, lab.socket);
    try {
      expect(client.getNegotiatedProtocolVersion()).toBe(version);
      expect(client.getServerVersion()?.name).toBe("phux");
      expect(client.getInstructions()?.length).toBeGreaterThan(100);
      expect((await client.listTools()).tools).toHaveLength(59);

      const listed = await client.callTool({ name: "phux_ls", arguments: {} });
      const [block] = Array.isArray(listed.content) ? listed.content : [];
      const document = block?.type === "text" ? JSON.parse(block.text) : null;
      expect(document).toMatchObject({ schema_version: 3, sessions: [{ name: "main" }] });
      expect(await client.callTool({ name: "phux_lss", arguments: {} })).toMatchObject({ isError: true });

      const heard: unknown[] = [];
      const cancel = new AbortController();
      const wait = client.callTool(
        { name: "phux_wait", arguments: { target: "@1", until: "never appears", timeout_secs: 20 } },
        {
          signal: cancel.signal,
          onprogress: (progress) => {
            heard.push(progress);
            cancel.abort();
          },
        },
      );
      await expect(wait).rejects.toThrow();
      expect(heard).toHaveLength(1);
      expect(await client.callTool({ name: "phux_ls", arguments: {} })).toMatchObject({ isError: false });
    } finally {
      await client.close();
      await lab.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
