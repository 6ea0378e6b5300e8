/**
 * The main job on real input, for a person to watch: starts the lab (a phux server with real shells), and drives the
 * compiled binary through the official SDK client. Leaves no process, and no file outside its temp folder.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { installPhux } from "../test/lab/phux/install.ts";
import { startLab } from "../test/lab/server.ts";

const root = join(import.meta.dir, "..");
const binary = join(root, "dist", "phux-mcp");

const PROMPT = "demo>";
const SHELL = ["/usr/bin/env", `PS1=${PROMPT} `, "/bin/bash", "--norc", "--noprofile", "-i"];

type Arguments = Readonly<Record<string, unknown>>;
type Document = Readonly<Record<string, unknown>>;

function say(text: string): void {
  console.log(text);
}

/** One tool call as a host makes it; a failed one ends the demo. */
async function call(client: Client, name: string, given: Arguments = {}): Promise<Document> {
  say(`\n→ ${name} ${JSON.stringify(given)}`);
  const result = await client.callTool({ name, arguments: { ...given } });
  const [block] = Array.isArray(result.content) ? result.content : [];
  const text: unknown = block?.text;
  if (typeof text !== "string" || result.isError) throw new Error(`${name} failed: ${JSON.stringify(result)}`);
  const document: Document = JSON.parse(text);
  say(`← ${shortened(document)}`);
  return document;
}

function shortened(document: Document): string {
  const line = JSON.stringify(document);
  return line.length <= 300 ? line : `${line.slice(0, 300)}… (${line.length} characters)`;
}

function expect(holds: boolean, what: string): void {
  if (!holds) throw new Error(`it did not: ${what}`);
  say(`  ✓ ${what}`);
}

async function story(client: Client): Promise<void> {
  say("1. What is there?");
  const { tools } = await client.listTools();
  expect(tools.length > 0, `${tools.length} tools are offered`);
  await call(client, "phux_status");

  say("\n2. A session of its own, and a command with its exit code and output");
  const created = await call(client, "phux_new", { name: "demo", command: SHELL });
  const pane = `@${created["terminal_id"]}`;
  await call(client, "phux_wait", { target: pane, until: PROMPT, timeout_secs: 10 });
  const ran = await call(client, "phux_run", {
    target: pane,
    command: "echo hello from $0; exit_with() { return 3; }; exit_with",
    timeout_secs: 20,
  });
  expect(ran["exit_code"] === 3, "the command's own exit code came back");
  expect(String(ran["output"]).includes("hello from"), "and what it printed");

  say("\n3. Typing into a program, and waiting for its text");
  // Put together by the shell, so that what is waited for is not already in the echo of what was typed.
  const asks = "printf 'your %s? ' name; read -r name; echo \"welcome, $name\"";
  await call(client, "phux_send_keys", { target: pane, keys: [asks, "Enter"] });
  await call(client, "phux_wait", { target: pane, until: "your name?", timeout_secs: 10 });
  await call(client, "phux_paste", { target: pane, text: "Ada" });
  await call(client, "phux_send_keys", { target: pane, keys: ["Enter"] });
  const waited = await call(client, "phux_wait", { target: pane, until: "welcome, Ada", timeout_secs: 10 });
  expect(waited["outcome"] === "met", "the program answered what was typed");
  const screen = await call(client, "phux_snapshot", { target: pane });
  const lines = screen["lines"];
  expect(Array.isArray(lines) && lines.includes("welcome, Ada"), "and the screen shows it");

  say("\n4. Watching: what happens in the next two seconds");
  const watching = call(client, "phux_watch", { target: pane, timeout_secs: 2 });
  await call(client, "phux_send_keys", { target: pane, keys: ["sleep 0.3; printf '\\a'", "Enter"] });
  const { events } = await watching;
  expect(
    Array.isArray(events) && events.some((item: { event?: unknown }) => item.event === "bell"),
    "the bell was heard",
  );

  say("\n5. The end, with consent");
  await call(client, "phux_kill", { target: "demo", confirm: true });
  expect(await isGone(client, "demo"), "the session is gone");
}

/** A killed pane may stay in sight for a moment. */
async function isGone(client: Client, session: string): Promise<boolean> {
  for (let tries = 0; tries < 50; tries += 1) {
    const listed = await call(client, "phux_ls");
    const sessions = listed["sessions"];
    if (Array.isArray(sessions) && !sessions.some((row: { name?: unknown }) => row.name === session)) return true;
    await Bun.sleep(20);
  }
  return false;
}

async function main(): Promise<void> {
  if (!existsSync(binary)) await Bun.$`${process.execPath} ${join(root, "scripts", "build.ts")}`.quiet();
  const folder = mkdtempSync(join(tmpdir(), "phux-mcp-demo-"));
  const lab = await startLab({ socket: join(folder, "phux.sock"), session: "main", home: folder, cwd: folder });
  const client = new Client({ name: "phux-mcp-demo", version: "1.0.0" });
  try {
    const path = `${await installPhux(join(folder, "bin"))}:${process.env["PATH"] ?? ""}`;
    say(`a phux server of the lab listens at ${lab.socket}\n`);
    const environment = { PATH: path, HOME: folder, PHUX_SOCKET: lab.socket, TERM: "xterm-256color" };
    await client.connect(new StdioClientTransport({ command: binary, args: [], env: environment, stderr: "inherit" }));
    await story(client);
    say("\nthat was phux-mcp: all of it through the compiled binary, on real shells");
  } finally {
    await client.close();
    await lab.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
