import { expect, test } from "bun:test";
import { kill, spawn } from "../../src/tools/pane.ts";
import { waitForResource } from "../../src/tools/resource.ts";
import type { LabOptions } from "../lab/options.ts";
import type { Stage } from "../lab/stage.ts";
import { until } from "../lab/until.ts";
import type { Bench } from "./calls.ts";
import { membersOf, onLab } from "./lab-bench.ts";

const on = (body: (bench: Bench, stage: Stage) => Promise<void>, options: Partial<LabOptions> = {}) =>
  onLab([spawn, kill, waitForResource], options, body);
const yes = { confirm: true } as const;

const start = async (bench: Bench, script: string, more = {}) =>
  `@${membersOf(await bench.document("phux_spawn", { command: ["sh", "-c", script], ...more }))["terminal_id"]}`;
const wait = async (bench: Bench, target: string, more = {}) =>
  membersOf(await bench.document("phux_resource_wait", { target, timeout_secs: 10, ...more }));

/** Resolves when the state was read, which a wait does behind its subscription. */
function watched({ lab }: Stage): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { serve } = lab.server;
  lab.server.serve = async (call, frame) => {
    await serve.call(lab.server, call, frame);
    if (call.name === "GET_STATE") resolve();
  };
  return promise;
}

/** Lets the program of a pane end, which reads one line. */
function end({ lab }: Stage, pane: string): void {
  lab.server.panes.get(Number(pane.slice(1)))?.terminal.write(new TextEncoder().encode("\n"));
}

test("a retained pane: its exit with every fact", () =>
  on(async (bench, stage) => {
    const pane = await start(bench, "read _; exit 5", { retain_secs: 60 });
    const waits = watched(stage);
    const waited = wait(bench, pane);
    await waits;
    end(stage, pane);
    expect(await waited).toMatchObject({
      outcome: "exited",
      exit: { status: 5, signal: null, reason: "exited", exited_at_ms: expect.any(Number) },
      retained: true,
      evidence_lost: false,
    });
  }));

test("one that is not: what the event says", () =>
  on(async (bench, stage) => {
    const pane = await start(bench, "read _; exit 5");
    const waits = watched(stage);
    const waited = wait(bench, pane);
    await waits;
    end(stage, pane);
    expect(await waited).toMatchObject({ outcome: "exited", exit: { status: 5, reason: null }, retained: false });
  }));

test("one that has ended before the wait", () =>
  on(async (bench, { lab }) => {
    const pane = await start(bench, "exit 0", { retain_secs: 60 });
    await until("it has ended", () => Boolean(lab.server.panes.get(2)?.retained));
    expect(await wait(bench, pane)).toMatchObject({ outcome: "exited", exit: { status: 0 }, retained: true });
    expect(await wait(bench, "@77")).toMatchObject({ outcome: "gone", exit: null, retained: false });
  }));

test.each(["1.0", "0.9", "0.8"] as const)("a kill on %s has no status", (version) =>
  on(
    async (bench, stage) => {
      const pane = await start(bench, "sleep 600");
      const waits = watched(stage);
      const waited = wait(bench, pane);
      await waits;
      await bench.document("phux_kill", { target: pane, ...yes });
      expect(await waited).toMatchObject({ outcome: "exited", exit: { status: null, signal: null }, retained: false });
    },
    { version },
  ),
);

test("a cursor finds an end that fell between two waits", () =>
  on(async (bench, stage) => {
    const pane = await start(bench, "read _; exit 9");
    const first = await wait(bench, pane, { timeout_secs: 1 });
    expect(first).toMatchObject({ outcome: "timed_out", retained: true });
    end(stage, pane);
    await until("it is gone", () => !stage.lab.server.panes.has(2));
    expect(await wait(bench, pane, { after: first["cursor"] })).toMatchObject({
      outcome: "exited",
      exit: { status: 9 },
      evidence_lost: false,
    });
    expect(await wait(bench, pane)).toMatchObject({ outcome: "gone" });
  }));

test("a journal that has forgotten it: gone, and the loss is named", () =>
  on(
    async (bench, { lab }) => {
      const pane = await start(bench, "read _; exit 9");
      const first = await wait(bench, pane, { timeout_secs: 1 });
      await bench.document("phux_kill", { target: pane, ...yes });
      await until("it is gone", () => !lab.server.panes.has(2));
      for (let i = 0; i < 3; i += 1) await start(bench, "sleep 600");
      expect(await wait(bench, pane, { after: first["cursor"] })).toMatchObject({
        outcome: "gone",
        evidence_lost: true,
      });
    },
    { journalEvents: 2 },
  ));

test("an upgrade of the server in between: the wait goes on, and says that it cannot be sure", () =>
  on(async (bench, stage) => {
    const pane = await start(bench, "read _; exit 4", { retain_secs: 60 });
    const first = watched(stage);
    const waited = wait(bench, pane);
    await first;
    const second = watched(stage);
    stage.lab.server.upgrade();
    await second;
    end(stage, pane);
    expect(await waited).toMatchObject({ outcome: "exited", exit: { status: 4 }, evidence_lost: true });
  }));
