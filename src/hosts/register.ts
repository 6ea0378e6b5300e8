/** What `phux-mcp register HOST` does, and what it says. */

import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { fail, ok, type Result } from "../wire/result.ts";
import type { Request } from "./arguments.ts";
import { inFile, readConfig } from "./config-file.ts";
import type { EntryPlace, FileText } from "./format.ts";
import type { Server } from "./host.ts";
import { filesOf, type HostFiles, type Surroundings } from "./place.ts";
import { type Rewriting, rewrite } from "./rewrite.ts";
import { spoken, spokenCommand } from "./say.ts";
import { serverOf } from "./server.ts";

/** Lines for stdout, and remarks for stderr. */
export interface Told {
  readonly out: readonly string[];
  readonly remarks: readonly string[];
}

/** A new file of the person may come to hold secrets; one of a project is for everybody who has the project. */
const MODES = { user: 0o600, project: 0o666 } as const;

/** Carries a request out, or shows it with `--print`. Fails with a sentence, and then no file has changed. */
export async function register(request: Request, around: Surroundings, self: string): Promise<Result<Told, string>> {
  const files = filesOf(request.host, request.scope, around);
  if (!files.ok) return files;
  if (request.remove) return remove(request, files.value);
  const path = chosenFile(request, files.value);
  if (!path.ok) return path;
  const server = await serverOf(request, around.environment, self);
  return request.print ? show(request, path.value, server) : enter(request, path.value, files.value, server);
}

const placeOf = ({ host, name }: Request): EntryPlace => ({ servers: host.servers, name });

/** The file that has the entry already, else the first that exists, else the one to make. */
function chosenFile(request: Request, { candidates }: HostFiles): Result<string, string> {
  for (const path of candidates) {
    const has = hasEntry(request, path);
    if (!has.ok || has.value) return has.ok ? ok(path) : has;
  }
  return ok(candidates.find((path) => existsSync(path)) ?? candidates.at(-1) ?? candidates[0]);
}

function hasEntry(request: Request, path: string): Result<boolean, string> {
  const file = readConfig(path);
  if (!file.ok) return file;
  const entry = request.host.format.entryIn(file.value.text, placeOf(request));
  return entry.ok ? ok(entry.value !== null) : fail(inFile(path, entry.error));
}

function rewriting(request: Request, path: string, { base }: HostFiles, change: Rewriting["change"]): Rewriting {
  return { path, base, mode: MODES[request.scope], change };
}

function enter(request: Request, path: string, files: HostFiles, server: Server): Result<Told, string> {
  const { host, name, scope } = request;
  const place = placeOf(request);
  let had = false;
  const change = (text: FileText) => {
    const old = host.format.entryIn(text, place);
    had = old.ok && old.value !== null;
    return host.format.withEntry(text, place, host.entry(server));
  };
  const done = rewrite(rewriting(request, path, files, change));
  if (!done.ok) return done;
  const verb =
    done.value === "unchanged" ? "is registered already with" : had ? "is updated for" : "is registered with";
  const next = done.value === "unchanged" ? null : host.next[scope];
  return ok({
    out: [
      `${spoken(name)} ${verb} ${host.title}, in ${spoken(path)}: ${spokenCommand([server.command, ...server.args])}`,
      ...(next === null ? [] : [next]),
    ],
    remarks: remarksOn(request, server),
  });
}

/** What is odd about a command, though it may be meant. */
function remarksOn({ scope }: Request, { command }: Server): string[] {
  if (!isAbsolute(command)) return [];
  const remarks: string[] = [];
  if (Bun.which(command) === null) remarks.push(`note: there is no program at ${spoken(command)} now`);
  if (scope === "project")
    remarks.push(`note: ${spoken(command)} is a path of this machine, in a file for the whole project`);
  return remarks;
}

/** The entry as a file of its own would hold it; and on stderr where it would go. */
function show(request: Request, path: string, server: Server): Result<Told, string> {
  const { host, name } = request;
  const entry = host.entry(server);
  const file = readConfig(path);
  if (!file.ok) return file;
  const wanted = host.format.withEntry(file.value.text, placeOf(request), entry);
  if (!wanted.ok) return fail(inFile(path, wanted.error));
  const alone = host.format.withEntry(null, placeOf(request), entry);
  const same = wanted.value === file.value.text;
  const where = same ? `is in ${spoken(path)} already` : `would be written into ${spoken(path)}`;
  return ok({
    out: alone.ok ? [alone.value.trimEnd()] : [],
    remarks: [`${spoken(name)} ${where}; --print changes nothing`, ...remarksOn(request, server)],
  });
}

/** Takes the entry out of every file of the scope that has it. */
function remove(request: Request, files: HostFiles): Result<Told, string> {
  const { host, name } = request;
  const place = placeOf(request);
  const holders: string[] = [];
  for (const path of files.candidates) {
    const has = hasEntry(request, path);
    if (!has.ok) return has;
    if (has.value) holders.push(path);
  }
  if (holders.length === 0) {
    const looked = files.candidates.map(spoken).join(" or ");
    return ok({ out: [`${spoken(name)} is not registered with ${host.title} (${looked})`], remarks: [] });
  }
  const out: string[] = [];
  for (const path of holders) {
    if (request.print) {
      out.push(`${spoken(name)} would be removed from ${host.title}, in ${spoken(path)}`);
      continue;
    }
    const done = rewrite(rewriting(request, path, files, (text) => host.format.withoutEntry(text, place)));
    if (!done.ok) return done;
    const file = done.value === "gone" ? "; the file held nothing else and is gone" : "";
    out.push(`${spoken(name)} is removed from ${host.title}, in ${spoken(path)}${file}`);
  }
  return ok({ out, remarks: [] });
}
