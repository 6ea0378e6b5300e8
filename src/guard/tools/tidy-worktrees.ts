import { dirname, join, sep } from "node:path";
import { type Refusal, sentence } from "../../phux/errors.ts";
import { quote } from "../../text/clean.ts";
import type { Document } from "../../tools/tool.ts";
import { fail, ok, type Result } from "../../wire/result.ts";
import { heldByNothingElse, lossOf } from "../git/loss.ts";
import { commitWords } from "../git/loss-words.ts";
import {
  isFolder,
  isGone,
  openRepository,
  type Repository,
  realPath,
  refusePath,
  worktreeAt,
} from "../git/repository.ts";
import { CHANGE_MS, type GitRoom, git } from "../git/run-git.ts";
import type { Worktree } from "../git/worktree-list.ts";
import { type GuardedCall, guardTool } from "../tool.ts";
import { oneOf, optional } from "./argument.ts";
import { shownWorktree } from "./list-worktrees.ts";
import { refuseRemoval } from "./remove-worktree.ts";
import { changedMeanwhile, path, repositoryFor, repositoryPath } from "./worktree-room.ts";

/** One change, as it was looked at: what the person reads, and what is done when it is still the same. */
interface Change {
  readonly act: string;
  readonly stake: string;
  readonly argv: readonly string[];
  /** The worktree that is listed where it is once this is done. */
  readonly mends?: string;
}

interface Given {
  readonly worktree: string | undefined;
  readonly target: string | undefined;
}

export const tidyWorktrees = guardTool({
  name: "tidy_worktrees",
  about:
    "Put worktrees in order. prune: forget those whose folder is gone. repair: mend the links between a repository and a " +
    "worktree that was moved by hand, at worktree_path when given. unlock: take the lock off worktree_path. move: move " +
    "worktree_path to new_path, where nothing stands yet; never the main checkout, a locked one, or one with submodules. " +
    "Needs `worktree`.",
  readOnly: false,
  input: {
    action: oneOf(["prune", "repair", "unlock", "move"], "What to do."),
    worktree_path: optional(path("The worktree.")),
    new_path: optional(path("move: where it goes.")),
    path: repositoryPath,
  },
  async run({ action, worktree_path: worktree, new_path: target, path: given }, call) {
    const wrong = refuseTogether(action, { worktree, target });
    if (wrong !== null) return fail(wrong);
    const around = action === "repair" ? undefined : worktree;
    const repository = await repositoryFor(call, given, around);
    if (!repository.ok) return repository;
    const { folder } = repository.value;
    const look = () => changeFor(call, folder, action, { worktree, target });
    const before = await look();
    if (!before.ok) return before;
    if (before.value === null) return ok({ schema_version: 1, action, done: false, reason: "there is nothing to do" });
    const { act, stake } = before.value;
    const refused = await call.permit({ capability: "worktree", target: null, act, stake });
    if (refused !== null) return fail(refused);
    const after = await look();
    if (!after.ok) return after;
    if (JSON.stringify(after.value) !== JSON.stringify(before.value)) return fail(changedMeanwhile("the worktrees"));
    return make(call, folder, action, before.value);
  },
});

type Action = "prune" | "repair" | "unlock" | "move";

function refuseTogether(action: Action, { worktree, target }: Given): Refusal | null {
  const wrong = (message: string) => sentence(`tidy_worktrees: ${action} ${message}`, 2);
  if (action === "prune" && worktree !== undefined) return wrong("takes no worktree_path: it is for all that are gone");
  if ((action === "unlock" || action === "move") && worktree === undefined) return wrong("needs worktree_path");
  if ((action === "move") === (target === undefined))
    return wrong(target === undefined ? "needs new_path" : "takes no new_path");
  return (
    (worktree === undefined ? null : refusePath("worktree_path", worktree)) ??
    (target === undefined ? null : refusePath("new_path", target))
  );
}

/** The change as things stand; null when there is nothing to do. */
async function changeFor(
  call: GuardedCall,
  folder: string,
  action: Action,
  { worktree, target }: Given,
): Promise<Result<Change | null, Refusal>> {
  const repository = await openRepository(call, folder);
  if (!repository.ok) return repository;
  if (action === "prune") return pruning(call, repository.value);
  if (action === "repair") return repairing(repository.value, worktree);
  const found = worktreeAt(repository.value, worktree ?? "");
  if (!found.ok) return found;
  if (action === "unlock") return ok(unlocking(found.value));
  return moving(call, repository.value, found.value, target ?? "");
}

