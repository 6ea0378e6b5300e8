import { killAllRunning } from "../cli/watcher.ts";
import { endWithHost, surviveMistakes } from "../mcp/lifetime.ts";
import { Session } from "../mcp/session.ts";
import { complain } from "../mcp/stderr.ts";
import { StdioTransport } from "../mcp/stdio.ts";
import { Dialer } from "../phux/dial.ts";
import instructions from "../skill/INSTRUCTIONS.md" with { type: "text" };
import { catalog } from "../tools/catalog.ts";
import { thisPlace } from "../tools/place.ts";
import { ToolRunner } from "../tools/runner.ts";
import { describedTools } from "./described-tools.ts";
import { programVersion } from "./version.ts";

/** The main job: MCP on standard input and output for one host, until that host is gone. */
export function serveAdapter(): void {
  surviveMistakes();
  // Whatever way the process ends by itself, no child outlives it.
  process.on("exit", killAllRunning);
  const place = thisPlace(complain);
  const runner = new ToolRunner(catalog, place, new Dialer(`phux-mcp/${programVersion}`));
  const transport = new StdioTransport(() => Bun.stdin.stream(), Bun.stdout.writer());
  const session = new Session(transport, {
    name: "phux",
    version: programVersion,
    instructions: instructions.trim(),
    catalog: {
      names: catalog.map((tool) => tool.name),
      toolsJson: describedTools(place.environment["PHUX_MCP_MAX_RESULT_CHARS"]),
      run: (name, raw, call) => runner.run(name, raw, call),
    },
    report: complain,
  });
  endWithHost(session, transport);
  void session.start();
}
