import { join } from "node:path";
import { type Host, startMembers } from "./host.ts";
import { jsonFormat } from "./json-format.ts";

export const vscode: Host = {
  name: "vscode",
  aliases: ["code", "vs-code"],
  title: "VS Code",
  format: jsonFormat("jsonc"),
  servers: "servers",
  user: (home) => {
    const config = home.platform === "darwin" ? join(home.folder, "Library", "Application Support") : home.config;
    return [join(config, "Code", "User", "mcp.json")];
  },
  project: [".vscode/mcp.json"],
  serverName: null,
  traces: { programs: ["code"], folders: [".config/Code", ".vscode", "Library/Application Support/Code"] },
  next: {
    user: "VS Code asks whether it may start the server (MCP: List Servers).",
    project: "VS Code asks whether it may start the server (MCP: List Servers).",
  },
  entry: (server) => [{ key: "type", value: "stdio" }, ...startMembers(server)],
};
