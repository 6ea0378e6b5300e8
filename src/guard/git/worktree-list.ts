/** What `git worktree list --porcelain -z` says. Pure. */

export interface Worktree {
  readonly path: string;
  /** The first one that is listed: the checkout that the repository was made with, or the bare repository. */
  readonly main: boolean;
  readonly bare: boolean;
  readonly head: string | null;
  /** Without `refs/heads/`; null when it is detached. */
  readonly branch: string | null;
  /** Why it is locked, "" for no reason given; null when it is not. */
  readonly locked: string | null;
  /** Why git would prune it, as for a folder that is gone; null when it would not. */
  readonly prunable: string | null;
}

const HEADS = "refs/heads/";
/** What the decoder puts in place of bytes that are no UTF-8. */
const UNREADABLE = "\ufffd";

/** Any text gives a list: entries without a path are left out. */
export function parseWorktreeList(text: string): readonly Worktree[] {
  const entries = text.split("\0\0").map((entry) => entry.split("\0").filter((line) => line !== ""));
  return entries.flatMap((lines, at): Worktree[] => {
    const attributes = new Map(lines.map(attribute));
    const path = attributes.get("worktree") ?? "";
    if (path === "") return [];
    const branch = attributes.get("branch") ?? null;
    const head = attributes.get("HEAD") ?? null;
    return [
      {
        ...{ path, main: at === 0, bare: attributes.has("bare") },
        head: head === null || /^0+$/.test(head) ? null : head,
        branch: branch?.startsWith(HEADS) ? branch.slice(HEADS.length) : branch,
        locked: attributes.get("locked") ?? null,
        prunable: attributes.get("prunable") ?? null,
      },
    ];
  });
}

function attribute(line: string): [string, string] {
  const space = line.indexOf(" ");
  return space < 0 ? [line, ""] : [line.slice(0, space), line.slice(space + 1)];
}

/** Whether a path can be handed back to git: it was UTF-8. */
export function isNameable({ path }: Worktree): boolean {
  return !path.includes(UNREADABLE);
}
