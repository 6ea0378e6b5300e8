import { realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fail, ok, type Result } from "../wire/result.ts";
import type { PluginEntry } from "./config-file.ts";
import { type Refusal, sentence } from "./errors.ts";
import { type PluginAction, type PluginManifest, type PluginProfile, parseManifest } from "./plugin-manifest.ts";
import { readToml } from "./toml-file.ts";

/** The name of a manifest when an entry gives only its folder. */
const MANIFEST_NAME = "phux-plugin.toml";

/** A configured plugin whose manifest is valid. */
export interface Plugin extends PluginManifest {
  readonly enabled: boolean;
  /** The folder of its manifest, links followed. */
  readonly root: string;
}

/** A configured plugin: itself, or what is wrong with its manifest, file named. */
export type LoadedPlugin = Result<Plugin, string>;

/** Reads the manifest of every entry, disabled ones included, in the order of the configuration. */
export async function loadPlugins(entries: readonly PluginEntry[]): Promise<LoadedPlugin[]> {
  const loaded: LoadedPlugin[] = [];
  for (const entry of entries) loaded.push(await loadPlugin(entry));
  return loaded;
}

async function loadPlugin({ manifest, enabled }: PluginEntry): Promise<LoadedPlugin> {
  const isFolder = await stat(manifest).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
  const path = isFolder ? join(manifest, MANIFEST_NAME) : manifest;
  const tables = await readToml(path);
  const parsed = tables.ok ? parseManifest(tables.value) : fail(tables.error.reason);
  if (!parsed.ok) return fail(`the plugin manifest ${path} ${parsed.error}`);
  // The file was read, so it has a real path, or has gone since.
  const real = await realpath(path).catch(() => path);
  return ok({ ...parsed.value, enabled, root: dirname(real) });
}

/**
 * An action that an enabled plugin declares. The first plugin of that id counts; a broken manifest of another one is no
 * reason to refuse, but when the id is not found it may be the one that was meant.
 */
export function findAction(
  loaded: readonly LoadedPlugin[],
  pluginId: string,
  actionId: string,
): Result<{ readonly plugin: Plugin; readonly action: PluginAction }, Refusal> {
  const plugins = loaded.flatMap((one) => (one.ok ? [one.value] : []));
  const plugin = plugins.find(({ id }) => id === pluginId);
  const named = JSON.stringify(pluginId);
  if (plugin === undefined) {
    const broken = loaded.flatMap((one) => (one.ok ? [] : [one.error]));
    const known = `configured: ${listed(plugins)}`;
    return fail(sentence([`no plugin ${named} is configured; ${known}`, ...broken].join("; ")));
  }
  if (!plugin.enabled)
    return fail(sentence(`the plugin ${named} is disabled: the human can enable it in the configuration`));
  const action = plugin.actions.find(({ id }) => id === actionId);
  if (action !== undefined) return ok({ plugin, action });
  return fail(
    sentence(`the plugin ${named} has no action ${JSON.stringify(actionId)}; it has ${listed(plugin.actions)}`),
  );
}

/** A profile with the plugin that declares it, in the key order of its document. */
export interface DeclaredProfile {
  readonly plugin_id: string;
  readonly plugin_name: string;
  readonly enabled: boolean;
  readonly profile: PluginProfile;
}

/**
 * The profiles of all plugins in configured order, or those of one plugin, of one id, or both. A single invalid manifest
 * is a refusal, and so is a filter that nothing passes.
 */
export function selectProfiles(
  loaded: readonly LoadedPlugin[],
  pluginId: string | undefined,
  profileId: string | undefined,
): Result<readonly DeclaredProfile[], Refusal> {
  const profiles: DeclaredProfile[] = [];
  for (const plugin of loaded) {
    if (!plugin.ok) return fail(sentence(plugin.error));
    const { id: plugin_id, name: plugin_name, enabled } = plugin.value;
    for (const profile of plugin.value.profiles) profiles.push({ plugin_id, plugin_name, enabled, profile });
  }
  const found = profiles.filter(
    ({ plugin_id, profile }) =>
      (pluginId === undefined || plugin_id === pluginId) && (profileId === undefined || profile.id === profileId),
  );
  if (found.length > 0 || (pluginId === undefined && profileId === undefined)) return ok(found);
  const ofPlugin = pluginId === undefined ? "" : ` of plugin ${JSON.stringify(pluginId)}`;
  const named = profileId === undefined ? "profile" : `profile ${JSON.stringify(profileId)}`;
  const known = listed(profiles.map(({ plugin_id, profile }) => ({ id: `${plugin_id}/${profile.id}` })));
  return fail(sentence(`no ${named}${ofPlugin} is declared; declared: ${known}`));
}

/** How many ids a message lists before it only counts the rest. */
const MOST_LISTED = 16;

function listed(declared: readonly { readonly id: string }[]): string {
  if (declared.length === 0) return "none";
  const rest = declared.length - MOST_LISTED;
  const shown = declared.slice(0, MOST_LISTED).map(({ id }) => id);
  return shown.join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
