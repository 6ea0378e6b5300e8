import { join } from "node:path";
import type { Candidates, Host } from "./host.ts";
import { jsonFormat } from "./json-format.ts";

// It merges all of them, and a later one wins; so an entry belongs where nothing can hide it.
const NAMES: Candidates = ["opencode.jsonc", "opencode.json"];

export const opencode: Host = {
  name: "opencode",
  aliases: [],
  title: "opencode",
  format: jsonFormat("jsonc"),
  servers: "mcp",
  user: (home) => {
    const [commented, plain = commented] = NAMES;
    return [join(home.config, "opencode", commented), join(home.config, "opencode", plain)];
  },
  project: NAMES,
  serverName: null,
  traces: { programs: ["opencode"], folders: [".config/opencode", ".opencode"] },
  next: {
    user: "opencode runs every call without asking; `opencode mcp list` shows whether it connects.",
    project: null,
  },
  entry: ({ command, args, variables }) => [
    { key: "type", value: "local" },
    { key: "command", value: [command, ...args] },
    { key: "environment", variables },
    { key: "enabled", value: true, once: true },
  ],
};
