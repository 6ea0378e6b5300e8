import { join } from "node:path";
import { type Host, startMembers } from "./host.ts";
import { jsonFormat } from "./json-format.ts";

export const windsurf: Host = {
  name: "windsurf",
  aliases: [],
  title: "Windsurf",
  format: jsonFormat("jsonc"),
  servers: "mcpServers",
  user: (home) => [join(home.folder, ".codeium", "windsurf", "mcp_config.json")],
  project: null,
  serverName: null,
  traces: { programs: ["windsurf"], folders: [".codeium/windsurf"] },
  next: { user: "Refresh the list of servers in Cascade, or start Windsurf again.", project: null },
  entry: startMembers,
};
