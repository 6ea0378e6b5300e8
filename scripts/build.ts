/** Builds dist/phux-mcp for this machine: one self-contained executable. `--outfile PATH` puts it elsewhere. */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { compileProgram, root } from "./binary.ts";

const { values } = parseArgs({ options: { outfile: { type: "string" }, plain: { type: "boolean" } } });
const outfile = values.outfile ?? join(root, "dist", "phux-mcp");
const failure = await compileProgram(outfile, values.plain === true);
if (failure !== null) {
  console.error(failure);
  process.exit(1);
}
console.log(outfile);
