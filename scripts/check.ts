/**
 * What `npm test` runs: type check, lint, build, every test. The last line is `N passed, N failed`, taken from the
 * runner's own report. Arguments are test files; with none, all of them.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { leftovers } from "./leftovers.ts";

const root = join(import.meta.dir, "..");
const report = join(root, "dist", "test-report.xml");

async function step(name: string, command: readonly string[], env = process.env): Promise<boolean> {
  const began = performance.now();
  const child = Bun.spawn([...command], { cwd: root, env, stdin: "ignore", stdout: "inherit", stderr: "inherit" });
  const code = await child.exited;
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  console.log(`${code === 0 ? "ok" : "FAILED"}: ${name} (${seconds} s)`);
  return code === 0;
}

/** Counts of the runner's JUnit report: its root element carries them. */
function counts(): { tests: number; failures: number; skipped: number } | null {
  if (!existsSync(report)) return null;
  const element = readFileSync(report, "utf8").match(/<testsuites\b[^>]*>/)?.[0] ?? "";
  const count = (name: string) => Number(element.match(new RegExp(`\\b${name}="(\\d+)"`))?.[1] ?? Number.NaN);
  const [tests, failures, skipped] = [count("tests"), count("failures"), count("skipped")];
  return [tests, failures, skipped].every(Number.isInteger) ? { tests, failures, skipped } : null;
}

/** The last processes of the last test may still be ending. */
async function settled(look: () => string[]): Promise<string[]> {
  for (let tries = 0; tries < 30 && look().length > 0; tries += 1) await Bun.sleep(100);
  return look();
}

const bin = (name: string) => join(root, "node_modules", ".bin", name);
const checked =
  (await step("types", [bin("tsc"), "--noEmit", "--project", root])) &&
  (await step("lint and format", [bin("biome"), "check", "--error-on-warnings", root])) &&
  (await step("build", [process.execPath, join(root, "scripts", "build.ts")]));
if (!checked) process.exit(1);

rmSync(report, { force: true });
const files = process.argv.slice(2);
// The tests of one file share processes and sockets of their own; files run beside each other.
const runner = [
  process.execPath,
  "test",
  "--parallel=2",
  "--timeout=30000",
  // Real shells on a busy machine: what fails twice in a row is a failure.
  "--retry=1",
  "--only-failures",
  "--reporter=junit",
  `--reporter-outfile=${report}`,
];
// Whatever a test makes stands in one folder, so that what it leaves can be seen.
const folder = mkdtempSync(join(tmpdir(), "phux-mcp-t-"));
const passed = await step("tests", [...runner, ...files], { ...process.env, TMPDIR: folder });
const left = await settled(() => leftovers(folder));
for (const line of left) console.log(`left behind: ${line}`);
rmSync(folder, { recursive: true, force: true });
const result = counts();
if (result === null) {
  console.log("the test runner wrote no report");
  process.exit(1);
}
const { tests, failures, skipped } = result;
const line = `${tests - failures - skipped} passed, ${failures} failed`;
console.log(skipped === 0 ? line : `${line}, ${skipped} skipped`);
// In CI everything optional is installed, so a skipped test is a missing install step.
const complete = skipped === 0 || process.env["PHUX_MCP_SKIP_NOTHING"] === undefined;
process.exit(complete && passed && failures === 0 && tests > 0 && left.length === 0 ? 0 : 1);
