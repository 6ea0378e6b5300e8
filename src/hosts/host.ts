import type { Entry, EntryMember } from "./entry.ts";
import type { Format } from "./format.ts";

/** What a host is to start. */
export interface Server {
  readonly command: string;
  readonly args: readonly string[];
  readonly variables: readonly (readonly [name: string, value: string])[];
}

export type Scope = "user" | "project";

/** Folders of the person that a host's own files lie in. All absolute. */
export interface Home {
  readonly folder: string;
  /** `$XDG_CONFIG_HOME`, else `~/.config`. */
  readonly config: string;
  readonly platform: NodeJS.Platform;
  /** A folder that an environment variable names, null when it is unset or empty. */
  named(variable: string): string | null;
}

/** Paths of files, the one that wins over the others first. When none exists, the last one is made. */
export type Candidates = readonly [string, ...string[]];

/** An agent host: where it keeps its servers, and in which form. One object a host; everything else follows from it. */
export interface Host {
  /** As it is typed after `register`. */
  readonly name: string;
  /** Other names that a person may try. */
  readonly aliases: readonly string[];
  readonly title: string;
  readonly format: Format;
  /** The object or table that holds all servers. */
  readonly servers: string;
  /** Files of the person, absolute. */
  user(home: Home): Candidates;
  /** Files of a project, relative to its folder; null when the host has none. */
  readonly project: Candidates | null;
  /** Which names of servers the host takes; null for any. */
  readonly serverName: { readonly pattern: RegExp; readonly spoken: string; readonly reserved?: string } | null;
  /** Executables and folders (in the home folder) by which it is seen that the host is used here. */
  readonly traces: { readonly programs: readonly string[]; readonly folders: readonly string[] };
  /** What the person does next, a sentence a scope; null when nothing. */
  readonly next: Readonly<Record<Scope, string | null>>;
  entry(server: Server): Entry;
}

/** The members that most hosts share. */
export function startMembers({ command, args, variables }: Server): readonly EntryMember[] {
  return [
    { key: "command", value: command },
    { key: "args", value: args },
    { key: "env", variables },
  ];
}
