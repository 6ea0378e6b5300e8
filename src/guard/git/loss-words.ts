/** A loss in words: what the person reads before it happens, and the agent when it needs `force`. Pure. */
import { quote } from "../../text/clean.ts";
import { type Commits, type Loss, MOST_COMMITS } from "./loss.ts";

/** How many names stand in a line before the rest is only counted. */
const NAMED = 5;

/** What git would lose, or could not tell us of: it takes `force`. Each with names, which are others' text and quoted. */
export function lostWords(loss: Loss): readonly string[] {
  return [
    ...files(loss.changed, "changed"),
    ...files(loss.untracked, "untracked"),
    ...files(loss.hidden, "hidden from git"),
    ...loss.underway,
    ...commitWords(loss.commits),
    ...(loss.searched ? [] : ["what lies in folders that could not all be looked at"]),
  ];
}

/** What git counts as nothing, and may matter all the same. */
export function ignoredWords({ ignored }: Loss): readonly string[] {
  return files(ignored, "ignored");
}

export function commitWords({ count, first }: Commits): readonly string[] {
  if (count === 0) return [];
  const many = count >= MOST_COMMITS ? `${MOST_COMMITS} or more commits` : `${count} commits`;
  const words = `${count === 1 ? "1 commit" : many} that nothing else holds`;
  const more = count > first.length ? ` and ${count - first.length} more` : "";
  return [`${words} (${first.map(quote).join(", ")}${more})`];
}

function files(names: readonly string[], kind: string): readonly string[] {
  if (names.length === 0) return [];
  const rest = names.length > NAMED ? ` and ${names.length - NAMED} more` : "";
  const noun = names.length === 1 ? "file" : "files";
  return [`${names.length} ${kind} ${noun} (${names.slice(0, NAMED).map(quote).join(", ")}${rest})`];
}
