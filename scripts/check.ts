/**
 * What `npm test` runs: type check, lint, build, every test. The last line is `N passed, N failed`, taken from the
 * runner's own report. Arguments are test files; with none, all of them.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const report = join(root, "dist", "test-report.xml");

async function step(name: string, command: readonly string[]): Promise<boolean> {
  const began = performance.now();
  const child = Bun.spawn([...command], { cwd: root, stdin: "ignore", stdout: "inherit", stderr: "inherit" });
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
  "--only-failures",
  "--reporter=junit",
  `--reporter-outfile=${report}`,
];
const passed = await step("tests", [...runner, ...files]);
const result = counts();
if (result === null) {
  console.log("the test runner wrote no report");
  process.exit(1);
}
const { tests, failures, skipped } = result;
const line = `${tests - failures - skipped} passed, ${failures} failed`;
console.log(skipped === 0 ? line : `${line}, ${skipped} skipped`);
process.exit(passed && failures === 0 && tests > 0 ? 0 : 1);
