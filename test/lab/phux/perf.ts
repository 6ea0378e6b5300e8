import { Deadline } from "../../../src/phux/deadline.ts";
import { type JsonMembers, membersOf } from "../../../src/phux/json-object.ts";
import { ok } from "../../../src/wire/result.ts";
import type { Call } from "./call.ts";
import { dialDesktop, readReport } from "./perf-report.ts";
import { flag } from "./slot.ts";
import { json, socket, verb } from "./verb.ts";

/** Both reports together; whoever runs us gives up after 30 s. */
const LIMIT_MS = 20_000;

export const perf = verb({
  name: "perf",
  contract: 1,
  slots: { json, desktop: flag("--desktop"), socket },
  async run(given, call) {
    const deadline = new Deadline(LIMIT_MS, call.signal);
    const connection = await call.connect(given.socket, deadline);
    if (!connection.ok) return connection;
    const report = await readReport(connection.value);
    if (!report.ok) return report;
    const more = given.desktop ? await desktopReport(call, connection.value.server.socket, deadline) : {};
    return ok({ document: { ...report.value, ...more }, text: reportText(report.value) });
  },
});

/** No desktop is an answer too. */
async function desktopReport(call: Call, server: string, deadline: Deadline) {
  const connection = await dialDesktop(call, server, deadline);
  const report = connection.ok ? await readReport(connection.value) : connection;
  return report.ok
    ? { desktop: report.value, desktop_error: null }
    : { desktop: null, desktop_error: report.error.message };
}

function reportText({ role, pid, uptime_ms, metrics }: JsonMembers): string {
  const rows = (Array.isArray(metrics) ? metrics : []).map((metric) => `  ${metricText(membersOf(metric) ?? {})}\n`);
  return `${role} ${pid}, up for ${Math.round(Number(uptime_ms) / 1_000)} s\n${rows.join("")}`;
}

function metricText({ name, unit, value }: JsonMembers): string {
  const spread = membersOf(value);
  if (spread === null) return `${name}: ${value} ${unit}`;
  const { count, sum, min, max } = spread;
  const mean = Number(count) === 0 ? 0 : Math.round(Number(sum) / Number(count));
  return `${name}: ${count} times, ${min} to ${max} ${unit}, ${mean} on average`;
}
