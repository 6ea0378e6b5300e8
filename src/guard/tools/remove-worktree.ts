import { dirname, sep } from "node:path";
import { type Refusal, refuse, sentence } from "../../phux/errors.ts";
import { quote } from "../../text/clean.ts";
import { fail, ok, type Result } from "../../wire/result.ts";
import { type Loss, lossOf } from "../git/loss.ts";
import { ignoredWords, lostWords } from "../git/loss-words.ts";
import { deleteBranch } from "../git/ref.ts";
import { isGone, openRepository, type Repository, realPath, worktreeAt } from "../git/repository.ts";
import { CHANGE_MS, type GitRoom, git } from "../git/run-git.ts";
import type { Worktree } from "../git/worktree-list.ts";
import { guardTool } from "../tool.ts";
import { flag, optional } from "./argument.ts";
import { changedMeanwhile, path, repositoryFor, repositoryPath } from "./worktree-room.ts";

/** A removal as the person sees it before it happens. */
interface Plan {
  readonly worktree: Worktree;
  /** The branch that goes too; null to keep it, or without one. */
  readonly branch: string | null;
  readonly loss: Loss;
}

export const removeWorktree = guardTool({
  name: "remove_worktree",
  about:
    "Delete a git worktree with its folder, and with delete_branch its branch. Needs `worktree`, and the person is asked " +
    "every time. Never the main checkout, a locked worktree, or one with submodules or repositories inside. What would be " +
    "lost, as changed and untracked files or commits that nothing else holds, is named and refused unless force is true.",
  readOnly: false,
  input: {
    worktree_path: path("The worktree."),
    delete_branch: optional(flag("Delete its branch too.")),
    force: optional(flag("Remove it although something is lost.")),
    path: repositoryPath,
  },
  async run({ worktree_path: target, delete_branch: deletes = false, force = false, path: given }, call) {
    const repository = await repositoryFor(call, given, target);
    if (!repository.ok) return repository;
    const { folder } = repository.value;
    const before = await planFor(call, folder, target, deletes);
    if (!before.ok) return before;
    const lost = lostWords(before.value.loss);
    if (lost.length > 0 && !force) {
      const message = `removing ${quote(before.value.worktree.path)} would lose ${lost.join("; ")}; nothing was done`;
      return fail(sentence(`${message}. Save that first, or pass force: true, which the person reads.`));
    }
    const refused = await call.permit({
      ...{ capability: "worktree", target: null, act: actOf(before.value, folder), everyTime: true },
      stake:
        lost.length === 0
          ? "The folder is deleted with everything in it. Git finds nothing in it that would be lost, ignored files aside."
          : "The folder is deleted with everything in it. What is named as lost cannot be brought back.",
    });
    if (refused !== null) return fail(refused);
    const after = await planFor(call, folder, target, deletes);
    if (!after.ok) return after;
    if (JSON.stringify(after.value) !== JSON.stringify(before.value)) return fail(changedMeanwhile("the worktree"));
    return remove(call, folder, after.value);
  },
});

function actOf({ worktree, branch, loss }: Plan, folder: string): string {
  const on = worktree.branch === null ? "detached" : `branch ${quote(worktree.branch)}`;
  const what = `delete the worktree ${quote(worktree.path)} (${on}) of the repository ${quote(folder)}`;
  const too = branch === null ? [] : [`delete the branch ${quote(branch)} at ${worktree.head?.slice(0, 12)}`];
  const lost = lostWords(loss).map((words) => `lost: ${words}`);
  const ignored = ignoredWords(loss).map((words) => `also deleted: ${words}`);
  return [what, ...too, ...lost, ...ignored].join("; ");
}

async function planFor(
  room: GitRoom,
  folder: string,
  target: string,
  deletes: boolean,
): Promise<Result<Plan, Refusal>> {
  const repository = await openRepository(room, folder);
  if (!repository.ok) return repository;
  const found = worktreeAt(repository.value, target);
  if (!found.ok) return found;
  const wrong =
    refuseRemoval(repository.value, found.value) ?? (deletes ? refuseDeletion(repository.value, found.value) : null);
  if (wrong !== null) return fail(wrong);
  const loss = await lossOf(room, repository.value, found.value, deletes);
  return loss.ok ? ok({ worktree: found.value, branch: deletes ? found.value.branch : null, loss: loss.value }) : loss;
}

/** What is never removed, or moved. */
export function refuseRemoval({ worktrees }: Repository, worktree: Worktree): Refusal | null {
  const name = quote(worktree.path);
  if (worktree.main) return sentence(`${name} is the main checkout, which is never removed or moved`);
  if (worktree.locked !== null) {
    const why = worktree.locked === "" ? "" : `: ${quote(worktree.locked)}`;
    return refuse(
      "permission_denied",
      `${name} is locked${why}`,
      "unlock it first with tidy_worktrees, if that is right",
    );
  }
  const real = realPath(worktree.path) ?? worktree.path;
  const nested = worktrees.find(
    (one) => one !== worktree && `${realPath(one.path) ?? one.path}`.startsWith(`${real}${sep}`),
  );
  return nested === undefined ? null : sentence(`another worktree, ${quote(nested.path)}, lies inside ${name}`);
}

function refuseDeletion({ worktrees }: Repository, worktree: Worktree): Refusal | null {
  if (worktree.branch === null) return sentence(`${quote(worktree.path)} is on no branch that could be deleted`);
  const other = worktrees.find((one) => one !== worktree && one.branch === worktree.branch);
  if (other === undefined) return null;
  return sentence(`the branch ${quote(worktree.branch)} is checked out in ${quote(other.path)} too`);
}

async function remove(room: GitRoom, folder: string, { worktree, branch, loss }: Plan) {
  // Git looks once more by itself, so it is only told to go on where it would rightly stop.
  const dirty = loss.changed.length + loss.untracked.length > 0;
  const how = dirty ? ["--force"] : [];
  const removed = await git(room, folder, ["worktree", "remove", ...how, "--", worktree.path], CHANGE_MS);
  if (!removed.ok) return removed;
  if (!isGone(worktree.path)) {
    return fail(
      sentence(`git let go of ${quote(worktree.path)}, but its folder is still in ${quote(dirname(worktree.path))}`),
    );
  }
  const done = { schema_version: 1, removed: true, path: worktree.path, ignored_files_deleted: loss.ignored.length };
  if (branch === null || worktree.head === null) return ok({ ...done, branch_deleted: false, branch: worktree.branch });
  const failed = await deleteBranch(room, folder, branch, worktree.head);
  if (failed === null) return ok({ ...done, branch_deleted: true, branch, commit: worktree.head });
  const message = `the worktree ${quote(worktree.path)} was removed, and its branch ${quote(branch)} was kept: ${failed.message}`;
  return fail({ ...failed, message });
}
