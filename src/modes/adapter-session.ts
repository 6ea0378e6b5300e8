import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { Session, type ToolCall } from "../mcp/session.ts";
import instructions from "../skill/INSTRUCTIONS.md" with { type: "text" };
import type { Selection } from "../tools/selection.ts";
import { describedTools } from "./described-tools.ts";
import { programVersion } from "./version.ts";

/** The tools of phux on a transport. `selection`: those that are offered, null for all; `report` gets our mistakes. */
export function adapterSession(
  transport: Transport,
  selection: Selection | null,
  report: (line: string) => void,
): Session {
  let runner: ReturnType<typeof makeRunner> | null = null;
  const run = async (name: string, raw: Readonly<Record<string, unknown>>, call: ToolCall) => {
    // A host waits for `initialize` and lists tools before it calls one, so what only calls need is loaded by the first.
    runner ??= makeRunner(selection, report);
    return (await runner).run(name, raw, call);
  };
  return new Session(transport, {
    name: "phux",
    version: programVersion,
    instructions: instructions.trim(),
    catalog: { toolsJson: describedTools(selection, process.env["PHUX_MCP_MAX_RESULT_CHARS"]), run },
    report,
  });
}

async function makeRunner(selection: Selection | null, report: (line: string) => void) {
  const { adapterRunner } = await import("./adapter-runner.ts");
  return adapterRunner(report, selection);
}
