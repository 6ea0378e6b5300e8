/**
 * `npm run fuzz -- --seconds N [--seed S] [--only NAME]`: hostile inputs to everything that reads what others wrote. Ends
 * with 1 at the first broken promise, after writing the input to a file; an input that never returns is named too.
 */
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { targets } from "./targets.ts";
import { type Report, SLOT_BYTES } from "./worker.ts";

/** No input may keep a reader this long. */
const HANG_MS = 10_000;
/** What all targets together may hold: a frame is at most 16 MiB. */
const MOST_RSS_MIB = 1_024;

function usage(why: string): never {
  console.error(
    `${why}\nusage: npm run fuzz -- --seconds N [--seed S] [--only NAME]\nnames: ${targets.map(({ name }) => name).join(", ")}`,
  );
  process.exit(2);
}

function readArguments() {
  try {
    const options = { seconds: { type: "string" }, seed: { type: "string" }, only: { type: "string" } } as const;
    return parseArgs({ options }).values;
  } catch (error) {
    return usage(error instanceof Error ? error.message : String(error));
  }
}

const given = readArguments();
const seconds = Number(given.seconds ?? "10");
const seed = Number(given.seed ?? Date.now() % 1_000_000);
if (!(seconds > 0 && seconds <= 86_400)) usage("--seconds is a number above 0, at most 86400");
if (!Number.isInteger(seed) || seed < 0) usage("--seed is a whole number");
const chosen = targets.filter(({ name }) => given.only === undefined || name === given.only);
if (chosen.length === 0) usage(`no target ${JSON.stringify(given.only)}`);

/** Writes what broke a promise where a person finds it. */
function keep(target: string, input: Uint8Array, why: string, own: number): void {
  const file = join(tmpdir(), `phux-mcp-fuzz-${target.replaceAll(" ", "-")}-${own}.bin`);
  writeFileSync(file, input);
  console.error(
    `${target}: ${why}\n  seed ${own}, ${input.length} bytes: ${Buffer.from(input).toString("hex").slice(0, 400)}\n  in ${file}`,
  );
}

/** One target in a thread of its own, watched from outside. */
async function watched(name: string, ms: number): Promise<Report | null> {
  const slot = new SharedArrayBuffer(SLOT_BYTES);
  const header = new Int32Array(slot, 0, 3);
  const worker = new Worker(join(import.meta.dir, "worker.ts"));
  const { promise, resolve } = Promise.withResolvers<Report | null>();
  worker.on("message", (report: Report) => resolve(report));
  worker.on("error", (error) => {
    console.error(`${name}: ${String(error)}`);
    resolve(null);
  });
  worker.postMessage({ name, seed, ms, slot });
  let last = -1;
  const watch = setInterval(() => {
    const count = Atomics.load(header, 0);
    if (count !== last) {
      last = count;
      return;
    }
    const length = Atomics.load(header, 1);
    keep(
      name,
      new Uint8Array(slot, 12, length).slice(),
      `it has not returned for ${HANG_MS} ms`,
      Atomics.load(header, 2) >>> 0,
    );
    resolve(null);
  }, HANG_MS);
  const report = await promise;
  clearInterval(watch);
  await worker.terminate();
  return report;
}

let inputs = 0;
let decoded = 0;
const began = performance.now();
for (const { name } of chosen) {
  const report = await watched(name, (seconds * 1_000) / chosen.length);
  if (report === null) process.exit(1);
  const { count, failure, ms } = report;
  if (failure !== null) {
    keep(name, failure.input, failure.why, failure.seed);
    process.exit(1);
  }
  inputs += count.inputs;
  decoded += count.understood;
  const rate = ((count.inputs / ms) * 1_000).toFixed(0);
  const share = ((100 * count.understood) / count.inputs).toFixed(0);
  console.log(
    `${name.padEnd(16)} ${String(count.inputs).padStart(10)} inputs  ${rate.padStart(7)}/s  ${share.padStart(3)} % understood`,
  );
}
const mib = process.memoryUsage().rss / 1024 / 1024;
console.log(
  `${inputs} inputs, ${decoded} understood, ${((performance.now() - began) / 1_000).toFixed(0)} s, seed ${seed}, ${mib.toFixed(0)} MiB`,
);
if (mib > MOST_RSS_MIB) {
  console.error(`more than ${MOST_RSS_MIB} MiB: something allocates by what it is told`);
  process.exit(1);
}
