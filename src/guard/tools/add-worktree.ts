import { dirname, sep } from "node:path";
import { type Refusal, sentence } from "../../phux/errors.ts";
import { quote } from "../../text/clean.ts";
import { fail, ok, type Result } from "../../wire/result.ts";
import { branchTip, commitAt, refuseNewBranch } from "../git/ref.ts";
import { isGone, openRepository, type Repository, realPath, refusePath, worktreeAt } from "../git/repository.ts";
import { CHANGE_MS, type GitRoom, git } from "../git/run-git.ts";
import { guardTool } from "../tool.ts";
import { line, optional } from "./argument.ts";
import { shownWorktree } from "./list-worktrees.ts";
import { changedMeanwhile, path, repositoryFor, repositoryPath } from "./worktree-room.ts";

const MOST_REF_BYTES = 512;

/** What is asked for: an existing branch, or a new one and where it begins. */
type Wish =
  | { readonly kind: "branch"; readonly branch: string }
  | { readonly kind: "new"; readonly branch: string; readonly from: string };

export const addWorktree = guardTool({
  name: "add_worktree",
  about:
    "Make a git worktree at a path where nothing stands yet, for an existing `branch` or for a `new_branch`, one of the " +
    "two; a new one begins at `from`, default HEAD. Needs `worktree`. No hook runs and nothing is fetched.",
  readOnly: false,
  input: {
    worktree_path: path("Where it is made."),
    branch: optional(line("Existing branch.", MOST_REF_BYTES, 1)),
    new_branch: optional(line("Branch to make.", MOST_REF_BYTES, 1)),
    from: optional(line("Commit, branch or tag at which new_branch begins.", MOST_REF_BYTES, 1)),
    path: repositoryPath,
  },
  async run({ worktree_path: target, branch, new_branch: fresh, from, path: given }, call) {
    const wish = wishOf(branch, fresh, from);
    if (!wish.ok) return wish;
    const wrong = refusePath("worktree_path", target);
    if (wrong !== null) return fail(wrong);
    const repository = await repositoryFor(call, given);
    if (!repository.ok) return repository;
    const before = await look(call, repository.value, target, wish.value);
    if (!before.ok) return before;
    const short = before.value.slice(0, 12);
    const what =
      wish.value.kind === "branch"
        ? `for the branch ${quote(wish.value.branch)} at ${short}`
        : `with the new branch ${quote(wish.value.branch)} from ${quote(wish.value.from)}, at ${short}`;
    const refused = await call.permit({
      capability: "worktree",
      target: null,
      act: `make the worktree ${quote(target)} ${what}, in the repository ${quote(repository.value.folder)}`,
      stake: "Files of that commit are written there, through the filters that the repository sets up.",
    });
    if (refused !== null) return fail(refused);
    const after = await look(call, repository.value, target, wish.value);
    if (!after.ok) return after;
    if (after.value !== before.value) return fail(changedMeanwhile("the branch"));
    return add(call, repository.value, target, wish.value, after.value);
  },
});

function wishOf(branch?: string, fresh?: string, from?: string): Result<Wish, Refusal> {
  if ((branch === undefined) === (fresh === undefined)) {
    return fail(sentence("add_worktree: give branch or new_branch, one of the two", 2));
  }
  if (branch !== undefined && from !== undefined) {
    return fail(sentence("add_worktree: from goes with new_branch", 2));
  }
  return ok(
    branch !== undefined ? { kind: "branch", branch } : { kind: "new", branch: fresh ?? "", from: from ?? "HEAD" },
  );
}

/** The commit that would be checked out; a refusal of what git would refuse, and of places where no worktree belongs. */
async function look(
  room: GitRoom,
  repository: Repository,
  target: string,
  wish: Wish,
): Promise<Result<string, Refusal>> {
  if (!isGone(target)) return fail(sentence(`something stands at ${quote(target)} already`));
  const common = await git(room, repository.folder, ["rev-parse", "--path-format=absolute", "--git-common-dir"]);
  if (!common.ok) return common;
  const inside = realPath(common.value.trimEnd()) ?? common.value.trimEnd();
  if (`${nearestReal(target)}${sep}`.startsWith(`${inside}${sep}`)) {
    return fail(sentence(`${quote(target)} lies in git's own folder`));
  }
  const { folder } = repository;
  if (wish.kind === "branch") {
    const current = await openRepository(room, folder);
    if (!current.ok) return current;
    const holder = current.value.worktrees.find((one) => one.branch === wish.branch);
    if (holder === undefined) return branchTip(room, folder, wish.branch);
    return fail(sentence(`the branch ${quote(wish.branch)} is checked out in ${quote(holder.path)}`));
  }
  const wrong = await refuseNewBranch(room, folder, wish.branch);
  if (wrong !== null) return fail(wrong);
  const start = await commitAt(room, folder, wish.from);
  if (!start.ok) return start;
  return start.value === null ? fail(sentence(`${quote(wish.from)} names no commit`)) : ok(start.value);
}

/** The nearest folder upwards that is there, without links. */
function nearestReal(target: string): string {
  for (let folder = dirname(target); ; folder = dirname(folder)) {
    const real = realPath(folder);
    if (real !== null || folder === dirname(folder)) return real ?? folder;
  }
}

async function add(room: GitRoom, { folder }: Repository, target: string, wish: Wish, commit: string) {
  const args =
    wish.kind === "branch" ? ["--", target, wish.branch] : ["--no-track", "-b", wish.branch, "--", target, commit];
  const added = await git(room, folder, ["worktree", "add", "--quiet", ...args], CHANGE_MS);
  if (!added.ok) return added;
  const now = await openRepository(room, folder);
  if (!now.ok) return now;
  const made = worktreeAt(now.value, target);
  return made.ok ? ok({ schema_version: 1, added: true, worktree: shownWorktree(made.value) }) : made;
}
