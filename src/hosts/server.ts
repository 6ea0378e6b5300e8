/** What a host is told to start. */

import { realpathSync } from "node:fs";
import { basename, delimiter, isAbsolute, join } from "node:path";
import type { Environment } from "../cli/environment.ts";
import { findPhux } from "../cli/find.ts";
import { runCommand } from "../cli/run.ts";
import type { Request } from "./arguments.ts";
import type { Server } from "./host.ts";

/** How long `phux mcp --version` may take: a phux without the launcher fails at once. */
const LAUNCHER_MS = 3_000;

/** The server of a request. Asks the `phux` of this machine when the request names no command. */
export async function serverOf(request: Request, environment: Environment, self: string): Promise<Server> {
  const start = request.command === null ? await ourStart(environment, self) : startOf(request.command);
  const [command, ...launched] = start;
  return { command, args: [...launched, ...adapterArguments(request)], variables: request.variables };
}

type Start = readonly [command: string, ...args: string[]];

/** Arguments of the adapter itself, the same behind `phux mcp` and behind our own path. */
function adapterArguments({ readOnly, tools }: Request): string[] {
  return [...(readOnly ? ["--read-only"] : []), ...(tools === null ? [] : ["--tools", tools])];
}

/** A program by the name of phux is the launcher: alone it would open its own screen. */
function startOf(command: string): Start {
  return basename(command) === "phux" ? [command, "mcp"] : [command];
}

/** `phux mcp` where that phux has the launcher, else our own path. */
async function ourStart(environment: Environment, self: string): Promise<Start> {
  const phux = findPhux(environment, self);
  if (phux.ok && (await launches(phux.value.path))) {
    // The bare name lives through updates, and through another machine where the file is shared.
    const onPath = firstOnPath("phux", environment);
    return [onPath !== null && isSameFile(onPath, phux.value.path) ? "phux" : phux.value.path, "mcp"];
  }
  // A link on PATH outlives the versioned folder that it points into.
  const onPath = firstOnPath("phux-mcp", environment);
  return [onPath !== null && isSameFile(onPath, self) ? onPath : self];
}

/** `phux mcp` replaces itself with a phux-mcp and hands the arguments on. */
async function launches(phux: string): Promise<boolean> {
  const command = { path: phux, args: ["mcp", "--version"], environment: null, deadlineMs: LAUNCHER_MS };
  const ran = await runCommand(command, new AbortController().signal);
  if (!ran.ok || ran.value.ended !== "exited" || ran.value.exitCode !== 0) return false;
  return new TextDecoder().decode(ran.value.stdout).startsWith("phux-mcp ");
}

/** The first executable of that name in an absolute folder of PATH. */
export function firstOnPath(program: string, environment: Environment): string | null {
  for (const folder of (environment.PATH ?? "").split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const found = Bun.which(join(folder, program), { PATH: folder });
    if (found !== null) return found;
  }
  return null;
}

function isSameFile(path: string, other: string): boolean {
  try {
    return realpathSync(path) === realpathSync(other);
  } catch {
    return false;
  }
}
