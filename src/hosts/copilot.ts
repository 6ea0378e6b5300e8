import { join } from "node:path";
import { type Host, startMembers } from "./host.ts";
import { jsonFormat } from "./json-format.ts";

export const copilot: Host = {
  name: "copilot",
  aliases: ["copilot-cli"],
  title: "GitHub Copilot CLI",
  format: jsonFormat("jsonc"),
  servers: "mcpServers",
  user: (home) => [join(home.named("COPILOT_HOME") ?? join(home.folder, ".copilot"), "mcp-config.json")],
  // Measured with 1.0.102: beside a .mcp.json the other file is not read. Alone, it leaves Claude Code's file be.
  project: [".mcp.json", ".github/mcp.json"],
  serverName: null,
  traces: { programs: ["copilot"], folders: [".copilot"] },
  next: {
    user: "Copilot CLI asks before it runs a tool that changes something.",
    project: "Copilot CLI reads a project's file only where the folder is trusted.",
  },
  entry: (server) => [
    // "local" means the same, but Claude Code refuses a .mcp.json that has it.
    { key: "type", value: "stdio" },
    ...startMembers(server),
    { key: "tools", value: ["*"], once: true },
  ],
};
