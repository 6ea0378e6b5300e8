import { join } from "node:path";
import { type Host, startMembers } from "./host.ts";
import { jsonFormat } from "./json-format.ts";

export const gemini: Host = {
  name: "gemini",
  aliases: ["gemini-cli"],
  title: "Gemini CLI",
  format: jsonFormat("jsonc"),
  servers: "mcpServers",
  user: (home) => [join(home.named("GEMINI_CLI_HOME") ?? home.folder, ".gemini", "settings.json")],
  project: [".gemini/settings.json"],
  serverName: null,
  traces: { programs: ["gemini"], folders: [".gemini"] },
  next: {
    user: "Gemini CLI starts no server in a folder that is not trusted.",
    project: "Gemini CLI reads a project's file only when it is started in that very folder, and that is trusted.",
  },
  entry: startMembers,
};
