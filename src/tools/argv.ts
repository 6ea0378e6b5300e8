/**
 * An option and its value for a child's argv, or nothing when the value is absent. A value that begins with `-` could
 * be read as an option of its own, so it goes into one element with the long name (tools.md 5.4).
 */
export function option(name: string, longName: string, value: string | undefined): string[] {
  if (value === undefined) return [];
  return value.startsWith("-") ? [`${longName}=${value}`] : [name, value];
}
