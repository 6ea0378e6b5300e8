import { dirname, join } from "node:path";
import type { Connection } from "../../../src/phux/connection.ts";
import type { Deadline } from "../../../src/phux/deadline.ts";
import { refuse } from "../../../src/phux/errors.ts";
import { type JsonMembers, parseJsonObject } from "../../../src/phux/json-object.ts";
import { requireFeature } from "../../../src/phux/target.ts";
import { fail, ok, type Result } from "../../../src/wire/result.ts";
import type { Call } from "./call.ts";
import type { CliRefusal } from "./refusal.ts";

/** What a server says about its own performance. Nothing is reset. */
export async function readReport(connection: Connection, ms?: number): Promise<Result<JsonMembers, CliRefusal>> {
  const lacking = requireFeature(connection, "get_perf");
  if (lacking !== null) return fail(lacking);
  const text = await connection.json({ tag: "GET_PERF", reset: false }, "reading the counters", ms);
  if (!text.ok) return fail(text.error.refusal);
  const report = parseJsonObject(text.value);
  return report === null ? fail(refuse("transport", "the server's performance report is no JSON object")) : ok(report);
}

/** The desktop client in its development mode listens beside its server, and answers like one. */
export function dialDesktop(call: Call, server: string, deadline: Deadline): ReturnType<Call["dial"]> {
  return call.dial(join(dirname(server), "desktop.sock"), deadline);
}
