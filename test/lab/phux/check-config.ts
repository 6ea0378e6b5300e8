import { configPath, readPluginEntries } from "../../../src/phux/config-file.ts";
import { readToml } from "../../../src/phux/toml-file.ts";
import { ok } from "../../../src/wire/result.ts";
import { type Check, failing, pass, warn } from "./check.ts";
import { loadIntegrations } from "./integrations.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const CONFIG_HINT = "correct the file; nothing that it says counts until then";

/** The configuration and all that it extends can be read. */
export async function checkConfig(environment: Environment): Promise<Check> {
  const path = configPath(environment);
  if (path === null)
    return warn("config", "there is neither XDG_CONFIG_HOME nor HOME, so no configuration", "set HOME");
  const read = await readPluginEntries(path, true);
  if (!read.ok) return failing("config", read.error.message, CONFIG_HINT);
  const file = await readToml(path);
  return pass("config", file.ok ? path : `${path} does not exist: the defaults hold`);
}

/** A row for everything that a plugin offers in vain; else one row for all of them. */
export async function checkPlugins(environment: Environment): Promise<readonly Check[]> {
  const path = configPath(environment);
  const entries = path === null ? ok([]) : await readPluginEntries(path, true);
  const integrations = await loadIntegrations(environment);
  if (!entries.ok || !integrations.ok)
    return [warn("plugins", "not looked at: there is no usable configuration", CONFIG_HINT)];
  const { broken, lacking } = integrations.value;
  const rows = [
    ...broken.map((why) => failing("plugins", why, "correct it, or take the plugin out of the configuration")),
    ...lacking.map((why) => warn("plugins", why, "install that program, or launch something else")),
  ];
  if (rows.length > 0) return rows;
  const enabled = entries.value.filter((entry) => entry.enabled).length;
  const detail =
    entries.value.length === 0 ? "none configured" : `${entries.value.length} configured, ${enabled} enabled`;
  return [pass("plugins", detail)];
}
