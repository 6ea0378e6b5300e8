/** Every argument that is a number, its bounds by tools.json, and what a host may send for one. */
import type { Members } from "../wire/vector.ts";

export interface NumberArgument {
  readonly tool: string;
  readonly given: Members;
  readonly name: string;
  readonly least: number;
  /** Infinity: no bound but what JSON carries exactly. */
  readonly most: number;
}

const KEY = "0123456789abcdef0123456789abcdef";
const U32 = 4_294_967_295;
const OPEN = Number.POSITIVE_INFINITY;

const rows: readonly (readonly [tool: string, given: Members, name: string, least: number, most: number])[] = [
  ["phux_snapshot", {}, "scrollback", 0, U32],
  ["phux_snapshot", {}, "tail", 0, U32],
  ["phux_run", { target: "@1", command: "true" }, "timeout_secs", 1, 3600],
  ["phux_wait", {}, "idle_ms", 0, OPEN],
  ["phux_wait", {}, "timeout_secs", 0, OPEN],
  ["phux_organize", { session: "work" }, "position", 0, 65_535],
  ["phux_watch", {}, "max_events", 0, OPEN],
  ["phux_watch", {}, "timeout_secs", 0, OPEN],
  ["phux_ask", { target: "@1", id: "q", question: "why?" }, "elapsed_seconds", 0, OPEN],
  ["phux_spawn", {}, "retain_secs", 0, 86_400],
  ["phux_plugin_action", { plugin_id: "none", action_id: "none" }, "timeout_secs", 0, OPEN],
  ["phux_agent_wait", { any: true }, "timeout_secs", 1, 3600],
  ["phux_agent_prompt", { target: "@1", text: "x" }, "timeout_secs", 1, 3600],
  ["phux_agent_answer", { target: "@1", id: "q" }, "choice", 1, OPEN],
  ["phux_agent_start", { name: "x", kind: "lab", target: "@1" }, "timeout_secs", 1, 3600],
  ["phux_agent_log", { target: "@1" }, "tail", 1, 10_000],
  ["phux_mail_send", { to: "@1", body: "x" }, "ttl_secs", 1, 604_800],
  ["phux_mail_read", { mailbox: "@1" }, "after", 0, OPEN],
  ["phux_mail_read", { mailbox: "@1" }, "limit", 1, 64],
  ["phux_claim_take", { name: "x" }, "ttl_secs", 1, 86_400],
  ["phux_claim_renew", { name: "x", token: KEY }, "ttl_secs", 1, 86_400],
  ["phux_perf_trace", {}, "duration_secs", 1, 60],
  ["phux_resource_wait", { target: "@1" }, "timeout_secs", 1, 3600],
];

export const numberArguments: readonly NumberArgument[] = rows.map(([tool, given, name, least, most]) => ({
  ...{ tool, given, name, least, most },
}));

/** JSON texts, as a host may write them. 2,147,484 s are one more than 2^31-1 ms: a timer of so many fires at once. */
export const written: readonly string[] = [
  ...["0", "-0", "1", "-1", "1.5", "1.0", "30", "1e9", "1e3", "1e400", "-1e400"],
  ...["2147484", "2147483648", "4294967295", "4294967296", "9007199254740991", "9007199254740993", "1e308"],
  ...['"30"', '"0"', '"-1"', '"1.5"', '" 30 "', '"NaN"', '"Infinity"', '""', '"1e400"', '"0x10"', '"30s"', '"null"'],
  ...["true", "[30]", '{"s":30}', '"[30]"', '"true"'],
];

/** Whether a number written so is taken: whole, exact and within its bounds, also as its JSON text in a string. */
export function isTaken(text: string, { least, most }: NumberArgument): boolean {
  const value = numberIn(JSON.parse(text));
  return value !== null && Number.isSafeInteger(value) && value >= least && value <= most;
}

function numberIn(value: unknown): number | null {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return null;
  try {
    const inside: unknown = JSON.parse(value);
    return typeof inside === "number" ? inside : null;
  } catch {
    return null;
  }
}
