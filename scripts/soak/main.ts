/**
 * `npm run soak -- --calls 100000 [--in-flight 32] [--seed S]`: a long day of mixed calls with cancels and faults. Every call
 * is answered once or was cancelled, memory is flat after the first tenth, and nothing is left open; else the exit is 1.
 */
import { parseArgs } from "node:util";
import { root } from "../binary.ts";
import { type Outcome, soak } from "./soak.ts";

/** What memory may grow for each 1,000 calls, in MiB: a leak of one small buffer a call shows as more. */
const MOST_SLOPE = 0.1;

/** The runtime collects about once a second while it has nothing to do. */
const REST_MS = 4_000;

function usage(why: string): never {
  console.error(`${why}\nusage: npm run soak -- --calls N [--in-flight N] [--seed N]`);
  process.exit(2);
}

function readArguments() {
  try {
    const text = { type: "string" } as const;
    const { values } = parseArgs({ options: { calls: text, "in-flight": text, seed: text } });
    return {
      calls: Number(values.calls ?? "10000"),
      inFlight: Number(values["in-flight"] ?? "32"),
      seed: Number(values.seed ?? Date.now() % 1_000_000),
    };
  } catch (error) {
    return usage(error instanceof Error ? error.message : String(error));
  }
}

const { calls, inFlight, seed } = readArguments();
if (![calls, inFlight].every((number) => Number.isInteger(number) && number > 0)) usage("a number above 0 is wanted");
if (!Number.isInteger(seed) || seed < 0) usage("--seed is a whole number");

function tell(outcome: Outcome): void {
  const { answered, refused, cancelled, crossed, dropped, seconds, slope, memory, before, after } = outcome;
  console.log(`answered       ${answered} (${refused} with a refusal), cancelled ${cancelled} (${crossed} crossed)`);
  console.log(`rate           ${(calls / seconds).toFixed(0)} calls/s, ${inFlight} in flight, seed ${seed}`);
  console.log(`connections    ${dropped} broken off on purpose`);
  console.log(
    `memory         ${memory.early.toFixed(0)} to ${memory.late.toFixed(0)} MiB, ${slope.toFixed(3)} MiB for 1,000 calls`,
  );
  console.log(`descriptors    ${before.descriptors} before, ${after.descriptors} after`);
  console.log(`processes      ${before.children} before, ${after.children} after`);
}

await Bun.$`${process.execPath} ${`${root}/scripts/build.ts`}`.quiet();
const told = (line: string) => console.error(line);
const outcome = await soak({ program: `${root}/dist/phux-mcp`, calls, inFlight, seed, restMs: REST_MS, told });
tell(outcome);
const wrongs = [...outcome.wrongs];
if (outcome.answered + outcome.cancelled !== calls) wrongs.push("some calls were neither answered nor cancelled");
if (outcome.slope > MOST_SLOPE) wrongs.push(`memory grows by more than ${MOST_SLOPE} MiB for 1,000 calls, at rest`);
if (outcome.after.descriptors > outcome.before.descriptors) wrongs.push("descriptors are left open");
if (outcome.after.children > outcome.before.children) wrongs.push("processes are left");
for (const wrong of wrongs.slice(0, 20)) console.log(`WRONG: ${wrong}`);
process.exit(wrongs.length === 0 ? 0 : 1);
