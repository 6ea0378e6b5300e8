import { join } from "node:path";
import { type Host, startMembers } from "./host.ts";
import { jsonFormat } from "./json-format.ts";

export const claudeCode: Host = {
  name: "claude-code",
  aliases: ["claude"],
  title: "Claude Code",
  // It calls a file with comments malformed, and then uses none of its servers.
  format: jsonFormat("json"),
  servers: "mcpServers",
  user: (home) => [join(home.named("CLAUDE_CONFIG_DIR") ?? home.folder, ".claude.json")],
  project: [".mcp.json"],
  serverName: {
    pattern: /^[A-Za-z0-9_-]+$/,
    spoken: "letters, digits, _ and -",
    reserved: "workspace",
  },
  traces: { programs: ["claude"], folders: [".claude"] },
  next: {
    user: "Claude Code asks before it runs a tool; `claude mcp list` shows whether it connects.",
    project: "Claude Code asks once whether it may start a project's servers.",
  },
  entry: (server) => [{ key: "type", value: "stdio" }, ...startMembers(server)],
};
