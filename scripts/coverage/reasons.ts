/**
 * Why lines of a file do not run in this process. Most are the faces of the program and what handles its end: tests drive
 * them through the compiled binary, which no coverage tool looks into.
 */
export const reasons: Readonly<Record<string, string>> = {
  "src/main.ts": "argv to mode, in the binary: test/e2e/modes.test.ts",
  "src/modes/adapter.ts": "the main job, in the binary: every test of test/e2e and test/cases",
  "src/modes/adapter-runner.ts": "the same",
  "src/modes/selected.ts": "in the binary: test/e2e/selection.test.ts",
  "src/modes/wish.ts": "in the binary: test/e2e/selection.test.ts",
  "src/modes/schema.ts": "in the binary: test/e2e/modes.test.ts",
  "src/modes/skill.ts": "in the binary: test/e2e/modes.test.ts",
  "src/modes/help.ts": "in the binary: test/e2e/modes.test.ts",
  "src/modes/print.ts": "in the binary: test/e2e/modes.test.ts, test/cases/j-tails.test.ts",
  "src/modes/unsupported.ts": "on Windows only",
  "src/package.ts": "in this process and in the example: test/package.test.ts",
  "src/modes/version.ts": "in the binary: test/e2e/modes.test.ts",
  "src/modes/described-tools.ts": "in the binary: test/e2e/selection.test.ts, test/cases/d-size.test.ts",
  "src/mcp/lifetime.ts": "signals and the end, in the binary: test/cases/a-lifetime.test.ts",
  "src/mcp/stderr.ts": "in the binary: test/cases/i-stdout.test.ts",
  "src/mcp/output.ts": "terminals and slow readers, in the binary: test/cases/a-lifetime.test.ts, j-tails.test.ts",
  "src/mcp/gone.ts": "in the binary: test/cases/a-lifetime.test.ts",
  "src/cli/watcher.ts":
    "what happens when the watcher itself cannot start: test/cli/ending.test.ts in a program of its own",
  "src/tools/catalog-json.ts": "runs while the program is built",
  "src/tools/published.ts": "runs while the program is built",
};
