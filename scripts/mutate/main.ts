/**
 * `npm run mutate -- [FILE…]`: puts one small lie after another into the hottest rules and runs their tests. A lie that no
 * test notices is printed, unless it is known to change nothing. Works on a copy; the checkout is not touched.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { equivalent } from "./equivalent.ts";
import { hottest, type Rule } from "./hottest.ts";
import { type Mutant, mutantsOf } from "./mutant.ts";

/** A lie can turn a loop into one without an end. */
const TESTS_MS = 60_000;

const root = join(import.meta.dir, "..", "..");
const wanted = process.argv.slice(2);
const rules = hottest.filter((rule) => wanted.length === 0 || wanted.includes(rule.source));
if (rules.length === 0) {
  console.error(`no such rule; there are:\n${hottest.map((rule) => rule.source).join("\n")}`);
  process.exit(2);
}

/** A copy to lie in, beside the same `../shared`. */
function copyOfProject(): { readonly folder: string; readonly project: string } {
  const folder = mkdtempSync(join(tmpdir(), "phux-mcp-mutate-"));
  const project = join(folder, "project");
  for (const name of ["src", "test", "scripts", "package.json", "tsconfig.json", "bunfig.toml"]) {
    cpSync(join(root, name), join(project, name), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
  symlinkSync(join(root, "..", "shared"), join(folder, "shared"));
  return { folder, project };
}

/** Whether the tests of a rule pass. */
async function passes(project: string, { tests }: Rule): Promise<boolean> {
  const child = Bun.spawn([process.execPath, "test", "--timeout=10000", "--bail=1", ...tests], {
    cwd: project,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
    timeout: TESTS_MS,
    killSignal: "SIGKILL",
  });
  return (await child.exited) === 0;
}

const isEquivalent = (rule: Rule, line: string) =>
  equivalent.some((known) => known.source === rule.source && known.line === line.trim());

/** The lies about one rule that no test noticed. */
async function survivors(project: string, rule: Rule, mutants: readonly Mutant[], source: string): Promise<Mutant[]> {
  const path = join(project, rule.source);
  const found: Mutant[] = [];
  for (const mutant of mutants) {
    writeFileSync(path, mutant.text);
    if (await passes(project, rule)) found.push(mutant);
  }
  writeFileSync(path, source);
  return found;
}

const { folder, project } = copyOfProject();
let tried = 0;
let missed = 0;
try {
  for (const rule of rules) {
    const source = readFileSync(join(project, rule.source), "utf8");
    const lines = source.split("\n");
    if (!(await passes(project, rule))) throw new Error(`the tests of ${rule.source} fail without any lie`);
    const mutants = mutantsOf(source).filter(({ line }) => !isEquivalent(rule, lines[line - 1] ?? ""));
    const found = await survivors(project, rule, mutants, source);
    tried += mutants.length;
    missed += found.length;
    console.log(`${rule.source}: ${mutants.length - found.length} of ${mutants.length} noticed`);
    for (const { line, from, to } of found) {
      console.log(`  line ${line}: ${to} for ${from} went unnoticed: ${lines[line - 1]?.trim()}`);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${tried} mutants, ${missed} unnoticed`);
process.exit(missed === 0 ? 0 : 1);
