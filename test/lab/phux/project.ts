import { realpath } from "node:fs/promises";
import { fail, ok, type Result } from "../../../src/wire/result.ts";
import { type CliRefusal, refuseCli } from "./refusal.ts";
import { optionalWord } from "./slot.ts";
import { json, verb } from "./verb.ts";
import { parseWorktrees, type Worktree } from "./worktree.ts";

/** git answers these from its own files; one that takes longer hangs. */
const GIT_MS = 20_000;
const GIT_BYTES = 16 * 1024 * 1024;

export const inspect = verb({
  name: "project inspect",
  contract: 1,
  slots: { json, path: optionalWord("PATH") },
  async run(given) {
    const found = await worktreesAt(given.path ?? ".");
    if (!found.ok) return found;
    const { current, worktrees } = found.value;
    const lines = worktrees.map((one) => `${one === current ? "*" : " "} ${described(one)}\n`);
    return ok({
      document: {
        schema_version: 1,
        repo: current,
        worktrees: worktrees.map((one) => ({ ...one, current: one === current })),
      },
      text: lines.join(""),
    });
  },
});

const described = ({ path, branch, head }: Worktree) => `${path}\t${branch ?? "(detached)"}\t${head ?? "-"}`;

interface Checkout {
  /** The one that the path lies in. */
  readonly current: Worktree;
  readonly worktrees: readonly Worktree[];
}

async function worktreesAt(path: string): Promise<Result<Checkout, CliRefusal>> {
  const top = await git(path, ["rev-parse", "--show-toplevel"]);
  if (!top.ok) return top;
  // The line ends with the path, which may itself end with a blank.
  const root = top.value.replace(/\n$/, "");
  const listed = await git(root, ["worktree", "list", "--porcelain", "-z"]);
  if (!listed.ok) return listed;
  const worktrees = parseWorktrees(listed.value);
  const real = await realOf(root);
  for (const current of worktrees) if ((await realOf(current.path)) === real) return ok({ current, worktrees });
  return fail(refuseCli("workspace", `git lists no worktree at ${root}`));
}

/** A worktree whose folder was deleted is still listed. */
function realOf(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

async function git(folder: string, args: readonly string[]): Promise<Result<string, CliRefusal>> {
  const child = spawnGit(["-C", folder, ...args]);
  if (typeof child === "string") return fail(refuseCli("workspace", `git cannot be run: ${child}`));
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  const exit = await child.exited;
  if (exit === 0) return ok(stdout);
  const why = stderr.trim() || `it ended with ${child.signalCode ?? exit}`;
  return fail(refuseCli("workspace", `git ${args[0]} failed in ${folder}: ${why}`));
}

function spawnGit(args: readonly string[]) {
  // A repository that the environment names, as in a hook, is not the one that was asked about.
  const { GIT_DIR: _dir, GIT_WORK_TREE: _tree, GIT_COMMON_DIR: _common, ...env } = process.env;
  try {
    return Bun.spawn(["git", ...args], {
      env: { ...env, LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: GIT_MS,
      maxBuffer: GIT_BYTES,
      killSignal: "SIGKILL",
    });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
