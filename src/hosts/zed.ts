import { join } from "node:path";
import { type Host, startMembers } from "./host.ts";
import { jsonFormat } from "./json-format.ts";

export const zed: Host = {
  name: "zed",
  aliases: ["zeditor"],
  title: "Zed",
  format: jsonFormat("jsonc"),
  servers: "context_servers",
  // On macOS too it is ~/.config, and there without XDG_CONFIG_HOME.
  user: (home) => [
    join(home.platform === "darwin" ? join(home.folder, ".config") : home.config, "zed", "settings.json"),
  ],
  project: [".zed/settings.json"],
  serverName: null,
  traces: { programs: ["zed", "zeditor"], folders: [".config/zed"] },
  next: { user: "Zed starts it at once; the agent panel's settings show a green dot.", project: null },
  entry: startMembers,
};
