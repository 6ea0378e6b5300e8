/** What an agent may be granted, and how far a grant reaches (guard.md "Decisions"). */

/**
 * `read`: a terminal's scrollback. `run`: typing into one. `configure`: how a language server, or a pane, starts.
 * `worktree`: creating, moving, repairing, unlocking, pruning and removing git worktrees.
 */
export const capabilities = ["read", "run", "configure", "worktree"] as const;
export type Capability = (typeof capabilities)[number];

/** From narrow to wide: one terminal, the terminals of one group, every terminal. */
export const scopes = ["tab", "group", "all"] as const;
export type Scope = (typeof scopes)[number];
