import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A plugin whose integrations are given by the lines of their templates. */
export function installPlugin(
  folder: string,
  id: string,
  templates: Readonly<Record<string, readonly string[]>>,
): void {
  mkdirSync(join(folder, "integrations"), { recursive: true });
  writeFileSync(join(folder, "phux-plugin.toml"), `id = "${id}"\nname = "${id}"\n`);
  for (const [name, lines] of Object.entries(templates)) {
    writeFileSync(join(folder, "integrations", `${name}.toml`), lines.map((line) => `${line}\n`).join(""));
  }
}

/** A configuration in a home folder, whose plugins lie in that folder too. */
export function writeConfig(home: string, enabled: readonly string[], disabled: readonly string[] = []): void {
  mkdirSync(join(home, ".config", "phux"), { recursive: true });
  const entry = (name: string, isEnabled: boolean) =>
    `[[plugins]]\nmanifest = ${JSON.stringify(join(home, name))}\nenabled = ${isEnabled}\n`;
  const entries = [...enabled.map((name) => entry(name, true)), ...disabled.map((name) => entry(name, false))];
  writeFileSync(join(home, ".config", "phux", "config.toml"), entries.join(""));
}
