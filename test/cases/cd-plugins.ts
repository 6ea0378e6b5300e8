/** A phux configuration with one plugin, whose actions and profiles a test names. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const PLUGIN = "acme.tools";

/** Writes it under a folder, actions as scripts of sh by their id, and gives the path of the configuration. */
export function writePlugin(
  folder: string,
  actions: Readonly<Record<string, string>>,
  profiles: readonly string[] = [],
): string {
  const home = join(folder, "acme");
  mkdirSync(home, { recursive: true });
  const manifest = [
    `id = "${PLUGIN}"\nname = "Acme"\nversion = "1.0.0"\nmin_phux_version = "0.1"`,
    ...Object.entries(actions).map(
      ([id, script]) => `[[actions]]\nid = "${id}"\ntitle = "T"\ncommand = ${JSON.stringify(["sh", "-c", script])}`,
    ),
    ...profiles.map((id) => `[[profiles]]\nid = "${id}"\ntitle = "Profile ${id}"\nagents = ["claude"]`),
  ];
  writeFileSync(join(home, "phux-plugin.toml"), `${manifest.join("\n\n")}\n`);
  const config = join(folder, "config.toml");
  writeFileSync(config, '[[plugins]]\nmanifest = "acme"\n');
  return config;
}
