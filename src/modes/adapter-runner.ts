import { killAllRunning } from "../cli/watcher.ts";
import { Dialer } from "../phux/dial.ts";
import { catalog } from "../tools/catalog.ts";
import { thisPlace } from "../tools/place.ts";
import { ToolRunner } from "../tools/runner.ts";
import type { Selection } from "../tools/selection.ts";
import { programVersion } from "./version.ts";

/** Everything that a tool call needs. Loaded by the first one. */
export function adapterRunner(remark: (line: string) => void, selection: Selection | null): ToolRunner {
  // Whatever way the process ends by itself, no child outlives it.
  process.on("exit", killAllRunning);
  return new ToolRunner(catalog, thisPlace(remark), new Dialer(`phux-mcp/${programVersion}`), selection);
}
