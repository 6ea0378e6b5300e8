import { endWithHost, surviveMistakes } from "../mcp/lifetime.ts";
import { outputTo } from "../mcp/output.ts";
import { complain } from "../mcp/stderr.ts";
import { StdioTransport } from "../mcp/stdio.ts";
import type { Selection } from "../tools/selection.ts";
import { adapterSession } from "./adapter-session.ts";

/**
 * The main job: MCP on standard input and output for one host, until that host is gone. `selection`: the tools that it is
 * offered, null for all.
 */
export function serveAdapter(selection: Selection | null): void {
  surviveMistakes();
  const transport = new StdioTransport(() => Bun.stdin.stream(), outputTo(Bun.stdout, 1));
  const session = adapterSession(transport, selection, complain);
  endWithHost(session, transport);
  void session.start();
}
