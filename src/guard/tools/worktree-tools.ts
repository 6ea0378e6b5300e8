/** The tools about git worktrees, in the order of guard.md's table. */
import type { GuardTool } from "../tool.ts";
import { addWorktree } from "./add-worktree.ts";
import { listWorktrees } from "./list-worktrees.ts";
import { removeWorktree } from "./remove-worktree.ts";
import { tidyWorktrees } from "./tidy-worktrees.ts";

export const worktreeTools: readonly GuardTool[] = [listWorktrees, addWorktree, removeWorktree, tidyWorktrees];
