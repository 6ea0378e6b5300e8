/** A call of every tool that passes its checks, so that what comes back is the world's answer and not ours. */
import type { Members } from "../wire/vector.ts";

const KEY = "0123456789abcdef0123456789abcdef";

export interface ToolCall {
  readonly tool: string;
  readonly given: Members;
}

/** The tools that speak to the server themselves. `path` is a file that is there. */
export function callsOverTheSocket(path: string): readonly ToolCall[] {
  const rows: readonly (readonly [tool: string, given: Members])[] = [
    ["phux_ls", {}],
    ["phux_upload", { target: "@1", path }],
    ["phux_snapshot", {}],
    ["phux_snapshot", { target: "@1", scrollback: 0, format: "html" }],
    ["phux_send_keys", { target: "@1", keys: ["x"] }],
    ["phux_paste", { target: "@1", text: "x" }],
    ["phux_wait", { target: "@1", until: "never there", timeout_secs: 1 }],
    ["phux_wait", { target: "@1", idle_ms: 100 }],
    ["phux_kill", { target: "@1", confirm: true }],
    ["phux_kill", { target: "@1", confirm: true, idempotency_key: KEY }],
    ["phux_rm", { target: "@1", confirm: true }],
    ["phux_relaunch", { target: "@1" }],
    ["phux_organize", {}],
    ["phux_organize", { session: "work", pinned: true }],
    ["phux_watch", { target: "work", timeout_secs: 1 }],
    ["phux_ask", { target: "@1", id: "q", question: "why?" }],
    ["phux_spawn", {}],
    ["phux_spawn", { target: "@1", split: "vertical" }],
    ["phux_signal", { target: "@1", signal: "freeze" }],
    ["phux_signal", { target: "@1", signal: "kill", confirm: true }],
    ["phux_tag", { action: "ls", target: "@1" }],
    ["phux_tag", { action: "add", target: "@1", tags: ["x"] }],
    ["phux_rename", { session: "work", new_name: "play" }],
    ["phux_insert_pane", { target: "@1", new_pane: "@2" }],
    ["phux_move_pane", { source: "@1", target: "@2" }],
    ["phux_swap_pane", { first: "@1", second: "@2" }],
    ["phux_agent_set", { target: "@1", name: "x" }],
    ["phux_agent_clear", { target: "@1" }],
    ["phux_mail_send", { to: "@1", body: "x" }],
    ["phux_mail_read", { mailbox: "@1" }],
    ["phux_mail_ack", { mailbox: "@1", ids: [KEY] }],
    ["phux_claim_take", { name: "x" }],
    ["phux_claim_renew", { name: "x", token: KEY }],
    ["phux_claim_release", { name: "x", token: KEY }],
    ["phux_claim_list", {}],
    ["phux_resource_show", { target: "@1" }],
    ["phux_resource_wait", { target: "@1", timeout_secs: 1 }],
    ["phux_resource_methods", { target: "@1" }],
    ["phux_approvals", {}],
    ["phux_approve", { id: KEY, decision: "deny" }],
    ["phux_approve", { id: KEY, decision: "approve", confirm: true }],
    ["phux_detach", { confirm: true }],
  ];
  return rows.map(([tool, given]) => ({ tool, given }));
}

/** The tools that run `phux`, those with a time limit of their own at its least. */
export const callsOverTheCli: readonly ToolCall[] = (
  [
    ["phux_run", { target: "@1", command: "true", timeout_secs: 1 }],
    ["phux_new", { name: "x" }],
    ["phux_launch", { list: true }],
    ["phux_archive", { action: "save" }],
    ["phux_project_inspect", {}],
    ["phux_agent_list", {}],
    ["phux_agent_show", {}],
    ["phux_agent_explain", {}],
    ["phux_agent_wait", { any: true, timeout_secs: 1 }],
    ["phux_agent_send_keys", { target: "@1", keys: ["x"] }],
    ["phux_agent_prompt", { target: "@1", text: "x", timeout_secs: 1 }],
    ["phux_agent_answer", { target: "@1", id: "q", choice: 1 }],
    ["phux_agent_start", { name: "x", kind: "lab", target: "@1", timeout_secs: 1 }],
    ["phux_agent_session_open", { target: "@1", provider: "x" }],
    ["phux_agent_session_close", { target: "@1" }],
    ["phux_agent_emit", { target: "@1", type: "notification" }],
    ["phux_agent_log", { target: "@1" }],
    ["phux_status", {}],
    ["phux_doctor", {}],
    ["phux_whoami", {}],
    ["phux_perf", {}],
    ["phux_perf_trace", { duration_secs: 1 }],
  ] as const
).map(([tool, given]) => ({ tool, given }));
