/** The baseline of the throughput row: one tool that gives its argument back, on the adapter's own engine. */
import { Session } from "../../src/mcp/session.ts";
import { StdioTransport } from "../../src/mcp/stdio.ts";

const transport = new StdioTransport(() => Bun.stdin.stream(), Bun.stdout.writer());
const session = new Session(transport, {
  name: "echo",
  version: "0",
  instructions: "",
  catalog: {
    toolsJson: '[{"name":"echo","inputSchema":{"type":"object","properties":{}}}]',
    run: async (_, args) => ({ text: JSON.stringify(args), isError: false }),
  },
});
void session.start();
