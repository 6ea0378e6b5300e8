/** A checkout of a repository, as `git worktree list` tells of it. */
export interface Worktree {
  readonly path: string;
  /** Null where nothing has been committed yet. */
  readonly head: string | null;
  /** Short; null when no branch is checked out. */
  readonly branch: string | null;
  readonly detached: boolean;
}

/**
 * The worktrees in the output of `git worktree list --porcelain -z`, the main one first. The entry of a bare repository
 * is no checkout.
 */
export function parseWorktrees(porcelain: string): readonly Worktree[] {
  const entries = porcelain.split("\0\0").map((entry) => entry.split("\0").filter((line) => line !== ""));
  return entries.flatMap((lines) => {
    const said = new Map(lines.map(halves));
    const path = said.get("worktree");
    if (path === undefined || said.has("bare")) return [];
    const head = said.get("HEAD") ?? null;
    const branch = said.get("branch")?.replace(/^refs\/heads\//, "") ?? null;
    return [{ path, head: head === null || /^0+$/.test(head) ? null : head, branch, detached: said.has("detached") }];
  });
}

function halves(line: string): [name: string, value: string] {
  const at = line.indexOf(" ");
  return at < 0 ? [line, ""] : [line.slice(0, at), line.slice(at + 1)];
}
