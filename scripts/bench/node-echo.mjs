// The least server that the official SDK makes under Node: one tool that gives its arguments back.
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const server = new Server({ name: "echo", version: "0" }, { capabilities: { tools: {} } });
const echo = { name: "echo", inputSchema: { type: "object", properties: {} } };
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [echo] }));
server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
  content: [{ type: "text", text: JSON.stringify(params.arguments ?? {}) }],
}));
await server.connect(new StdioServerTransport());
