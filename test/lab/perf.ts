import type { LabServer } from "./server.ts";

/** GET_PERF: what the lab can say about itself, in the shape of wire.md 17. */
export function performance(server: LabServer): string {
  const use = process.resourceUsage();
  const gauge = (name: string, value: number) => ({ name, unit: "count", kind: "gauge", value });
  return JSON.stringify({
    schema_version: 1,
    role: "server",
    pid: process.pid,
    captured_unix_ms: Date.now(),
    uptime_ms: Date.now() - server.startedAt,
    process: {
      cpu_user_us: use.userCPUTime,
      cpu_system_us: use.systemCPUTime,
      max_rss_bytes: use.maxRSS * 1024,
      voluntary_ctx_switches: use.voluntaryContextSwitches,
      involuntary_ctx_switches: use.involuntaryContextSwitches,
    },
    metrics: [gauge("connections", server.connections.size), gauge("panes", server.panes.size)],
  });
}
