/** Writes TOML keys and values. Pure. */

import type { EntryValue, Variables } from "./entry.ts";

export function tomlKey(name: string): string {
  return /^[A-Za-z0-9_-]+$/.test(name) ? name : tomlString(name);
}

/** A JSON string is a basic string of TOML, but for DEL, which TOML wants escaped. */
export function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}

export function tomlValue(value: EntryValue | Variables): string {
  if (typeof value === "string") return tomlString(value);
  if (typeof value === "boolean") return String(value);
  if (isList(value)) return `[${value.map(tomlString).join(", ")}]`;
  return tomlInline(Object.entries(value));
}

/** An inline table. */
export function tomlInline(pairs: readonly (readonly [string, EntryValue | Variables])[]): string {
  return pairs.length === 0 ? "{}" : `{ ${pairs.map(tomlPair).join(", ")} }`;
}

export function tomlPair([key, value]: readonly [string, EntryValue | Variables]): string {
  return `${tomlKey(key)} = ${tomlValue(value)}`;
}

function isList(value: object): value is readonly string[] {
  return Array.isArray(value);
}
