import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installPhux } from "../../test/lab/phux/install.ts";
import { until } from "../bench/sample.ts";
import { root } from "../binary.ts";
import { Random } from "../fuzz/random.ts";
import { moodyPhux, Wire } from "./broken-path.ts";
import { deed, PANES } from "./day.ts";
import { Host } from "./host.ts";
import { slopeOf } from "./slope.ts";

export interface Plan {
  readonly program: string;
  readonly calls: number;
  readonly inFlight: number;
  readonly seed: number;
  /** How long the adapter is left alone before its memory is read, which happens ten times. */
  readonly restMs: number;
  readonly told: (line: string) => void;
}

export interface Outcome {
  readonly answered: number;
  readonly refused: number;
  readonly cancelled: number;
  readonly crossed: number;
  readonly dropped: number;
  readonly seconds: number;
  /** MiB for each 1,000 calls after the first tenth. */
  readonly slope: number;
  readonly memory: { readonly early: number; readonly late: number };
  readonly before: ReturnType<Host["counts"]>;
  readonly after: ReturnType<Host["counts"]>;
  readonly wrongs: readonly string[];
}

const PARTS = 10;
/** One call in so many is cancelled, at some moment of its life. */
const CANCELLED = 12;
const CANCEL_WITHIN_MS = 30;
/** A call that has not ended by then is given up, as a host would: a `phux` that hangs, mostly. */
const PATIENCE_MS = 1_500;

/** Runs a plan from an empty lab to an idle adapter. */
export async function soak(plan: Plan): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "phux-mcp-soak-"));
  const random = new Random(plan.seed);
  const labSocket = join(folder, "lab.sock");
  const more = { shell: "/bin/sh", home: folder, cwd: folder, idleMs: 30 };
  const lab = Bun.spawn(
    [
      process.execPath,
      join(root, "test", "lab", "server-main.ts"),
      "--socket",
      labSocket,
      "--session",
      "main",
      "--options",
      JSON.stringify(more),
    ],
    { stdio: ["pipe", "ignore", "inherit"] },
  );
  try {
    await until(() => existsSync(labSocket), "the lab's socket");
    const socket = join(folder, "phux.sock");
    await using wire = new Wire(socket, labSocket, random);
    const path = moodyPhux(join(folder, "bin"), join(await installPhux(join(folder, "lab")), "phux"));
    const place = { HOME: folder, PATH: `${path}:/usr/bin:/bin`, TERM: "xterm-256color", LANG: "C.UTF-8" };
    const host = new Host(plan.program, { ...place, PHUX_SOCKET: labSocket });
    for (let panes = 1; panes < PANES; panes += 1) {
      await host.call("phux_spawn", { target: "@1", command: ["/bin/cat"] }).answer;
    }
    // Last, so that the day does not touch it.
    const long = "i=0; while [ $i -lt 9000 ]; do i=$((i + 1)); echo $i; done; exec cat";
    await host.call("phux_spawn", { target: "@1", command: ["/bin/sh", "-c", long] }).answer;
    await host.end();
    const outcome = await work(plan, new Host(plan.program, { ...place, PHUX_SOCKET: socket }), random);
    return { ...outcome, dropped: wire.dropped };
  } finally {
    lab.kill("SIGTERM");
    await lab.exited;
    rmSync(folder, { recursive: true, force: true });
  }
}

async function work(plan: Plan, host: Host, random: Random): Promise<Omit<Outcome, "dropped">> {
  const count = { started: 0, answered: 0, refused: 0, cancelled: 0 };
  const memory: [calls: number, mib: number][] = [];
  const began = performance.now();
  const lane = async (until: number) => {
    while (count.started < until) {
      count.started += 1;
      const isError = await oneCall(host, random);
      if (isError === null) count.cancelled += 1;
      else count.answered += 1;
      if (isError === true) count.refused += 1;
    }
  };
  // Everything that the first calls load and start is there before anything is counted.
  const warm = Math.min(200, plan.calls);
  for (let calls = 0; calls < warm; calls += 1) await oneCall(host, random);
  // The process that outlives us for a moment comes with the first child, and stays.
  await host.call("phux_status", {}).answer;
  await until(() => host.waiting === 0, "an answer to every call of the beginning");
  const before = host.counts();
  let resting = 0;
  for (let part = 1; part <= PARTS; part += 1) {
    const until = Math.round((plan.calls * part) / PARTS);
    await Promise.all(Array.from({ length: plan.inFlight }, () => lane(until)));
    const began = performance.now();
    memory.push([until / 1_000, await memoryAtRest(host, plan.restMs)]);
    resting += performance.now() - began;
    plan.told(`${until} calls, ${memory.at(-1)?.[1].toFixed(0)} MiB at rest`);
  }
  const seconds = (performance.now() - began - resting) / 1_000;
  const wrongs = [...host.wrongs];
  await until(() => host.waiting === 0, "an answer to every call");
  await until(() => host.counts().descriptors <= before.descriptors, "the end of every connection").catch((error) =>
    wrongs.push(String(error)),
  );
  const after = host.counts();
  const late = memory.slice(1);
  const code = await host.end();
  if (code !== 0) wrongs.push(`the adapter ended with ${code}`);
  return {
    ...{ answered: count.answered, refused: count.refused, cancelled: count.cancelled },
    crossed: host.crossed,
    seconds,
    slope: slopeOf(late),
    memory: { early: late[0]?.[1] ?? 0, late: late.at(-1)?.[1] ?? 0 },
    before,
    after,
    wrongs: [...wrongs, ...host.wrongs.slice(wrongs.length)],
  };
}

/**
 * The least memory in a pause. Between two collections of the runtime anything up to half as much again is garbage, so the
 * adapter is first asked for a screen with all its history and cells: after so large a step it collects by itself.
 */
async function memoryAtRest(host: Host, ms: number): Promise<number> {
  await host.call("phux_snapshot", { target: `@${PANES + 1}`, scrollback: 0, cells: true }).answer;
  let least = host.memoryMib;
  for (const last = performance.now() + ms; performance.now() < last; ) {
    await Bun.sleep(50);
    least = Math.min(least, host.memoryMib);
  }
  return least;
}

async function oneCall(host: Host, random: Random): Promise<boolean | null> {
  const { tool, arguments: given } = deed(random);
  const { answer, cancel } = host.call(tool, given);
  const patience = random.oneIn(CANCELLED) ? random.below(CANCEL_WITHIN_MS) : PATIENCE_MS;
  const timer = setTimeout(cancel, patience);
  const isError = await answer;
  clearTimeout(timer);
  return isError;
}
