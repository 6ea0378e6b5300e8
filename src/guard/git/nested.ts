/** Repositories that lie inside a folder: what they hold may be nowhere else, and git does not count it. */
import { opendir } from "node:fs/promises";
import { join } from "node:path";

/** So many entries are looked at; a checkout with its dependencies has fewer. */
const MOST_ENTRIES = 200_000;
const MOST_FOUND = 8;

export interface Nested {
  /** Their folders, at most a few. */
  readonly found: readonly string[];
  /** Everything was looked at. */
  readonly complete: boolean;
}

/** Looks at every folder below `root`, whose own `.git` does not count. Links are not followed. */
export async function nestedRepositories(root: string, signal: AbortSignal): Promise<Nested> {
  const found: string[] = [];
  const waiting = [root];
  let seen = 0;
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (signal.aborted || seen > MOST_ENTRIES) return { found, complete: false };
    const entries = await entriesOf(folder);
    if (entries === null) return { found, complete: false };
    seen += entries.size;
    const isBare = entries.has("HEAD") && entries.get("objects") === true && entries.get("refs") === true;
    if (isBare || (entries.has(".git") && folder !== root)) {
      found.push(folder);
      if (found.length >= MOST_FOUND) return { found, complete: false };
      continue;
    }
    for (const [name, isFolder] of entries) if (isFolder && name !== ".git") waiting.push(join(folder, name));
  }
  return { found, complete: true };
}

/** Names in a folder, and whether each is a folder itself; null where it may not be read. */
async function entriesOf(folder: string): Promise<ReadonlyMap<string, boolean> | null> {
  try {
    const entries = new Map<string, boolean>();
    for await (const entry of await opendir(folder)) {
      entries.set(entry.name, entry.isDirectory());
      if (entries.size > MOST_ENTRIES) break;
    }
    return entries;
  } catch {
    return null;
  }
}
