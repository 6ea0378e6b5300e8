import { existsSync } from "node:fs";
import { join } from "node:path";

/** The compiled program that these tests drive: what `npm run build` makes, which `npm test` has run before. */
export const binary = join(import.meta.dir, "..", "..", "dist", "phux-mcp");

if (!existsSync(binary)) throw new Error(`${binary} is missing: npm run build makes it`);
