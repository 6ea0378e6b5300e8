import { ok } from "../../wire/result.ts";
import { isGone } from "../git/repository.ts";
import type { Worktree } from "../git/worktree-list.ts";
import { guardTool } from "../tool.ts";
import { repositoryFor, repositoryPath } from "./worktree-room.ts";

export const listWorktrees = guardTool({
  name: "list_worktrees",
  about:
    "The git worktrees of a repository: path, branch (null is detached), commit, whether it is the main checkout, locked " +
    "with the reason, and whether its folder is gone.",
  readOnly: true,
  input: { path: repositoryPath },
  cuts: [{ at: ["worktrees"], hint: "worktrees keeps the last ones: `git worktree list` has all" }],
  async run({ path }, call) {
    const repository = await repositoryFor(call, path);
    if (!repository.ok) return repository;
    return ok({ schema_version: 1, worktrees: repository.value.worktrees.map(shownWorktree) });
  },
});

export function shownWorktree({ path, main, bare, head, branch, locked, prunable }: Worktree) {
  return { path, main, bare, branch, head, locked, prunable, missing: isGone(path) };
}
