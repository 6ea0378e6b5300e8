/** Which file of a host is meant: of the person, or of the project that the working folder belongs to. */

import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { Environment } from "../cli/environment.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import type { Candidates, Home, Host, Scope } from "./host.ts";

export interface Surroundings {
  readonly environment: Environment;
  /** The working folder, absolute. */
  readonly folder: string;
  readonly platform: NodeJS.Platform;
}

/** Where hosts keep what belongs to the person; or a sentence when nobody says whose home it is. */
export function homeOf({ environment, folder, platform }: Surroundings): Result<Home, string> {
  const home = environment["HOME"] ?? "";
  if (!isAbsolute(home)) {
    const what = home === "" ? "is not set" : "is not an absolute path";
    return fail(`HOME ${what}, so there is no telling where a host keeps its settings; set it, or use --scope project`);
  }
  const config = environment["XDG_CONFIG_HOME"] ?? "";
  return ok({
    folder: home,
    // The XDG rules: a relative path is as none.
    config: isAbsolute(config) ? config : join(home, ".config"),
    platform,
    named(variable) {
      const path = environment[variable] ?? "";
      return path === "" ? null : resolve(folder, path);
    },
  });
}

/** The files in question, absolute and in the order in which the host prefers them. */
export interface HostFiles {
  readonly candidates: Candidates;
  /** Folders up to this one may go when they are left empty; this one stays. */
  readonly base: string;
}

/** Fails with a sentence. A host without files of a project is the caller's to refuse. */
export function filesOf(host: Host, scope: Scope, around: Surroundings): Result<HostFiles, string> {
  if (scope === "project" && host.project !== null) {
    const base = projectFolder(around, host.project);
    return ok({ candidates: under(base, host.project), base });
  }
  const home = homeOf(around);
  if (!home.ok) return home;
  return ok({ candidates: host.user(home.value), base: home.value.folder });
}

function under(base: string, [first, ...others]: Candidates): Candidates {
  return [join(base, first), ...others.map((name) => join(base, name))];
}

/**
 * The folder of the project: inside a git repository the nearest folder that has a file of this host already, else the
 * repository's root; outside of one the working folder. A home folder that is a repository itself (dotfiles) is nobody's
 * project but its own.
 */
function projectFolder({ environment, folder }: Surroundings, names: Candidates): string {
  const chain = foldersToRoot(folder);
  const root = chain.at(-1) ?? folder;
  if (chain.length > 1 && root === environment["HOME"]) return folder;
  return chain.find((step) => names.some((name) => existsSync(join(step, name)))) ?? root;
}

/** From a folder up to the root of its repository; the folder alone where there is none. */
function foldersToRoot(folder: string): string[] {
  const chain = [folder];
  for (let step = folder; !existsSync(join(step, ".git")); ) {
    const above = dirname(step);
    if (above === step) return [folder];
    step = above;
    chain.push(step);
  }
  return chain;
}
