import { configPath, readPluginEntries } from "../../../src/phux/config-file.ts";
import { loadPlugins } from "../../../src/phux/plugins.ts";
import { readToml } from "../../../src/phux/toml-file.ts";
import { type Check, failing, pass, warn } from "./check.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const CONFIG_HINT = "correct the file; nothing that it says counts until then";

/** The configuration and all that it extends can be read. */
export async function checkConfig(environment: Environment): Promise<Check> {
  const path = configPath(environment);
  if (path === null) return warn("config", "there is neither XDG_CONFIG_HOME nor HOME, so no configuration", "set HOME");
  const read = await readPluginEntries(path, true);
  if (!read.ok) return failing("config", read.error.message, CONFIG_HINT);
  const file = await readToml(path);
  return pass("config", file.ok ? path : `${path} does not exist: the defaults hold`);
}

/** A row for each plugin whose manifest cannot be used; else one row for all of them. */
export async function checkPlugins(environment: Environment): Promise<readonly Check[]> {
  const path = configPath(environment);
  const entries = path === null ? null : await readPluginEntries(path, true);
  if (entries === null || !entries.ok) return [warn("plugins", "not looked at, without a configuration", CONFIG_HINT)];
  const loaded = await loadPlugins(entries.value);
  const broken = loaded.flatMap((plugin) => (plugin.ok ? [] : [plugin.error]));
  if (broken.length > 0) {
    return broken.map((why) => failing("plugins", why, "correct the manifest, or take the plugin out of the configuration"));
  }
  const enabled = loaded.flatMap((plugin) => (plugin.ok && plugin.value.enabled ? [plugin.value.id] : []));
  if (loaded.length === 0) return [pass("plugins", "none configured")];
  return [pass("plugins", `${loaded.length} configured, enabled: ${enabled.join(", ") || "none"}`)];
}
