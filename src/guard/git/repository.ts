/** The worktrees of the repository that a folder is in. */
import { lstatSync, realpathSync, type Stats, statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { type Refusal, refuse, sentence } from "../../phux/errors.ts";
import { quote } from "../../text/clean.ts";
import { fail, ok, type Result } from "../../wire/result.ts";
import { type GitRoom, git } from "./run-git.ts";
import { isNameable, parseWorktreeList, type Worktree } from "./worktree-list.ts";

export interface Repository {
  /** A folder of it in which git can be run whatever becomes of the other worktrees: the main checkout, or the bare one. */
  readonly folder: string;
  readonly worktrees: readonly Worktree[];
}

/** The repository around a folder. */
export async function openRepository(room: GitRoom, folder: string): Promise<Result<Repository, Refusal>> {
  const wrong = refusePath("path", folder) ?? (isFolder(folder) ? null : sentence(`${quote(folder)} is no folder`));
  if (wrong !== null) return fail(wrong);
  const listed = await git(room, folder, ["worktree", "list", "--porcelain", "-z"]);
  if (!listed.ok) return listed;
  const worktrees = parseWorktreeList(listed.value);
  const [main] = worktrees;
  if (main === undefined) return fail(sentence(`git lists no worktree at ${quote(folder)}`));
  return ok({ folder: isFolder(main.path) ? main.path : folder, worktrees });
}

/** The worktree at a path, given as git lists it or through links. */
export function worktreeAt({ worktrees }: Repository, path: string): Result<Worktree, Refusal> {
  const real = realPath(path);
  const found = worktrees.find((one) => one.path === path || (real !== null && realPath(one.path) === real));
  if (found !== undefined && isNameable(found)) return ok(found);
  return fail(
    refuse("no_such_target", `${quote(path)} is no worktree of this repository`, "list_worktrees shows those that are"),
  );
}

/** A path that must be absolute and written plainly, so that what the person reads is what git gets. */
export function refusePath(name: string, path: string): Refusal | null {
  if (!isAbsolute(path)) return sentence(`"${name}" must be an absolute path, and ${quote(path)} is not`, 2);
  const plain = resolve(path);
  if (plain === path) return null;
  return sentence(`"${name}" must be written without ".", ".." and empty parts: ${quote(plain)}`, 2);
}

export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Null for what is not there. */
export function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/** What stands at a path, a link itself and not where it leads; null for nothing, and for what may not be seen. */
export function standing(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

/** Whether nothing stands at a path. What may not be seen stands. */
export function isGone(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

/** A folder, and no link to one. */
export function isOwnFolder(path: string): boolean {
  return standing(path)?.isDirectory() ?? false;
}
