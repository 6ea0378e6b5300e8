/** The entry of a server in a host's file, before it has a format. Pure. */

export type EntryValue = string | boolean | readonly string[];

/** One member of an entry. A map is merged: variables of it are set one by one, others that a person wrote stay. */
export type EntryMember =
  | { readonly key: string; readonly value: EntryValue; readonly once?: true }
  | { readonly key: string; readonly variables: readonly (readonly [name: string, value: string])[] };

/**
 * What a host starts. Members marked `once` are written into a new entry only: there a person's own choice stays.
 * The member `command` tells an entry of this kind from others (a remote server of the same name, say).
 */
export type Entry = readonly EntryMember[];

/** A value as an object or table holds it: what `once` and merging come to in a new entry. */
export function membersOfNew(entry: Entry): (readonly [string, EntryValue | Variables])[] {
  const members: (readonly [string, EntryValue | Variables])[] = [];
  for (const member of entry) {
    if ("value" in member) members.push([member.key, member.value]);
    else if (member.variables.length > 0) members.push([member.key, Object.fromEntries(member.variables)]);
  }
  return members;
}

/** Environment variables by name. */
export type Variables = Readonly<Record<string, string>>;

/** What an entry in a file starts, as far as it says so. */
export interface FoundEntry {
  /** The program and its arguments; empty when the entry starts none. */
  readonly command: readonly string[];
  /** A person switched it off. */
  readonly disabled: boolean;
}

/** Reads an entry of any host: `command` as text with `args`, or as a list. */
export function readEntry(value: unknown): FoundEntry {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { command: [], disabled: false };
  const members = new Map<string, unknown>(Object.entries(value));
  const listed = (key: string) => {
    const list = members.get(key);
    return Array.isArray(list) ? list.filter((item) => typeof item === "string") : [];
  };
  const command = members.get("command");
  return {
    command: typeof command === "string" ? [command, ...listed("args")] : listed("command"),
    disabled: members.get("disabled") === true || members.get("enabled") === false,
  };
}
