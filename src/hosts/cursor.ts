import { join } from "node:path";
import { type Host, startMembers } from "./host.ts";
import { jsonFormat } from "./json-format.ts";

export const cursor: Host = {
  name: "cursor",
  aliases: ["cursor-agent"],
  title: "Cursor",
  format: jsonFormat("jsonc"),
  servers: "mcpServers",
  user: (home) => [join(home.folder, ".cursor", "mcp.json")],
  project: [".cursor/mcp.json"],
  serverName: null,
  traces: { programs: ["cursor", "cursor-agent"], folders: [".cursor"] },
  next: {
    user: "Switch the server on in Cursor's MCP settings.",
    project: "Switch the server on in Cursor's MCP settings.",
  },
  entry: startMembers,
};