async function pruning(room: GitRoom, { folder, worktrees }: Repository): Promise<Result<Change | null, Refusal>> {
  const gone = worktrees.filter((one) => one.prunable !== null && one.locked === null);
  if (gone.length === 0) return ok(null);
  // A branch keeps its commits; what was checked out without one is only known to the worktree that is forgotten.
  const heads = gone.flatMap(({ branch, head }) => (branch === null && head !== null ? [head] : []));
  const commits = await heldByNothingElse(room, folder, heads, null);
  if (!commits.ok) return commits;
  const lost = commitWords(commits.value).map((words) => `; lost: ${words}`);
  return ok({
    act: `forget the worktrees ${gone.map(({ path }) => quote(path)).join(", ")} of the repository ${quote(folder)}${lost.join("")}`,
    stake:
      "Their folders are gone. One that is only away, as on a disk that is not there now, is no worktree when it is back.",
    argv: ["worktree", "prune"],
  });
}

function repairing({ folder }: Repository, worktree: string | undefined): Result<Change, Refusal> {
  if (worktree !== undefined && isGone(join(worktree, ".git"))) {
    return fail(sentence(`${quote(worktree)} is no worktree: there is no .git in it`));
  }
  const where = worktree === undefined ? "" : ` and the worktree at ${quote(worktree)}`;
  return ok({
    act: `mend the links between the repository ${quote(folder)} and its worktrees${where}`,
    stake: "Git writes anew where each worktree and its repository are. No file of anybody's work is touched.",
    argv: ["worktree", "repair", ...(worktree === undefined ? [] : ["--", worktree])],
    ...(worktree !== undefined && { mends: worktree }),
  });
}

function unlocking({ path, locked }: Worktree): Change | null {
  if (locked === null) return null;
  const why = locked === "" ? "without a reason" : `because ${quote(locked)}`;
  return {
    act: `unlock the worktree ${quote(path)}, which was locked ${why}`,
    stake: "Somebody locked it so that it is not moved, removed or forgotten. From then on it can be.",
    argv: ["worktree", "unlock", "--", path],
  };
}

async function moving(
  room: GitRoom,
  repository: Repository,
  worktree: Worktree,
  target: string,
): Promise<Result<Change, Refusal>> {
  const wrong = refuseRemoval(repository, worktree);
  if (wrong !== null) return fail(wrong);
  if (isGone(worktree.path)) return fail(sentence(`the folder of ${quote(worktree.path)} is gone`));
  if (!isGone(target)) return fail(sentence(`something stands at ${quote(target)} already`));
  const parent = dirname(target);
  if (!isFolder(parent)) return fail(sentence(`there is no folder ${quote(parent)} to move it into`));
  const [from, into] = [realPath(worktree.path), realPath(parent)];
  if (from === null || into === null || `${into}${sep}`.startsWith(`${from}${sep}`)) {
    return fail(sentence(`${quote(target)} lies inside the worktree itself`));
  }
  // What is never removed is not moved either; what is found to be in it only travels along.
  const safe = await lossOf(room, repository, worktree, false);
  if (!safe.ok) return safe;
  return ok({
    act: `move the worktree ${quote(worktree.path)} to ${quote(target)}`,
    stake: "Programs and editors that work in the old folder will not find their files there any more.",
    argv: ["worktree", "move", "--", worktree.path, target],
  });
}

/** What the worktrees are afterwards is the proof of it. */
async function make(
  room: GitRoom,
  folder: string,
  action: Action,
  { argv, mends }: Change,
): Promise<Result<Document, Refusal>> {
  const made = await git(room, folder, argv, CHANGE_MS);
  const now = await openRepository(room, folder);
  if (!now.ok) return now;
  const done = { schema_version: 1, action, done: true, worktrees: now.value.worktrees.map(shownWorktree) };
  if (mends === undefined) return made.ok ? ok(done) : made;
  // A repair fails for any worktree that it could not mend, the one that was meant or not.
  const mended = worktreeAt(now.value, mends);
  if (!mended.ok) return made.ok ? mended : made;
  return ok(made.ok ? done : { ...done, remark: made.error.message });
}
