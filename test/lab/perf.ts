import type { Metric } from "./meter.ts";
import type { LabServer } from "./server.ts";

/** GET_PERF: what the lab has counted, and how much of everything there is now (wire.md 17). `reset` follows the reading. */
export function performanceReport(server: LabServer, reset: boolean): string {
  const use = process.resourceUsage();
  const now = Date.now();
  const report = {
    ...{ schema_version: 1, role: "server", pid: process.pid },
    captured_unix_ms: now,
    uptime_ms: now - server.startedAt,
    process: {
      cpu_user_us: use.userCPUTime,
      cpu_system_us: use.systemCPUTime,
      max_rss_bytes: use.maxRSS * 1024,
      voluntary_ctx_switches: use.voluntaryContextSwitches,
      involuntary_ctx_switches: use.involuntaryContextSwitches,
    },
    metrics: [...gauges(server), ...server.meter.metrics],
  };
  if (reset) server.meter.reset();
  return JSON.stringify(report);
}

function gauges({ connections, panes, agents, store }: LabServer): Metric[] {
  const gauge = (name: string, value: number): Metric => ({ name, unit: "count", kind: "gauge", value });
  return [
    gauge("connections", connections.size),
    gauge("sessions", store.sessions.length),
    gauge("panes", panes.size),
    gauge("agent_sessions", agents.size),
  ];
}
