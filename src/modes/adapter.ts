import { endWithHost, surviveMistakes } from "../mcp/lifetime.ts";
import { outputTo } from "../mcp/output.ts";
import { Session, type ToolCall } from "../mcp/session.ts";
import { complain } from "../mcp/stderr.ts";
import { StdioTransport } from "../mcp/stdio.ts";
import instructions from "../skill/INSTRUCTIONS.md" with { type: "text" };
import type { Selection } from "../tools/selection.ts";
import { describedTools } from "./described-tools.ts";
import { programVersion } from "./version.ts";

/**
 * The main job: MCP on standard input and output for one host, until that host is gone. `selection`: the tools that it is
 * offered, null for all.
 */
export function serveAdapter(selection: Selection | null): void {
  surviveMistakes();
  const transport = new StdioTransport(() => Bun.stdin.stream(), outputTo(Bun.stdout, 1));
  let runner: ReturnType<typeof makeRunner> | null = null;
  const run = async (name: string, raw: Readonly<Record<string, unknown>>, call: ToolCall) => {
    // A host waits for `initialize` and lists tools before it calls one, so what only calls need is loaded by the first.
    runner ??= makeRunner(selection);
    return (await runner).run(name, raw, call);
  };
  const session = new Session(transport, {
    name: "phux",
    version: programVersion,
    instructions: instructions.trim(),
    catalog: { toolsJson: describedTools(selection, process.env["PHUX_MCP_MAX_RESULT_CHARS"]), run },
    report: complain,
  });
  endWithHost(session, transport);
  void session.start();
}

async function makeRunner(selection: Selection | null) {
  const { adapterRunner } = await import("./adapter-runner.ts");
  return adapterRunner(complain, selection);
}
