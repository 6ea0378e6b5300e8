/** An agent's day in the terminal: list, run, type, wait, read, watch, end. */
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { call, expect, say } from "./host.ts";

const PROMPT = "demo>";
export const SHELL = ["/usr/bin/env", `PS1=${PROMPT} `, "/bin/bash", "--norc", "--noprofile", "-i"];

export async function day(client: Client): Promise<void> {
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
    command: "echo hello from $0; (exit 3)",
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
