/** What every tool about worktrees begins with: a server that answers, and the repository that is meant. */
import { type Refusal, sentence } from "../../phux/errors.ts";
import { fail, type Result } from "../../wire/result.ts";
import { isFolder, openRepository, type Repository, refusePath } from "../git/repository.ts";
import { ownFolder } from "../terminal/own-folder.ts";
import type { GuardedCall } from "../tool.ts";
import { line, optional } from "./argument.ts";

const MOST_PATH_BYTES = 4_096;

export const path = (about: string) => line(`${about} Absolute.`, MOST_PATH_BYTES, 1);
export const repositoryPath = optional(path("Folder in the repository. Default where your terminal stands."));

/** What decides what: a change that was not the one shown is not made. */
export const changedMeanwhile = (what: string): Refusal =>
  sentence(`${what} changed while the question was open: nothing was done. Look and ask again.`);

/** The repository at `given`, else around the worktree that is named, else where the caller's terminal stands. */
export async function repositoryFor(
  call: GuardedCall,
  given: string | undefined,
  worktree?: string,
): Promise<Result<Repository, Refusal>> {
  const paths = [["path", given] as const, ["worktree_path", worktree] as const];
  for (const [name, text] of paths) {
    const wrong = text === undefined ? null : refusePath(name, text);
    if (wrong !== null) return fail(wrong);
  }
  // Without phux the guard answers nothing, as the plain adapter does.
  const connection = await call.connect();
  if (!connection.ok) return connection;
  const named = given ?? (worktree !== undefined && isFolder(worktree) ? worktree : undefined);
  const folder = named ?? (await ownFolder(connection.value, call));
  if (folder !== null) return openRepository(call, folder);
  return fail(
    sentence('you are in no terminal that shows where you stand: give "path", a folder in the repository', 2),
  );
}
