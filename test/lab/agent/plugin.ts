import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Where the plugin lies, by the folder of the executables. A configuration names it to make its agents known. */
export function agentPluginIn(bin: string): string {
  return join(bin, "phux-lab", "agents");
}

const manifest = `id = "lab.agents"
name = "Agents of the lab"
`;

/** By path, because the PATH of a pane need not hold it. */
const lab = `id = "lab"
display_name = "Lab agent"
kind = "terminal-agent"

[launch]
command = ["$\{PHUX_PLUGIN_ROOT}/../../lab-agent"]

[agent_identity]
kind = "lab"
`;

const shell = `id = "shell"
display_name = "A plain shell: the dullest agent"
kind = "terminal-agent"

[launch]
command = ["/bin/sh"]

[agent_identity]
kind = "shell"
`;

/** Writes the plugin that tells phux how the lab's agents are started. */
export function installAgentPlugin(folder: string): void {
  mkdirSync(join(folder, "integrations"), { recursive: true });
  writeFileSync(join(folder, "phux-plugin.toml"), manifest);
  for (const [name, text] of Object.entries({ lab, shell })) {
    writeFileSync(join(folder, "integrations", `${name}.toml`), text);
  }
}

/** The configuration that switches the plugin on. */
export function agentConfig(bin: string): string {
  return `[[plugins]]\nmanifest = ${JSON.stringify(agentPluginIn(bin))}\n`;
}
