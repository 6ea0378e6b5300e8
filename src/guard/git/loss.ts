/** What is gone for good when a worktree, or its branch with it, is removed. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { type Refusal, sentence } from "../../phux/errors.ts";
import { quote } from "../../text/clean.ts";
import { fail, ok, type Result } from "../../wire/result.ts";
import { nestedRepositories } from "./nested.ts";
import { isGone, isOwnFolder, type Repository, realPath, standing } from "./repository.ts";
import { type GitRoom, git } from "./run-git.ts";
import { parseHidden, parseStatus } from "./status.ts";
import type { Worktree } from "./worktree-list.ts";

/** Commits that nothing else holds: how many, counted up to a bound, and the first of them in a line each. */
export interface Commits {
  readonly count: number;
  readonly first: readonly string[];
}

export interface Loss {
  readonly changed: readonly string[];
  readonly untracked: readonly string[];
  readonly ignored: readonly string[];
  /** Files that git was told not to look at. */
  readonly hidden: readonly string[];
  /** What is in the middle of being done there, as "a rebase". */
  readonly underway: readonly string[];
  readonly commits: Commits;
  /** Whether every folder was looked at for repositories inside. */
  readonly searched: boolean;
  /** Changes with what stands in the changed and untracked files. */
  readonly print: string;
}

/** Commits are counted up to here. */
export const MOST_COMMITS = 1_000;
const NAMED_COMMITS = 5;
/** Refs that each worktree has for itself. */
const OWN_REFS = ["refs/bisect", "refs/worktree", "refs/rewritten"] as const;

const underwayMarks: readonly (readonly [file: string, words: string])[] = [
  ["rebase-merge", "a rebase"],
  ["rebase-apply", "a rebase"],
  ["MERGE_HEAD", "a merge"],
  ["CHERRY_PICK_HEAD", "a cherry-pick"],
  ["REVERT_HEAD", "a revert"],
  ["BISECT_LOG", "a bisection"],
];

/**
 * The loss when this worktree goes, and its branch as well when `branchGoes`. Refused where it cannot be told, and for what
 * is never removed: a worktree with submodules or with repositories or other worktrees inside.
 */
export async function lossOf(
  room: GitRoom,
  repository: Repository,
  worktree: Worktree,
  branchGoes: boolean,
): Promise<Result<Loss, Refusal>> {
  const gone = isGone(worktree.path) ? { ...EMPTY } : null;
  const folder = gone === null ? await lossOfFolder(room, repository, worktree) : ok(gone);
  if (!folder.ok) return folder;
  const own = gone === null ? await ownTips(room, worktree.path) : ok([]);
  if (!own.ok) return own;
  const tips = [...(worktree.head === null ? [] : [worktree.head]), ...own.value];
  const commits = await heldByNothingElse(room, repository.folder, tips, branchGoes ? worktree.branch : null);
  return commits.ok ? ok({ ...folder.value, commits: commits.value }) : commits;
}

const EMPTY: Omit<Loss, "commits"> = {
  ...{ changed: [], untracked: [], ignored: [], hidden: [], underway: [] },
  ...{ searched: true, print: "" },
};

async function lossOfFolder(
  room: GitRoom,
  repository: Repository,
  { path }: Worktree,
): Promise<Result<Omit<Loss, "commits">, Refusal>> {
  if (!isOwnFolder(path)) return fail(sentence(`${quote(path)} is no folder any more, but something else`));
  const admin = await adminFolder(room, repository, path);
  if (!admin.ok) return admin;
  const submodules = [join(path, ".gitmodules"), join(admin.value, "modules")].some((mark) => !isGone(mark));
  if (submodules) return fail(sentence(`${quote(path)} has submodules: such a worktree is never removed or moved`));
  const nested = await nestedRepositories(path, room.signal);
  const [inside] = nested.found;
  if (inside !== undefined) return fail(sentence(`another repository lies in ${quote(inside)}, inside the worktree`));
  const untracked = ["--untracked-files=all", "--ignored=matching", "--ignore-submodules=none"];
  const status = await git(room, path, ["status", "--porcelain=v2", "-z", "--no-renames", ...untracked]);
  if (!status.ok) return status;
  const listed = await git(room, path, ["ls-files", "-v", "-z"]);
  if (!listed.ok) return listed;
  const seen = parseStatus(status.value);
  const hidden = parseHidden(listed.value).filter((file) => !isGone(join(path, file)));
  const underway = underwayMarks.filter(([mark]) => !isGone(join(admin.value, mark))).map(([, words]) => words);
  const print = fingerprint(path, [...seen.changed, ...seen.untracked, ...hidden]);
  return ok({ ...seen, hidden, underway: [...new Set(underway)], searched: nested.complete, print });
}

/** The folder in which git keeps what belongs to this worktree alone; refused when the folder is another repository's. */
async function adminFolder(room: GitRoom, { folder }: Repository, path: string): Promise<Result<string, Refusal>> {
  const look = ["rev-parse", "--path-format=absolute", "--show-toplevel", "--git-dir", "--git-common-dir"];
  const there = await git(room, path, look);
  if (!there.ok) return there;
  const here = await git(room, folder, ["rev-parse", "--path-format=absolute", "--git-common-dir"]);
  if (!here.ok) return here;
  const [top = "", admin = "", common = ""] = there.value.split("\n");
  const same = realPath(common) !== null && realPath(common) === realPath(here.value.trimEnd());
  if (same && realPath(top) === realPath(path) && admin !== "") return ok(admin);
  const way = "tidy_worktrees with repair may put that right";
  return fail(sentence(`${quote(path)} does not know this repository as its own: ${way}`));
}

/** What only this worktree's own refs point to. */
async function ownTips(room: GitRoom, path: string): Promise<Result<readonly string[], Refusal>> {
  const refs = await git(room, path, ["for-each-ref", "--format=%(objectname)", ...OWN_REFS]);
  return refs.ok ? ok(refs.value.split("\n").filter((id) => id !== "")) : refs;
}

/** The commits behind these tips that no ref of all worktrees holds, nor any branch but the one that goes too. */
export async function heldByNothingElse(
  room: GitRoom,
  folder: string,
  tips: readonly string[],
  branchThatGoes: string | null,
): Promise<Result<Commits, Refusal>> {
  if (tips.length === 0) return ok({ count: 0, first: [] });
  const excluded = [
    ...OWN_REFS.map((ref) => `${ref}/*`),
    ...(branchThatGoes === null ? [] : [`refs/heads/${branchThatGoes}`]),
  ];
  const held = ["--not", ...excluded.map((ref) => `--exclude=${ref}`), "--glob=refs/*", "--"];
  const counted = await git(room, folder, ["rev-list", "--count", `--max-count=${MOST_COMMITS}`, ...tips, ...held]);
  if (!counted.ok) return counted;
  const count = Number(counted.value.trim());
  if (count === 0) return ok({ count, first: [] });
  const form = ["-z", "--format=%h %s", `--max-count=${NAMED_COMMITS}`];
  const named = await git(room, folder, ["log", ...form, ...tips, ...held]);
  return named.ok ? ok({ count, first: named.value.split("\0").filter((line) => line !== "") }) : named;
}

/** A digest of sizes and times: another one means that somebody wrote there. */
function fingerprint(root: string, files: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of files) {
    const found = standing(join(root, file));
    hash.update(`${file}\0${found?.size}\0${found?.mtimeMs}\0${found?.ino}\0`);
  }
  return hash.digest("hex");
}
