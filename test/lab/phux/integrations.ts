import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { configPath, readPluginEntries } from "../../../src/phux/config-file.ts";
import { loadPlugins, type Plugin } from "../../../src/phux/plugins.ts";
import { readToml } from "../../../src/phux/toml-file.ts";
import { fail, ok, type Result } from "../../../src/wire/result.ts";
import { type IntegrationTemplate, parseTemplate } from "./integration-template.ts";
import { type CliRefusal, refuseCli } from "./refusal.ts";

/** A way to start an agent, and the enabled plugin that declares it. */
export interface Integration extends IntegrationTemplate {
  readonly launch: NonNullable<IntegrationTemplate["launch"]>;
  readonly plugin: string;
  /** The plugin's folder. */
  readonly root: string;
}

/** What the enabled plugins offer. */
export interface Integrations {
  /** In the order of the configuration, then of the file names. */
  readonly launchable: readonly Integration[];
  /** Sentences: what could not be read, file named. */
  readonly broken: readonly string[];
  /** Sentences: what is offered, but lacks a program on PATH. */
  readonly lacking: readonly string[];
}

/** Templates lie here, below the folder of the plugin's manifest. */
const FOLDER = "integrations";

type Environment = Readonly<Record<string, string | undefined>>;

/** Everything that can be launched. A configuration that cannot be read is `invalid_config`; a broken plugin is not. */
export async function loadIntegrations(environment: Environment): Promise<Result<Integrations, CliRefusal>> {
  const path = configPath(environment);
  const entries = path === null ? ok([]) : await readPluginEntries(path, true);
  if (!entries.ok) return entries;
  const launchable: Integration[] = [];
  const broken: string[] = [];
  const lacking: string[] = [];
  for (const plugin of await loadPlugins(entries.value.filter(({ enabled }) => enabled))) {
    const templates = plugin.ok ? await readTemplates(plugin.value) : [plugin];
    for (const read of templates) {
      if (!read.ok) broken.push(read.error);
      else if (plugin.ok && read.value.launch !== undefined) {
        const integration = {
          ...read.value,
          launch: read.value.launch,
          plugin: plugin.value.id,
          root: plugin.value.root,
        };
        const missing = missingProgram(integration, environment);
        if (missing === null) launchable.push(integration);
        else lacking.push(`${qualified(integration)} needs ${missing}, which is not on PATH`);
      }
    }
  }
  return ok({ launchable, broken, lacking });
}

async function readTemplates({ root }: Plugin): Promise<Result<IntegrationTemplate, string>[]> {
  const folder = join(root, FOLDER);
  // Not every plugin has one.
  const names = await readdir(folder).catch(() => []);
  const templates = names.filter((name) => name.endsWith(".toml")).sort();
  return Promise.all(templates.map((name) => readTemplate(join(folder, name))));
}

async function readTemplate(path: string): Promise<Result<IntegrationTemplate, string>> {
  const tables = await readToml(path);
  const template = tables.ok ? parseTemplate(tables.value) : fail(tables.error.reason);
  return template.ok ? template : fail(`the integration ${path} ${template.error}`);
}

function missingProgram({ launch }: Integration, { PATH = "" }: Environment): string | null {
  return launch.required_executables.find((name) => Bun.which(name, { PATH }) === null) ?? null;
}

/** How an integration is named when several plugins have one of its id. */
export function qualified({ plugin, id }: Pick<Integration, "plugin" | "id">): string {
  return `${plugin}/${id}`;
}

/** The one integration of a name, with or without its plugin. Refusals: `unknown_integration`, `ambiguous_integration`. */
export function findIntegration(
  { launchable, broken, lacking }: Integrations,
  name: string,
): Result<Integration, CliRefusal> {
  const [found, ...more] = launchable.filter((one) => name === one.id || name === qualified(one));
  if (found === undefined) {
    const known = launchable.length === 0 ? "none" : launchable.map(qualified).join(", ");
    const message = [
      `no launchable integration is named ${JSON.stringify(name)}; there are: ${known}`,
      ...lacking,
      ...broken,
    ];
    // What could not be loaded may be what was meant (tools.md 11).
    return fail(refuseCli("unknown_integration", message.join("; "), broken.length > 0 ? 1 : 2));
  }
  if (more.length === 0) return ok(found);
  const all = [found, ...more].map(qualified).join(", ");
  return fail(refuseCli("ambiguous_integration", `several integrations are named ${JSON.stringify(name)}: ${all}`));
}
