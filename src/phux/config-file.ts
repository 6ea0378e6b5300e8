import { realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import * as v from "valibot";
import { fail, ok, type Result } from "../wire/result.ts";
import { type Refusal, refuse } from "./errors.ts";
import { firstFault } from "./schema-fault.ts";
import { readToml } from "./toml-file.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the configuration is when nobody names a file: null when the environment has no home at all. */
export function configPath(environment: Environment): string | null {
  const { XDG_CONFIG_HOME: config, HOME: home } = environment;
  const folder = config || (home ? join(home, ".config") : null);
  return folder === null ? null : join(folder, "phux", "config.toml");
}

/** A `[[plugins]]` entry: where its manifest is, as an absolute path, and whether it is switched on. */
export interface PluginEntry {
  readonly manifest: string;
  readonly enabled: boolean;
}

const entries = v.array(
  v.object(
    {
      manifest: v.pipe(v.string("must be a path"), v.nonEmpty("must be a path")),
      enabled: v.optional(v.boolean("must be true or false"), true),
    },
    "must be a table with a manifest",
  ),
  "must be a list of tables",
);

/** The part of the configuration that concerns plugins. Everything else in the file is somebody else's. */
const config = v.object({
  extends: v.optional(v.array(v.string("must be a path or a name"), "must be a list of paths or names"), []),
  plugins: v.optional(entries),
  "plugins-append": v.optional(entries, []),
});

/** A file whose layers name layers stops here. */
const DEEPEST_LAYER = 4;

/**
 * The plugins of a configuration file with the layers that it `extends`, lowest first: `plugins` takes the place of what
 * lower layers say, `plugins-append` adds to it, and a relative manifest starts at the folder of the file that names it.
 * `mayBeAbsent`: a missing file is a configuration without plugins. Anything unreadable is invalid_config.
 */
export async function readPluginEntries(path: string, mayBeAbsent: boolean): Promise<Result<PluginEntry[], Refusal>> {
  const layers = new Layers();
  const refusal = await layers.add(resolve(path), [], mayBeAbsent);
  return refusal === null ? ok(layers.entries) : fail(refusal);
}

class Layers {
  entries: PluginEntry[] = [];
  readonly #merged = new Set<string>();

  /** Merges a file after everything it extends. `above` are the files that led to it. */
  async add(path: string, above: readonly string[], mayBeAbsent: boolean): Promise<Refusal | null> {
    const identity = await realpath(path).catch(() => path);
    if (above.includes(identity)) return invalid(path, "extends itself, through its own layers");
    // A layer that two files name is merged once, where it came first.
    if (this.#merged.has(identity)) return null;
    this.#merged.add(identity);
    const tables = await readToml(path);
    if (!tables.ok) return tables.error.absent && mayBeAbsent ? null : invalid(path, tables.error.reason);
    const parsed = v.safeParse(config, tables.value);
    if (!parsed.success) return invalid(path, firstFault(parsed.issues));
    const { extends: lower, plugins, "plugins-append": more } = parsed.output;
    if (lower.length > 0 && above.length >= DEEPEST_LAYER) {
      return invalid(path, `is layer ${above.length}, and extends others: ${DEEPEST_LAYER} are the most`);
    }
    for (const name of lower) {
      const refusal = await this.add(layerPath(name, path), [...above, identity], false);
      if (refusal !== null) return refusal;
    }
    const located = (entry: PluginEntry) => ({ ...entry, manifest: resolve(dirname(path), entry.manifest) });
    if (plugins !== undefined) this.entries = plugins.map(located);
    this.entries = [...this.entries, ...more.map(located)];
    return null;
  }
}

/** A bare name is a file of the `layers` folder; anything else is a path from where it is named. */
function layerPath(name: string, declaring: string): string {
  if (isAbsolute(name)) return name;
  const isPath = name.includes("/") || /\.toml$/i.test(name);
  return isPath ? resolve(dirname(declaring), name) : join(dirname(declaring), "layers", `${name}.toml`);
}

function invalid(path: string, why: string): Refusal {
  return refuse("invalid_config", `the configuration ${path} ${why}`);
}
