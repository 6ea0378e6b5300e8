import { quote } from "../text/clean.ts";
import { offeredJson } from "../tools/published.ts";
import { type Offer, type Selection, select, type Wish } from "../tools/selection.ts";
import { fail, ok, type Result } from "../wire/result.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The wish in an argument vector, and the arguments that are no part of it. `--tools` stands once, in either form. */
export function wishIn(argv: readonly string[]): Result<{ wish: Wish; rest: readonly string[] }, string> {
  let readOnly = false;
  const lists: string[] = [];
  const rest: string[] = [];
  for (let at = 0; at < argv.length; at += 1) {
    const argument = argv[at] ?? "";
    if (argument === "--read-only") {
      readOnly = true;
    } else if (argument === "--tools") {
      at += 1;
      lists.push(argv[at] ?? "");
    } else if (argument.startsWith("--tools=")) {
      lists.push(argument.slice("--tools=".length));
    } else {
      rest.push(argument);
    }
  }
  if (lists.length > 1) return fail("--tools is given twice: name everything in one list, with commas");
  return ok({ wish: { readOnly, tools: lists[0] ?? null }, rest });
}

/**
 * The tools to offer, null for all of them. A list in argv stands above that of the environment; read-only holds when
 * either says so. What cannot be understood is an error: a slip of the finger must not switch everything on.
 */
export function selectionFor(wish: Wish, environment: Environment): Result<Selection | null, string> {
  const setting = environment["PHUX_MCP_READ_ONLY"] ?? "";
  if (!["", "0", "1"].includes(setting)) {
    return fail(`PHUX_MCP_READ_ONLY is ${quote(setting)}: set it to 1, or leave it out`);
  }
  const readOnly = wish.readOnly || setting === "1";
  const tools = wish.tools ?? (environment["PHUX_MCP_TOOLS"] || null);
  if (!readOnly && tools === null) return ok(null);
  // Parse boundary: the text was made from the declarations when this program was built.
  return select({ readOnly, tools }, JSON.parse(offeredJson) as Offer[]);
}
