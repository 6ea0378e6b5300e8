/** Writes docs/tools.md from the declarations. `npm run docs`; a test fails when the page is older than they are. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { catalog } from "../src/tools/catalog.ts";
import { descriptorOf } from "../src/tools/descriptor.ts";
import { setNames } from "../src/tools/selection.ts";
import type { Tool } from "../src/tools/tool.ts";

export const toolsPage = join(import.meta.dir, "..", "docs", "tools.md");

/** Text in a table's cell. */
const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");

function typeOf(property: object): string {
  const options: unknown = Reflect.get(property, "enum");
  const items: unknown = Reflect.get(property, "items");
  if (Array.isArray(options)) return options.map((option) => `\`${option}\``).join(" ");
  if (typeof items === "object" && items !== null) return `list of ${typeOf(items)}`;
  return String(Reflect.get(property, "type"));
}

/** What a host may do with it unasked, and what a person must say yes to. */
function traits(tool: Tool): string {
  const { annotations } = descriptorOf(tool);
  const words = [
    annotations.readOnlyHint ? "reads only" : annotations.destructiveHint ? "can end or type something" : "arranges",
    annotations.openWorldHint ? "may start or reach a program" : "stays within phux",
    ...(tool.confirm === undefined ? [] : ["needs `confirm: true`"]),
    tool.runs === "cli" ? `runs \`${tool.verb}\`` : "talks to the server itself",
  ];
  return `${words.join("; ")}.${tool.sets.length === 0 ? "" : ` Sets: ${tool.sets.map((set) => `\`${set}\``).join(" ")}.`}`;
}

function section(tool: Tool): string {
  const { inputSchema } = descriptorOf(tool);
  const required = new Set(
    "required" in inputSchema && Array.isArray(inputSchema.required) ? inputSchema.required : [],
  );
  const rows = Object.entries(inputSchema.properties).map(([name, property]) => {
    const about = "description" in property ? String(property.description) : "";
    return `| \`${name}\` | ${typeOf(property)} | ${required.has(name) ? "yes" : ""} | ${cell(about)} |`;
  });
  const table =
    rows.length === 0
      ? ["Takes no arguments."]
      : ["| argument | type | needed | meaning |", "|---|---|---|---|", ...rows];
  return [`## ${tool.name}`, "", tool.about, "", traits(tool), "", ...table, ""].join("\n");
}

/** The page as it must be. */
export function toolsMarkdown(): string {
  const sets = setNames.map((set) => {
    const names = catalog.filter((tool) => tool.sets.includes(set)).map(({ name }) => `\`${name}\``);
    return `| \`${set}\` | ${names.length} | ${names.join(" ")} |`;
  });
  return [
    "# Tools",
    "",
    "Made from the declarations by `npm run docs`; `phux-mcp --schema` prints the same for a program. Results and refusals are documents that say themselves what they are; every tool takes what [decisions.md](decisions.md) calls lenient input.",
    "",
    "| set for `--tools` | tools | which |",
    "|---|---|---|",
    ...sets,
    "",
    ...catalog.map(section),
  ].join("\n");
}

if (import.meta.main) writeFileSync(toolsPage, toolsMarkdown());
