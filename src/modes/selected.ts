import { refuseArguments, refuseUsage } from "./help.ts";
import { selectionFor, wishIn } from "./wish.ts";

/** Serves, or with `--schema` among the arguments prints, the tools that arguments and environment choose. */
export async function runSelected(argv: readonly string[]): Promise<void> {
  const parsed = wishIn(argv);
  if (!parsed.ok) return refuseUsage(parsed.error);
  const { wish, rest } = parsed.value;
  const [face, ...stray] = rest;
  if (stray.length > 0 || (face !== undefined && face !== "--schema")) return refuseArguments(rest);
  const chosen = selectionFor(wish, process.env);
  if (!chosen.ok) return refuseUsage(chosen.error);
  if (face === "--schema") await (await import("./schema.ts")).printSchema(chosen.value);
  else (await import("./adapter.ts")).serveAdapter(chosen.value);
}
