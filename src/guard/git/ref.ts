/** Branches and commits by the names that a caller gives. */
import { type Refusal, sentence } from "../../phux/errors.ts";
import { quote } from "../../text/clean.ts";
import { fail, ok, type Result } from "../../wire/result.ts";
import { type GitRoom, git, gitEnd } from "./run-git.ts";

/** The commit that a branch stands at; refused when there is no such branch, and for a name that git would not make. */
export async function branchTip(room: GitRoom, folder: string, branch: string): Promise<Result<string, Refusal>> {
  const wrong = await refuseBranchName(room, folder, branch);
  if (wrong !== null) return fail(wrong);
  const tip = await commitAt(room, folder, `refs/heads/${branch}`);
  if (!tip.ok) return tip;
  return tip.value === null ? fail(sentence(`there is no branch ${quote(branch)}`)) : ok(tip.value);
}

/** Null for a branch that can be made: its name is one, and it is free. */
export async function refuseNewBranch(room: GitRoom, folder: string, branch: string): Promise<Refusal | null> {
  const wrong = await refuseBranchName(room, folder, branch);
  if (wrong !== null) return wrong;
  const taken = await commitAt(room, folder, `refs/heads/${branch}`);
  if (!taken.ok) return taken.error;
  return taken.value === null ? null : sentence(`there is a branch ${quote(branch)} already`);
}

async function refuseBranchName(room: GitRoom, folder: string, branch: string): Promise<Refusal | null> {
  const bad = sentence(`${quote(branch)} is no name for a branch`, 2);
  if (branch.startsWith("-")) return bad;
  const checked = await gitEnd(room, folder, ["check-ref-format", `refs/heads/${branch}`]);
  if (!checked.ok) return checked.error;
  return checked.value.exit === 0 ? null : bad;
}

/** The commit that a revision means now, in full; null when it means none. */
export async function commitAt(
  room: GitRoom,
  folder: string,
  revision: string,
): Promise<Result<string | null, Refusal>> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`];
  const found = await gitEnd(room, folder, args);
  if (!found.ok) return found;
  const commit = found.value.stdout.trim();
  return ok(found.value.exit === 0 && /^[0-9a-f]{40,64}$/.test(commit) ? commit : null);
}

/** Deletes a branch if it still stands at this commit. */
export async function deleteBranch(
  room: GitRoom,
  folder: string,
  branch: string,
  commit: string,
): Promise<Refusal | null> {
  const deleted = await git(room, folder, ["update-ref", "-d", `refs/heads/${branch}`, commit]);
  return deleted.ok ? null : deleted.error;
}
