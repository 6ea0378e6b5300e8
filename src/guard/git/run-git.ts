/** git as a bounded child that asks nobody, runs no hook and reads no variable that an agent's shell may have set. */
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import type { Environment } from "../../cli/environment.ts";
import { runCommand } from "../../cli/run.ts";
import { type Refusal, sentence } from "../../phux/errors.ts";
import { beginningOf } from "../../text/character.ts";
import { cleanText } from "../../text/clean.ts";
import { fail, ok, type Result } from "../../wire/result.ts";

/** Time for a look, and for what writes a whole checkout. */
const LOOK_MS = 20_000;
export const CHANGE_MS = 180_000;

/** What git may print: the names of some hundred thousand files. */
const MOST_BYTES = 16 * 1024 * 1024;
const QUOTED_CHARACTERS = 600;

/** What a run of git has of the world. */
export interface GitRoom {
  readonly environment: Environment;
  readonly signal: AbortSignal;
}

/** Settings that win over every configuration file. Filters stay: a checkout without them would be a wrong one. */
const settings = [
  ...["core.hooksPath=/dev/null", "core.fsmonitor=false", "core.pager=cat", "core.askPass=", "core.sshCommand=false"],
  ...["credential.helper=", "commit.gpgSign=false", "tag.gpgSign=false", "log.showSignature=false", "color.ui=false"],
  ...["gc.auto=0", "maintenance.auto=false", "submodule.recurse=false", "worktree.guessRemote=false"],
  ...["worktree.useRelativePaths=false", "protocol.allow=never"],
].flatMap((setting) => ["-c", setting]);

const always = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_NO_LAZY_FETCH: "1",
  GIT_PAGER: "cat",
  GIT_ASKPASS: "",
  SSH_ASKPASS: "",
  GIT_EDITOR: "false",
  LC_ALL: "C",
} as const;

/** How git ended by itself. */
export interface GitEnd {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs git in a folder. Exit 0 gives its stdout; anything else is a refusal with its own words. */
export async function git(
  room: GitRoom,
  folder: string,
  args: readonly string[],
  ms = LOOK_MS,
): Promise<Result<string, Refusal>> {
  const ended = await gitEnd(room, folder, args, ms);
  if (!ended.ok) return ended;
  const { exit, stdout, stderr } = ended.value;
  return exit === 0 ? ok(stdout) : fail(sentence(`git ${args[0]} failed: ${quoted(stderr)}`));
}

/** The same, where more than one exit is an answer. */
export async function gitEnd(
  room: GitRoom,
  folder: string,
  args: readonly string[],
  ms = LOOK_MS,
): Promise<Result<GitEnd, Refusal>> {
  const path = findGit(room.environment);
  if (path === null) return fail(sentence("there is no git on the guard's PATH"));
  const full = ["--no-pager", "--literal-pathspecs", ...settings, ...args];
  const environment = gitEnvironment(room.environment);
  const bounds = { deadlineMs: ms, stdoutCap: MOST_BYTES };
  const ran = await runCommand({ path, args: full, environment, cwd: folder, ...bounds }, room.signal);
  if (!ran.ok) return fail(sentence(ran.error.message));
  const { ended, exitCode, stdout, stderr } = ran.value;
  const what = `git ${args[0]}`;
  switch (ended) {
    case "exited":
      if (exitCode === null) return fail(sentence(`${what} was killed`));
      return ok({ exit: exitCode, stdout: textOf(stdout), stderr: textOf(stderr) });
    case "deadline":
      return fail(sentence(`${what} took longer than ${ms / 1_000} s and was ended: look what it has done`));
    case "aborted":
      return fail(sentence(`${what} was ended with the call: look what it has done`));
    default:
      return fail(sentence(`${what} printed more than ${MOST_BYTES} bytes and was ended`));
  }
}

/** The guard's environment without what would point git elsewhere. */
export function gitEnvironment(environment: Environment): Record<string, string> {
  const kept = Object.entries(environment).flatMap(([name, value]): [string, string][] =>
    value === undefined || name.startsWith("GIT_") ? [] : [[name, value]],
  );
  return { ...Object.fromEntries(kept), ...always };
}

function findGit(environment: Environment): string | null {
  // A relative entry means the folder that we happen to stand in.
  const folders = (environment.PATH ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, "git")).find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

function quoted(stderr: string): string {
  const line = cleanText(stderr.trim()).replace(/\s+/g, " ");
  return line === "" ? "it said nothing" : beginningOf(line, QUOTED_CHARACTERS);
}
