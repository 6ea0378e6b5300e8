import { join } from "node:path";
import { type Host, startMembers } from "./host.ts";
import { jsonFormat } from "./json-format.ts";

export const qwen: Host = {
  name: "qwen",
  aliases: ["qwen-code"],
  title: "Qwen Code",
  format: jsonFormat("jsonc"),
  servers: "mcpServers",
  user: (home) => [join(home.named("QWEN_HOME") ?? join(home.folder, ".qwen"), "settings.json")],
  project: [".qwen/settings.json"],
  serverName: null,
  traces: { programs: ["qwen"], folders: [".qwen"] },
  next: {
    user: "`qwen mcp list` shows whether it connects.",
    project: "Qwen Code reads a project's file only when it is started in that very folder.",
  },
  entry: startMembers,
};
