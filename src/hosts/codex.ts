import { join } from "node:path";
import { type Host, startMembers } from "./host.ts";
import { tomlFormat } from "./toml-format.ts";

export const codex: Host = {
  name: "codex",
  aliases: ["codex-cli"],
  title: "Codex CLI",
  format: tomlFormat,
  servers: "mcp_servers",
  user: (home) => [join(home.named("CODEX_HOME") ?? join(home.folder, ".codex"), "config.toml")],
  project: [".codex/config.toml"],
  serverName: { pattern: /^[A-Za-z0-9_:@/.-]+$/, spoken: "letters, digits and _ : @ / . -" },
  traces: { programs: ["codex"], folders: [".codex"] },
  next: {
    // Its allow-list of variables has neither PHUX_SOCKET nor XDG_RUNTIME_DIR (hosts/README.md 18).
    user: "Codex passes no PHUX_SOCKET on: name a socket that is not the default with --env PHUX_SOCKET=PATH.",
    project: "Codex reads a project's file only where the project is trusted.",
  },
  entry: startMembers,
};
