/** The name, icon and colour that agents give terminals and groups: ours alone, phux knows nothing of them. Pure. */
import * as v from "valibot";
import { parseJsonObject } from "../phux/json-object.ts";
import { isPlainLine } from "../text/clean.ts";

/** Metadata key of a pane's look; a group's stands in the global scope, with the id of its session behind. */
export const LOOK_KEY = "phux-mcp.look/v1";

/** The sixteen colours that every terminal's palette has, in its order. */
export const colors = [
  ...(["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const),
  ...(["bright-black", "bright-red", "bright-green", "bright-yellow"] as const),
  ...(["bright-blue", "bright-magenta", "bright-cyan", "bright-white"] as const),
] as const;

/** What was not given, or was cleared, is absent. */
export interface Look {
  readonly name?: string;
  readonly icon?: string;
  readonly color?: string;
}

export const MOST_NAME_BYTES = 256;
export const MOST_ICON_BYTES = 64;

const line = (most: number) => v.pipe(v.string(), v.minLength(1), v.maxBytes(most), v.check(isPlainLine));
const stored = {
  name: v.safeParser(line(MOST_NAME_BYTES)),
  icon: v.safeParser(line(MOST_ICON_BYTES)),
  color: v.safeParser(v.picklist(colors)),
} as const;

/** The look in a stored value. What is no such text counts as absent: somebody else may have written it. */
export function parseLook(value: Uint8Array | null): Look {
  const members = value === null ? null : parseJsonObject(value);
  if (members === null) return {};
  return Object.fromEntries(
    Object.entries(stored).flatMap(([part, parse]) => {
      const read = parse(members[part]);
      return read.success ? [[part, read.output]] : [];
    }),
  );
}

/** The look with changes: what is not given stays, `""` clears. */
export function changedLook(look: Look, change: { readonly [part in keyof Look]?: string | undefined }): Look {
  const given = Object.entries(change).filter(([, text]) => text !== undefined);
  const all = Object.entries({ ...look, ...Object.fromEntries(given) });
  return Object.fromEntries(all.filter(([, text]) => text !== ""));
}

export function encodeLook(look: Look): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(look));
}

/** A look as documents show it. */
export function shownLook({ name, icon, color }: Look) {
  return { name: name ?? null, icon: icon ?? null, color: color ?? null };
}
