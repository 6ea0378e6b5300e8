/**
 * `npm run bench`: the figures of design.md section 9 as ratios against a baseline measured in the same run, medians over
 * many samples. Absolute values are for orientation only.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keysToEvents } from "../../src/phux/keys.ts";
import type { AnyFrame, ResourceId } from "../../src/wire/frame.ts";
import { Asked, cpuTicks, lifeOf, line, startOf } from "./process.ts";
import { RawClient } from "./raw.ts";
import { printTable, type Row } from "./table.ts";

const root = join(import.meta.dir, "..", "..");
const folder = mkdtempSync(join(tmpdir(), "phux-mcp-bench-"));
const [binary, echo] = [join(folder, "phux-mcp"), join(folder, "echo")];
const serverMain = join(root, "test", "lab", "server-main.ts");
const pane: ResourceId = { tag: "local", id: 1 };

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries += 1) {
    if (tries > 500) throw new Error("the lab did not start");
    await Bun.sleep(10);
  }
}

async function build(): Promise<void> {
  await Bun.$`${process.execPath} ${join(root, "scripts", "build.ts")} --outfile ${binary}`.quiet();
  await Bun.$`${process.execPath} build --compile --minify ${join(import.meta.dir, "echo.ts")} --outfile ${echo}`.quiet();
}

/** The two in turn, so that a machine whose speed drifts does not favour one. */
async function paired(samples: number, ours: () => Promise<number>, baseline: () => Promise<number>) {
  const measured = { ours: [] as number[], baseline: [] as number[] };
  await ours();
  await baseline();
  for (let sample = 0; sample < samples; sample += 1) {
    measured.ours.push(await ours());
    measured.baseline.push(await baseline());
  }
  return measured;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function startRows(): Promise<Row[]> {
  const ms = (command: string[], first?: string) => async () => (await startOf(command, first)).ms;
  const list = line(1, "tools/list");
  return [
    { figure: "start to initialize", unit: "ms", goal: 1.5, ...(await paired(25, ms([binary]), ms([echo]))) },
    { figure: "start to tools/list", unit: "ms", goal: 1.6, ...(await paired(25, ms([binary], list), ms([echo]))) },
    {
      figure: "--schema",
      unit: "ms",
      goal: 1.3,
      ...(await paired(
        25,
        () => lifeOf([binary, "--schema"]),
        () => lifeOf([echo]),
      )),
    },
    {
      figure: "--help",
      unit: "ms",
      goal: 1.3,
      ...(await paired(
        25,
        () => lifeOf([binary, "--help"]),
        () => lifeOf([echo]),
      )),
    },
    {
      figure: "memory idle",
      unit: "MiB",
      goal: 1.5,
      ...(await paired(
        10,
        async () => (await startOf([binary])).mib,
        async () => (await startOf([echo])).mib,
      )),
    },
  ];
}

const getState: AnyFrame = { name: "COMMAND", value: { request_id: 1, command: { tag: "GET_STATE", scope: 0 } } };
const getScreen: AnyFrame = {
  name: "COMMAND",
  value: {
    request_id: 2,
    command: { tag: "GET_SCREEN", terminal_id: pane, request_scrollback: null, cells: false, format: 0 },
  },
};

async function roundTripRows(socket: string): Promise<Row[]> {
  const adapter = new Asked([binary], { ...process.env, PHUX_SOCKET: socket });
  await adapter.ask("initialize");
  const [event] = keysToEvents(["Up"]);
  if (event === undefined) throw new Error("no key event");
  const routeInput: AnyFrame = {
    name: "COMMAND",
    value: { request_id: 3, command: { tag: "ROUTE_INPUT", terminal_id: pane, event } },
  };
  const raw =
    (...frames: AnyFrame[]) =>
    async () => {
      const client = new RawClient(socket);
      const took = await timed(async () => {
        await client.hello();
        for (const frame of frames) await client.ask(frame);
      });
      client.end();
      return took;
    };
  const tool =
    (name: string, given: object = {}) =>
    () =>
      timed(() => adapter.tool(name, given));
  const rows = [
    { figure: "phux_ls", unit: "ms", goal: 1.5, ...(await paired(200, tool("phux_ls"), raw(getState))) },
    {
      figure: "phux_snapshot",
      unit: "ms",
      goal: 1.5,
      ...(await paired(200, tool("phux_snapshot", { target: "@1" }), raw(getState, getScreen))),
    },
    {
      figure: "phux_send_keys",
      unit: "ms",
      goal: 1.5,
      ...(await paired(200, tool("phux_send_keys", { target: "@1", keys: ["Up"] }), raw(getState, routeInput))),
    },
  ];
  const idle = cpuTicks(adapter.pid);
  await Bun.sleep(5_000);
  console.log(`idle: ${(cpuTicks(adapter.pid) - idle) * 10} ms of processor time in 5 s`);
  await adapter.end();
  return rows;
}

async function throughput(socket: string): Promise<void> {
  const adapter = new Asked([binary], { ...process.env, PHUX_SOCKET: socket });
  const [calls, inFlight] = [5_000, 64];
  const flood = async (ask: () => Promise<string>) => {
    let started = 0;
    let answered = 0;
    const lane = async () => {
      while (started < calls) {
        started += 1;
        await ask();
        answered += 1;
      }
    };
    const ms = await timed(() => Promise.all(Array.from({ length: inFlight }, lane)));
    return { rate: (calls / ms) * 1_000, answered };
  };
  const plain = await flood(() => adapter.ask("ping"));
  const listed = await flood(() => adapter.tool("phux_ls"));
  console.log(
    `${calls} calls, ${inFlight} in flight: ping ${plain.rate.toFixed(0)}/s, phux_ls ${listed.rate.toFixed(0)}/s, lost ${2 * calls - plain.answered - listed.answered}`,
  );
  await adapter.end();
}

try {
  await build();
  const socket = join(folder, "phux.sock");
  // A process of its own, so that a round trip costs both clients the same changes of process.
  const lab = Bun.spawn([process.execPath, serverMain, "--socket", socket, "--session", "main"], {
    stdio: ["pipe", "ignore", "inherit"],
  });
  await until(() => existsSync(socket));
  printTable([...(await startRows()), ...(await roundTripRows(socket))]);
  await throughput(socket);
  lab.kill("SIGTERM");
  await lab.exited;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
