/** What `git status --porcelain=v2 -z` and `git ls-files -v -z` say. Pure; any text gives an answer. */

export interface Status {
  /** Paths of tracked files that differ from what is committed, staged or not. */
  readonly changed: readonly string[];
  readonly untracked: readonly string[];
  /** What git was told to ignore: files, and whole folders with a slash behind. */
  readonly ignored: readonly string[];
}

/** How many fields stand in front of the path, by the kind of an entry. */
const FIELDS: Readonly<Record<string, number>> = { "1": 8, "2": 9, u: 10, "?": 1, "!": 1 };

export function parseStatus(text: string): Status {
  const found: Record<"changed" | "untracked" | "ignored", string[]> = { changed: [], untracked: [], ignored: [] };
  const entries = text.split("\0");
  for (let at = 0; at < entries.length; at += 1) {
    const entry = entries[at] ?? "";
    const kind = entry.charAt(0);
    const fields = FIELDS[kind];
    if (fields === undefined) continue;
    const path = entry.split(" ").slice(fields).join(" ");
    // A rename has its old path in an entry of its own.
    if (kind === "2") at += 1;
    if (path === "") continue;
    found[kind === "?" ? "untracked" : kind === "!" ? "ignored" : "changed"].push(path);
  }
  return found;
}

/** Files that git was told not to look at, so that a change of theirs shows nowhere: assumed unchanged, or skipped. */
export function parseHidden(text: string): readonly string[] {
  return text.split("\0").flatMap((entry) => (/^[a-zS] ./.test(entry) ? [entry.slice(2)] : []));
}
