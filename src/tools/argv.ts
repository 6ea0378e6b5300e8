import { type Refusal, sentence } from "../phux/errors.ts";

/**
 * An option and its value for a child's argv, or nothing when the value is absent. A value that begins with `-` could
 * be read as an option of its own, so it goes into one element with the long name (tools.md 5.4).
 */
export function option(name: string, longName: string, value: string | undefined): string[] {
  if (value === undefined) return [];
  return value.startsWith("-") ? [`${longName}=${value}`] : [name, value];
}

/** The same option once for each value. */
export function repeated(name: string, values: readonly string[] | undefined): string[] {
  return (values ?? []).flatMap((value) => [name, value]);
}

/** A value for a place that no `--` protects: there a leading `-` would make it an option (tools.md 5.4). */
export function refuseDash(tool: string, argument: string, value: string | undefined): Refusal | null {
  if (value === undefined || !value.startsWith("-")) return null;
  return sentence(`${tool}: "${argument}" must not begin with -, which would make it an option`, 2);
}
