/**
 * Builds dist/phux-mcp for this machine: one self-contained executable. `--outfile PATH` puts it elsewhere.
 * Bytecode and minification earn their place by the bench's start row (docs/decisions.md).
 */
import { mkdirSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";

const root = join(import.meta.dir, "..");
const { values } = parseArgs({ options: { outfile: { type: "string" }, plain: { type: "boolean" } } });
const outfile = values.outfile ?? join(root, "dist", "phux-mcp");
mkdirSync(dirname(outfile), { recursive: true });

// Under another name first: a half-written binary must never be run, and a running one must not be written over.
const fresh = `${outfile}.${process.pid}.tmp`;
const built = await Bun.build({
  entrypoints: [join(root, "src", "main.ts")],
  minify: values.plain !== true,
  bytecode: values.plain !== true,
  // Modes and the tools' code are chunks of their own, read when they are first needed: half of a start's time.
  splitting: true,
  format: "esm",
  target: "bun",
  compile: {
    outfile: fresh,
    // A folder that a host starts us in must not change what we are (tested in test/e2e).
    autoloadDotenv: false,
    autoloadBunfig: false,
    autoloadTsconfig: false,
    autoloadPackageJson: false,
  },
});
for (const log of built.logs) console.error(String(log));
if (!built.success) process.exit(1);
renameSync(fresh, outfile);
console.log(outfile);
