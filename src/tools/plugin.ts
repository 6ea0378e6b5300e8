import { configPath, readPluginEntries } from "../phux/config-file.ts";
import { type Refusal, sentence } from "../phux/errors.ts";
import { findAction, type LoadedPlugin, loadPlugins, selectProfiles } from "../phux/plugins.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import { anyText, integer, optional } from "./argument.ts";
import type { Call } from "./call.ts";
import { runAction } from "./plugin-run.ts";
import { inProcess } from "./tool.ts";

const config = optional(anyText("Path of another config.toml."));

/** The plugins of the file that the call names, or of the default one, which need not exist. */
async function configuredPlugins(named: string | undefined, call: Call): Promise<Result<LoadedPlugin[], Refusal>> {
  const path = named ?? configPath(call.environment);
  if (path === null)
    return fail(sentence("neither HOME nor XDG_CONFIG_HOME says where phux's config.toml is: pass config"));
  const entries = await readPluginEntries(path, named === undefined);
  return entries.ok ? ok(await loadPlugins(entries.value)) : entries;
}

function refuseEmptyConfig({ config: path }: { readonly config?: string | undefined }): Refusal | null {
  return path === "" ? sentence('"config" is empty: give the path of a file, or leave it out') : null;
}

export const pluginAction = inProcess({
  name: "phux_plugin_action",
  verb: "phux config run",
  sets: [],
  about:
    "Run a command that an enabled phux plugin declares, on this machine, without shell or pane; no server needed. It does " +
    "what its author wrote; its output is data. Non-zero exit_code and `timed_out` are answers. Ended beyond 1 MiB of stdout or 64 KiB of stderr.",
  touches: { methods: [], runsLocalCommand: true },
  input: {
    plugin_id: anyText("Configured plugin."),
    action_id: anyText("Action in its manifest."),
    timeout_secs: optional(integer("Kill it after; absent: never.", 0, null)),
    cwd: optional(anyText("Folder; relative to the plugin root.")),
    config,
  },
  cuts: [
    { at: ["stdout"], hint: "the beginning of stdout was left out: let the action write to a file, and read that" },
    { at: ["stderr"], hint: "the beginning of stderr was left out: let the action write to a file, and read that" },
  ],
  exclude: refuseEmptyConfig,
  async run(given, call) {
    const plugins = await configuredPlugins(given.config, call);
    if (!plugins.ok) return plugins;
    const found = findAction(plugins.value, given.plugin_id, given.action_id);
    if (!found.ok) return found;
    call.progress(`running ${given.action_id} of ${given.plugin_id}`);
    const limitMs = given.timeout_secs === undefined ? Number.POSITIVE_INFINITY : given.timeout_secs * 1_000;
    const ran = await runAction({ ...found.value, cwd: given.cwd, limitMs }, call);
    if (!ran.ok) return ran;
    const { cwd, outcome, exitCode: exit_code, stdout, stderr, durationMs: duration_ms } = ran.value;
    const { command } = found.value.action;
    const { plugin_id, action_id } = given;
    return ok({
      ...{ schema_version: 1, plugin_id, action_id, command, cwd },
      ...{ outcome, exit_code, stdout, stderr, duration_ms },
    });
  },
});

export const pluginProfile = inProcess({
  name: "phux_plugin_profile",
  verb: null,
  sets: [],
  about:
    "List the profiles that configured plugins declare: which agents, actions, events and pane roles belong together. Reads " +
    "files only; disabled plugins too.",
  touches: { methods: [] },
  input: {
    plugin_id: optional(anyText("Only this plugin.")),
    profile_id: optional(anyText("Only profiles of this id.")),
    config,
  },
  cuts: [{ at: ["profiles"], hint: "the first profiles were left out: pass plugin_id, or profile_id too" }],
  exclude: refuseEmptyConfig,
  async run(given, call) {
    const plugins = await configuredPlugins(given.config, call);
    if (!plugins.ok) return plugins;
    const profiles = selectProfiles(plugins.value, given.plugin_id, given.profile_id);
    return profiles.ok ? ok({ profiles: profiles.value, count: profiles.value.length }) : profiles;
  },
});
