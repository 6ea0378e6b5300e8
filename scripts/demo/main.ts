/**
 * The main job on real input, for a person to watch: starts the lab (a phux server with real shells), and drives the
 * compiled binary through the official SDK client. Leaves no process, and no file outside its temp folder.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { agentConfig } from "../../test/lab/agent/plugin.ts";
import { installPhux } from "../../test/lab/phux/install.ts";
import { startLab } from "../../test/lab/server.ts";
import { agents } from "./agents.ts";
import { day } from "./day.ts";
import { say } from "./host.ts";

const root = join(import.meta.dir, "..", "..");
const binary = join(root, "dist", "phux-mcp");

async function main(): Promise<void> {
  await Bun.$`${process.execPath} ${join(root, "scripts", "build.ts")}`.quiet();
  const folder = mkdtempSync(join(tmpdir(), "phux-mcp-demo-"));
  // Anyone may append to an agent session's log here: with the CLI the one producer is gone as soon as it has opened.
  const options = { session: "main", home: folder, cwd: folder, openLogs: true };
  const lab = await startLab({ socket: join(folder, "phux.sock"), ...options });
  const client = new Client({ name: "phux-mcp-demo", version: "1.0.0" });
  try {
    const bin = await installPhux(join(folder, "bin"));
    mkdirSync(join(folder, ".config", "phux"), { recursive: true });
    writeFileSync(join(folder, ".config", "phux", "config.toml"), agentConfig(bin));
    const path = `${bin}:${process.env["PATH"] ?? ""}`;
    say(`a phux server of the lab listens at ${lab.socket}\n`);
    const environment = { PATH: path, HOME: folder, PHUX_SOCKET: lab.socket, TERM: "xterm-256color" };
    await client.connect(new StdioClientTransport({ command: binary, args: [], env: environment, stderr: "inherit" }));
    await day(client);
    await agents(client);
    say("\nthat was phux-mcp: all of it through the compiled binary, on real shells");
  } finally {
    await client.close();
    await lab.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
