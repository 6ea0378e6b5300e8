import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { kill, signal, spawn } from "../../src/tools/pane.ts";
import { relaunch, remove } from "../../src/tools/resource.ts";
import { until } from "../lab/until.ts";
import { membersOf, onLab } from "./lab-bench.ts";
import { LabRoom } from "./lab-room.ts";

const tools = [kill, signal, spawn, remove, relaunch];
const key = () => crypto.getRandomValues(new Uint8Array(16)).toHex();
const yes = { confirm: true } as const;

test(
  "200 connections that die between a keyed request and its answer: each mutation happened once",
  () =>
    onLab(tools, {}, async (bench, { lab, folder }) => {
      const counted = join(folder, "signals");
      const counter = `: > ${counted}; trap 'echo x >> ${counted}' INT; echo ready; while :; do sleep 0.01; done`;
      const born = membersOf(await bench.document("phux_spawn", { command: ["/bin/sh", "-c", counter] }));
      const target = `@${born["terminal_id"]}`;
      const counts = () => readFileSync(counted, "utf8").length / 2;
      await until("the counter runs", () => lab.server.panes.get(2)?.terminal.outputSeq !== 0);
      for (let round = 1; round <= 67; round += 1) {
        const before = lab.server.panes.size;
        lab.faults.dropReplies = { SPAWN_RESOURCE: 1, SIGNAL_TERMINAL: 1, KILL_RESOURCE: 1 };
        const spawned = membersOf(
          await bench.document("phux_spawn", { command: ["sleep", "600"], idempotency_key: key() }),
        );
        expect(spawned).toMatchObject({ terminal_id: round + 2, replayed: true });
        expect(lab.server.panes.size).toBe(before + 1);
        await bench.document("phux_signal", { target, signal: "interrupt", idempotency_key: key(), ...yes });
        await until("the signal is counted", () => counts() === round);
        const pane = `@${spawned["terminal_id"]}`;
        await bench.document("phux_kill", { target: pane, idempotency_key: key(), ...yes });
        await until("the pane is gone", () => lab.server.panes.size === before);
        expect(lab.faults.dropReplies).toEqual({ SPAWN_RESOURCE: 0, SIGNAL_TERMINAL: 0, KILL_RESOURCE: 0 });
      }
      lab.faults.dropReplies = { SIGNAL_TERMINAL: 2 };
      const failed = await bench.failure("phux_signal", { target, signal: "resume", idempotency_key: key() });
      expect(failed).toContain("server_disconnected");
      expect(counts()).toBe(67);
    }),
  60_000,
);

test("without a key nothing is sent again", () =>
  onLab(tools, {}, async (bench, { lab }) => {
    lab.faults.dropReplies = { SPAWN_RESOURCE: 1, SIGNAL_TERMINAL: 1 };
    expect(await bench.code("phux_spawn", { command: ["sleep", "600"] })).toEqual(["server_disconnected", 1]);
    expect(await bench.code("phux_signal", { target: "@1", signal: "resume" })).toEqual(["server_disconnected", 1]);
    expect(lab.server.panes.size).toBe(2);
  }));

test("nor to another server process", () =>
  onLab(tools, { faults: { freshServerId: true } }, async (bench, { lab }) => {
    lab.faults.dropReplies = { SPAWN_RESOURCE: 1 };
    const code = await bench.code("phux_spawn", { command: ["sleep", "600"], idempotency_key: key() });
    expect(code).toEqual(["server_disconnected", 1]);
    expect(lab.server.panes.size).toBe(2);
  }));

test("a spawn that is sent again is placed all the same, once", async () => {
  const room = await LabRoom.open(tools);
  try {
    const drop = () => {
      room.scene.lab.faults.dropReplies = { SPAWN_RESOURCE: 1 };
    };
    const args = { target: "@1", command: ["sleep", "600"], idempotency_key: key() };
    drop();
    expect(await room.document("phux_spawn", args)).toMatchObject({ terminal_id: 2, replayed: true });
    const drawn = await room.drawn(1);
    expect(drawn).toContain("@1");
    expect(drawn).toContain("@2");
    drop();
    expect(await room.document("phux_spawn", args)).toMatchObject({ terminal_id: 2, replayed: true });
    expect(await room.drawn(1)).toBe(drawn);
    expect(room.scene.lab.server.panes.size).toBe(2);
  } finally {
    await room.end();
  }
});

test("a keyed relaunch and a keyed rm survive a lost answer", () =>
  onLab(tools, {}, async (bench, { lab }) => {
    await bench.document("phux_spawn", { command: ["sh", "-c", "exit 3"], retain_secs: 60 });
    await until("it has exited", () => Boolean(lab.server.panes.get(2)?.retained));
    lab.faults.dropReplies = { KILL_RESOURCE: 1 };
    const removed = await bench.document("phux_rm", { target: "@2", idempotency_key: key(), ...yes });
    expect(removed).toEqual({ schema_version: 1, removed: ["@2"], target: "@2" });
    expect(lab.server.panes.has(2)).toBe(false);
    await bench.document("phux_spawn", {
      command: ["sh", "-c", "[ -e gone ] || { touch gone; exit 0; }; sleep 600"],
      retain_secs: 60,
    });
    await until("it has exited", () => Boolean(lab.server.panes.get(3)?.retained));
    lab.faults.dropReplies = { RELAUNCH_RESOURCE: 1 };
    const idempotency_key = key();
    const started = await bench.document("phux_relaunch", { target: "@3", idempotency_key });
    expect(started).toMatchObject({ relaunched: true, terminal: "@3", replayed: true });
    expect(await bench.document("phux_relaunch", { target: "@3", idempotency_key })).toMatchObject({ replayed: true });
    expect(await bench.code("phux_relaunch", { target: "@3", idempotency_key: key() })).toEqual([
      "resource_running",
      2,
    ]);
  }));
