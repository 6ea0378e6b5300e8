import * as v from "valibot";
import { fail, ok, type Result } from "../wire/result.ts";
import { firstFault } from "./schema-fault.ts";

const RULE = "must be a text with a visible character";
const word = v.pipe(v.string(RULE), v.trim(), v.nonEmpty(RULE));
const words = v.optional(v.array(word, "must be a list of texts"), []);
const list = <const Item extends v.GenericSchema>(item: Item) =>
  v.optional(v.array(item, "must be a list of tables"), []);
const description = v.pipe(
  v.optional(v.string("must be a text"), ""),
  v.transform((text) => text.trim() || null),
);

const action = v.object(
  {
    id: word,
    command: v.pipe(
      v.array(v.string("must be a text"), "must be a list of texts"),
      v.check(([program]) => program !== undefined && program !== "", "must begin with a program"),
    ),
    cwd: v.optional(word),
  },
  "must be a table",
);

/** A profile in the key order of its document. */
const profile = v.object(
  {
    id: word,
    title: word,
    description,
    contexts: words,
    agents: words,
    actions: words,
    events: words,
    panes: list(v.object({ id: word, pane: word, role: word, description }, "must be a table")),
  },
  "must be a table",
);

/** Tables that newer releases add concern others. `workspaces` is the older name of `profiles`. */
const manifest = v.object({
  id: word,
  name: word,
  actions: list(action),
  profiles: list(profile),
  workspaces: list(profile),
});

export type PluginAction = v.InferOutput<typeof action>;
export type PluginProfile = v.InferOutput<typeof profile>;

/** What a `phux-plugin.toml` declares, as far as our tools need it. */
export interface PluginManifest {
  readonly id: string;
  readonly name: string;
  readonly actions: readonly PluginAction[];
  readonly profiles: readonly PluginProfile[];
}

/** Reads a manifest's tables; the fault is in words that follow the name of the file. */
export function parseManifest(tables: unknown): Result<PluginManifest, string> {
  const parsed = v.safeParse(manifest, tables);
  if (!parsed.success) return fail(firstFault(parsed.issues));
  const { id, name, actions, profiles, workspaces } = parsed.output;
  const all = [...profiles, ...workspaces];
  const twice = repeated(actions, "action") ?? repeated(all, "profile");
  return twice === null ? ok({ id, name, actions, profiles: all }) : fail(`is not valid: it declares ${twice} twice`);
}

function repeated(declared: readonly { readonly id: string }[], kind: string): string | null {
  const seen = new Set<string>();
  for (const { id } of declared) {
    if (seen.has(id)) return `the ${kind} ${JSON.stringify(id)}`;
    seen.add(id);
  }
  return null;
}
