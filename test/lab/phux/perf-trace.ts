import { join, resolve } from "node:path";
import type { Connection } from "../../../src/phux/connection.ts";
import { Deadline } from "../../../src/phux/deadline.ts";
import { stringifyDocument } from "../../../src/phux/json-number.ts";
import { requireFeature } from "../../../src/phux/target.ts";
import { fail, ok } from "../../../src/wire/result.ts";
import type { Call } from "./call.ts";
import { logPlaces } from "./log-places.ts";
import { makeFolder, refuseNewFile, writeNewFile } from "./new-file.ts";
import { dialDesktop } from "./perf-report.ts";
import { Recorder } from "./recorder.ts";
import { flag, value, wholeNumber } from "./slot.ts";
import { Timeline } from "./timeline.ts";
import { json, socket, verb } from "./verb.ts";

const DEFAULT_SECONDS = 5;
const MOST_SECONDS = 60;
/** For everything besides the capture; whoever runs us gives 30 s. */
const REST_MS = 20_000;

export const perfTrace = verb({
  name: "perf trace",
  contract: 1,
  slots: {
    json,
    duration: wholeNumber("--duration"),
    output: value("-o", "--output"),
    desktop: flag("--desktop"),
    socket,
  },
  exclude: ({ duration = DEFAULT_SECONDS }) =>
    duration >= 1 && duration <= MOST_SECONDS ? null : `--duration takes 1 to ${MOST_SECONDS} seconds, not ${duration}`,
  async run(given, call) {
    const output = given.output === undefined ? null : resolve(given.output);
    const folder = join(logPlaces().client_dir, "traces");
    // Known before the capture rather than after it.
    const unwritable = output === null ? makeFolder(folder) : refuseNewFile(output);
    if (unwritable !== null) return fail(unwritable);
    const captureMs = (given.duration ?? DEFAULT_SECONDS) * 1_000;
    const deadline = new Deadline(captureMs + REST_MS, call.signal);
    const connection = await call.connect(given.socket, deadline);
    if (!connection.ok) return connection;
    const lacking = requireFeature(connection.value, "get_perf");
    if (lacking !== null) return fail(lacking);
    const desktop = given.desktop ? await findDesktop(call, connection.value, deadline) : null;
    const captured = await capture(connection.value, desktop, captureMs, call);
    if (!captured.ok) return captured;
    const { text, ...facts } = captured.value;
    const path = writeNewFile(output === null ? traceFiles(folder) : [output], text);
    if (!path.ok) return path;
    const bytes = Buffer.byteLength(text);
    const { duration_ms, events, sources, truncated } = facts;
    return ok({
      document: {
        schema_version: 1,
        path: path.value,
        format: "chrome-trace",
        duration_ms,
        events,
        bytes,
        sources,
        truncated,
      },
      text: `${path.value}: ${events} events of ${duration_ms} ms\n`,
    });
  },
});

/** Names after the second, numbered for those who come in the same one. */
function* traceFiles(folder: string): Generator<string> {
  const name = join(folder, `trace-${Math.floor(Date.now() / 1_000)}`);
  yield `${name}.json`;
  for (let number = 2; ; number += 1) yield `${name}-${number}.json`;
}

/** A desktop that is not there is left out, with a word about it. */
async function findDesktop(call: Call, server: Connection, deadline: Deadline): Promise<Connection | null> {
  const desktop = await dialDesktop(call, server.server.socket, deadline);
  const refusal = desktop.ok ? requireFeature(desktop.value, "get_perf") : desktop.error;
  if (refusal !== null) call.remark(`the desktop is left out: ${refusal.message}`);
  return desktop.ok && refusal === null ? desktop.value : null;
}

async function capture(server: Connection, desktop: Connection | null, captureMs: number, call: Call) {
  const timeline = new Timeline();
  const started = Date.now();
  const began = performance.now();
  const deadline = new Deadline(captureMs, call.signal);
  const sources = [
    { name: "server", connection: server },
    ...(desktop ? [{ name: "desktop", connection: desktop }] : []),
  ];
  const recorded = await Promise.all(
    sources.map(({ name, connection }) => new Recorder(connection, timeline, name, began).record(deadline)),
  );
  for (const one of recorded) if (!one.ok) return one;
  const otherData = { started_unix_ms: started, sources: sources.map(({ name }) => name) };
  const trace = { traceEvents: timeline.events, displayTimeUnit: "ms", otherData };
  return ok({
    text: stringifyDocument(trace, 0),
    duration_ms: Math.round(performance.now() - began),
    events: timeline.events.length,
    sources: otherData.sources,
    truncated: timeline.truncated,
  });
}
