/** Which hosts are used here, and whether they know our server. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { hosts } from "./all.ts";
import { inFile, readConfig } from "./config-file.ts";
import type { Home, Host, Scope } from "./host.ts";
import { filesOf, homeOf, type Surroundings } from "./place.ts";
import { spoken, spokenEntry } from "./say.ts";
import { firstOnPath } from "./server.ts";

interface Row {
  readonly host: string;
  readonly scope: Scope;
  readonly path: string;
  readonly state: string;
}

/** Lines for a person: a row for each file that counts, then the hosts that were not found. */
export function listing(name: string, around: Surroundings): string[] {
  const home = homeOf(around);
  if (!home.ok) return [home.error];
  const rows = hosts.flatMap((host) => [
    ...(isHere(host, home.value, around) ? rowsOf(host, "user", name, around) : []),
    ...rowsOf(host, "project", name, around),
  ]);
  const absent = hosts.filter((host) => rows.every((row) => row.host !== host.name));
  const width = (of: (row: Row) => string) => Math.max(...rows.map((row) => of(row).length));
  const [hostWidth, scopeWidth, pathWidth] = [width((r) => r.host), width((r) => r.scope), width((r) => r.path)];
  return [
    rows.length === 0 ? "No host was found here." : "Hosts found here:",
    ...rows.map(
      ({ host, scope, path, state }) =>
        `  ${host.padEnd(hostWidth)}  ${scope.padEnd(scopeWidth)}  ${path.padEnd(pathWidth)}  ${state}`,
    ),
    ...(absent.length === 0 ? [] : [`Not found here: ${absent.map((host) => host.name).join(", ")}`]),
  ];
}

/** Something of the host is here: its file, its folder, or its program. */
function isHere(host: Host, home: Home, { environment }: Surroundings): boolean {
  return (
    host.user(home).some((path) => existsSync(path)) ||
    host.traces.folders.some((folder) => existsSync(join(home.folder, folder))) ||
    host.traces.programs.some((program) => firstOnPath(program, environment) !== null)
  );
}

/** The files of a scope that hold the entry or cannot be read; for the person's own files also that there is none. */
function rowsOf(host: Host, scope: Scope, name: string, around: Surroundings): Row[] {
  if (scope === "project" && host.project === null) return [];
  const files = filesOf(host, scope, around);
  if (!files.ok) return [];
  const { candidates } = files.value;
  const rows = candidates.flatMap((path): Row[] => {
    const state = stateOf(host, path, name);
    return state === null ? [] : [{ host: host.name, scope, path: spoken(path), state }];
  });
  if (rows.length > 0 || scope === "project") return rows;
  const path = candidates.find((candidate) => existsSync(candidate)) ?? candidates.at(-1) ?? "";
  return [{ host: host.name, scope, path: spoken(path), state: "not registered" }];
}

/** Null when the file has no such entry. */
function stateOf(host: Host, path: string, name: string): string | null {
  const file = readConfig(path);
  if (!file.ok) return `cannot be used: ${spoken(file.error)}`;
  const entry = host.format.entryIn(file.value.text, { servers: host.servers, name });
  if (!entry.ok) return `cannot be used: ${spoken(inFile(path, entry.error))}`;
  return entry.value === null ? null : `registered: ${spokenEntry(entry.value)}`;
}
