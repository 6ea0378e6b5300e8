import type { Connection } from "../../../src/phux/connection.ts";
import type { Deadline } from "../../../src/phux/deadline.ts";
import { type JsonMembers, membersOf } from "../../../src/phux/json-object.ts";
import { eventItem } from "../../../src/phux/watch-item.ts";
import { ok, type Result } from "../../../src/wire/result.ts";
import { readReport } from "./perf-report.ts";
import type { CliRefusal } from "./refusal.ts";
import type { Timeline } from "./timeline.ts";

const SAMPLE_MS = 50;
/** A server that is busy at the end of the capture has this long for its last answer. */
const LAST_ANSWER_MS = 5_000;

/**
 * Writes on a timeline what one process does until the deadline: each of its counters, sampled; how long the sample took
 * it, a measure of how busy it is; and every event of its panes.
 */
export class Recorder {
  readonly #connection: Connection;
  readonly #timeline: Timeline;
  readonly #source: string;
  readonly #began: number;
  #pid = 0;

  /** `began` is the zero of the timeline, in milliseconds of `performance.now`. */
  constructor(connection: Connection, timeline: Timeline, source: string, began: number) {
    this.#connection = connection;
    this.#timeline = timeline;
    this.#source = source;
    this.#began = began;
  }

  async record(deadline: Deadline): Promise<Result<null, CliRefusal>> {
    const first = await this.#sample(deadline);
    if (!first.ok) return first;
    this.#connection.post({ name: "SUBSCRIBE_EVENTS", value: {} });
    while (!deadline.hasPassed()) {
      await this.#events(Math.min(SAMPLE_MS, deadline.left()));
      const sample = await this.#sample(deadline);
      if (!sample.ok) return sample;
    }
    return ok(null);
  }

  async #sample(deadline: Deadline): Promise<Result<null, CliRefusal>> {
    const before = performance.now();
    const report = await readReport(this.#connection, Math.max(deadline.left(), LAST_ANSWER_MS));
    if (!report.ok) return report;
    const after = performance.now();
    if (this.#pid === 0) this.#introduce(report.value);
    const place = { pid: this.#pid, tid: 1 };
    const dur = Math.round((after - before) * 1_000);
    this.#timeline.add({ name: "GET_PERF", ph: "X", ...place, ts: this.#micros(before), dur, args: {} });
    for (const { name, value } of metricsOf(report.value)) {
      const args = typeof value === "number" ? { value } : countsOf(value);
      this.#timeline.add({ name: String(name), ph: "C", ...place, ts: this.#micros(after), args });
    }
    return ok(null);
  }

  #introduce({ pid }: JsonMembers): void {
    this.#pid = typeof pid === "number" ? pid : 0;
    const args = { name: `phux ${this.#source}` };
    this.#timeline.add({ name: "process_name", ph: "M", pid: this.#pid, tid: 1, ts: 0, args });
  }

  /** Takes down what is pushed within `ms`. */
  async #events(ms: number): Promise<void> {
    const { pushed } = this.#connection;
    const until = performance.now() + ms;
    for (let left = ms; left > 0; left = until - performance.now()) {
      const frame = await pushed.take(left);
      // Nothing more is pushed since we were too slow; what became of the server, the next sample tells.
      if (frame === null && pushed.isExhausted) {
        this.#timeline.markTruncated();
        await Bun.sleep(left);
      }
      if (frame?.name !== "EVENT") continue;
      const { event, ...args } = eventItem(frame.value);
      const ts = this.#micros(performance.now());
      this.#timeline.add({ name: String(event), ph: "i", s: "p", pid: this.#pid, tid: 1, ts, args });
    }
  }

  #micros(at: number): number {
    return Math.max(0, Math.round((at - this.#began) * 1_000));
  }
}

function metricsOf({ metrics }: JsonMembers): JsonMembers[] {
  return (Array.isArray(metrics) ? metrics : []).map(membersOf).filter((metric) => metric !== null);
}

/** A histogram as a counter: how often, and how much in all. */
function countsOf(value: unknown): JsonMembers {
  const { count = 0, sum = 0 } = membersOf(value) ?? {};
  return { count, sum };
}
