/** One agent works with another: starts it, prompts it, waits for it, reads its log, answers its question, closes it. */
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SHELL } from "./day.ts";
import { call, expect, say } from "./host.ts";

interface Asked {
  readonly event?: unknown;
  readonly id?: unknown;
}

export async function agents(client: Client): Promise<void> {
  say("\n6. A second agent, started in a shell of its own");
  const created = await call(client, "phux_new", { name: "crew", command: SHELL });
  const pane = `@${created["terminal_id"]}`;
  await call(client, "phux_wait", { target: pane, idle_ms: 300, timeout_secs: 10 });
  const started = await call(client, "phux_agent_start", {
    name: "helper",
    kind: "lab",
    target: pane,
    timeout_secs: 30,
  });
  expect(started["ready"] === true, "it is ready for a prompt");

  say("\n7. A turn, with the transition that ends it");
  const turn = await call(client, "phux_agent_prompt", {
    target: "%helper",
    text: "work 1 counted the files",
    timeout_secs: 20,
  });
  expect(turn["transition_observed"] === true, "its turn was seen to end");
  const screen = await call(client, "phux_snapshot", { target: pane });
  expect(JSON.stringify(screen["lines"]).includes("counted the files"), "and its answer stands on the screen");

  say("\n8. A log beside it");
  const opened = await call(client, "phux_agent_session_open", { target: pane, provider: "demo" });
  const log = String(opened["resource"]);
  await call(client, "phux_agent_emit", {
    target: log,
    type: "notification",
    data: { kind: "note", message: "halfway" },
  });
  const { records } = await call(client, "phux_agent_log", { target: log });
  expect(JSON.stringify(records).includes("halfway"), "the log holds what was appended");
  await call(client, "phux_agent_session_close", { target: log });

  say("\n9. Its question, answered by the exact id");
  const watching = call(client, "phux_watch", { target: pane, timeout_secs: 3 });
  const asking = await call(client, "phux_agent_prompt", {
    target: "%helper",
    text: "ask Ship it? | yes | no",
    timeout_secs: 20,
  });
  expect(asking["transition_observed"] === true, "it stopped to ask");
  const { events } = await watching;
  const asked = Array.isArray(events) ? events.find((item: Asked) => item.event === "asked") : undefined;
  const answered = await call(client, "phux_agent_answer", { target: pane, id: asked?.id, choice: 1 });
  expect(answered["delivered"] === true && answered["answer"] === "yes", "and was told yes");

  say("\n10. The end of it, with consent");
  await call(client, "phux_kill", { target: "crew", confirm: true });
  await call(client, "phux_agent_list");
}
