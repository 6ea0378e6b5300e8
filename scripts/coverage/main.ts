/**
 * `npm run coverage`: the suite once more with coverage of `src`, a line for each file that is not wholly covered, and the
 * reason where there is one. Exits 1 when a file without a reason has more than a handful of lines that never ran.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../binary.ts";
import { type Covered, readLcov } from "./lcov.ts";
import { reasons } from "./reasons.ts";

/** Lines of a file that may be missed without a reason of their own: refusals of what cannot be made to happen. */
const FEW = 5;

const folder = mkdtempSync(join(tmpdir(), "phux-mcp-coverage-"));
const options = ["--timeout=60000", "--parallel=2", "--retry=1", "--only-failures", "--coverage"];
const report = ["--coverage-reporter=lcov", `--coverage-dir=${folder}`];
const child = Bun.spawn([process.execPath, "test", ...options, ...report, "test"], {
  cwd: root,
  stdin: "ignore",
  stdout: "inherit",
  stderr: "inherit",
});
const code = await child.exited;
const covered = readLcov(readFileSync(join(folder, "lcov.info"), "utf8")).filter(({ file }) => file.startsWith("src/"));
rmSync(folder, { recursive: true });

const known = new Set(covered.map(({ file }) => file));
const sources = [...new Bun.Glob("src/**/*.ts").scanSync(root)].filter((file) => !file.endsWith(".d.ts"));
// A file of types alone has no line that could run; one with a macro cannot be transpiled alone, and has some.
function hasCode(file: string): boolean {
  try {
    const text = readFileSync(join(root, file), "utf8");
    return new Bun.Transpiler({ loader: "ts" }).transformSync(text).trim() !== "";
  } catch {
    return true;
  }
}
const unloaded = sources.filter((file) => !known.has(file) && hasCode(file));

function tell({ file, lines, missed }: Covered): boolean {
  const why = reasons[file];
  const fine = why !== undefined || missed.length <= FEW;
  const share = (100 * (lines - missed.length)) / lines;
  console.log(`${fine ? "  " : "! "}${file.padEnd(34)} ${share.toFixed(1).padStart(5)} %  ${why ?? missed.join(", ")}`);
  return fine;
}

const partly = covered.filter(({ missed }) => missed.length > 0).sort((a, b) => a.file.localeCompare(b.file));
const verdicts = partly.map(tell);
for (const file of unloaded)
  console.log(`${file in reasons ? "  " : "! "}${file.padEnd(34)} not here  ${reasons[file] ?? "no test loads it"}`);
const lines = covered.reduce((sum, one) => sum + one.lines, 0);
const missed = covered.reduce((sum, one) => sum + one.missed.length, 0);
console.log(`${(((lines - missed) / lines) * 100).toFixed(2)} % of ${lines} lines in ${covered.length} files`);
const fine = verdicts.every(Boolean) && unloaded.every((file) => file in reasons);
process.exit(code === 0 && fine ? 0 : 1);
