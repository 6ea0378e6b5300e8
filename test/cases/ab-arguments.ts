/** The least that each published tool takes, so that every one can be called. */
import { isObject } from "../../src/mcp/message.ts";

type Given = Readonly<Record<string, unknown>>;

export interface Published {
  readonly name: string;
  readonly inputSchema: { readonly properties: Given; readonly required?: readonly string[] };
}

/** What a value means decides; the rest comes from its type. */
const meant: Given = {
  target: "@1",
  source: "@1",
  first: "@1",
  second: "@2",
  new_pane: "@2",
  to: "@2",
  mailbox: "@2",
  session: "home",
  path: import.meta.path,
  confirm: true,
  token: "a".repeat(32),
  ids: ["b".repeat(32)],
};
/** Tools that need more than what is required, or wait for ever only with more. */
const special: Readonly<Record<string, Given>> = {
  phux_swap_pane: { second: "@2" },
  phux_move_pane: { target: "@2" },
  phux_wait: { until: "never there" },
  phux_watch: { target: "@1" },
  phux_launch: { integration: "shell" },
  phux_agent_answer: { choice: 1 },
  phux_tag: { action: "add", tags: ["red"] },
  phux_organize: { session: "home", group: "mine" },
  phux_agent_set: { target: "@1" },
  phux_resource_wait: { timeout_secs: 600 },
  phux_archive: { action: "save" },
  phux_approve: { id: "c".repeat(32), confirm: true },
};

function sample(name: string, schema: unknown): unknown {
  if (!isObject(schema)) return "x";
  const { type, enum: choices, items, minimum } = schema;
  if (name in meant) return meant[name];
  if (Array.isArray(choices)) return choices[0];
  if (type === "array") return [sample("", items)];
  if (type === "integer" || type === "number") return Number(minimum ?? 0) + 1;
  return type === "boolean" ? true : "x";
}

/** Arguments with which a tool goes as far as it can. */
export function leastOf({ name, inputSchema: { properties, required = [] } }: Published): Given {
  const needed = "confirm" in properties ? [...required, "confirm"] : required;
  return { ...Object.fromEntries(needed.map((one) => [one, sample(one, properties[one])])), ...special[name] };
}

/** The tools that a binary publishes, out of its own `--schema`. */
export function publishedBy(schema: string): readonly Published[] {
  return JSON.parse(schema);
}
