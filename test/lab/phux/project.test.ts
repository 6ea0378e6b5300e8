import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { Call } from "./call.ts";
import { dispatch } from "./dispatch.ts";
import { verbs } from "./verbs.ts";
import { parseWorktrees } from "./worktree.ts";

let folder: string;
let main: string;
let head: string;
const identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=trunk"];
const git = (cwd: string, ...args: string[]): string => {
  const ran = Bun.spawnSync(["git", ...identity, ...args], {
    cwd,
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" },
  });
  if (!ran.success) throw new Error(ran.stderr.toString());
  return ran.stdout.toString().trim();
};

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "phux-project-")));
  main = join(folder, "main repo");
  mkdirSync(join(main, "deep", "er"), { recursive: true });
  git(main, "init", "-q");
  git(main, "commit", "-q", "--allow-empty", "-m", "one");
  head = git(main, "rev-parse", "HEAD");
  git(main, "worktree", "add", "-q", "-b", "feature/x", join(folder, "feature"));
  git(main, "worktree", "add", "-q", "--detach", join(folder, "loose head"));
  git(join(folder, "feature"), "commit", "-q", "--allow-empty", "-m", "two");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const inspect = async (...argv: string[]) => {
  const { stdout, stderr, exit } = await dispatch(["project", "inspect", ...argv], verbs, new Call());
  return { exit, document: stdout === "" ? null : JSON.parse(stdout), error: stderr === "" ? null : stderr };
};

describe("project inspect", () => {
  const rows = () => [
    { path: main, head, branch: "trunk", detached: false },
    {
      path: join(folder, "feature"),
      head: git(join(folder, "feature"), "rev-parse", "HEAD"),
      branch: "feature/x",
      detached: false,
    },
    { path: join(folder, "loose head"), head, branch: null, detached: true },
  ];

  test.each([
    ["the main worktree", "main repo", 0],
    ["a folder in it", "main repo/deep/er", 0],
    ["a worktree on a branch", "feature", 1],
    ["a worktree on none", "loose head", 2],
  ])("at %s", async (_, path, at) => {
    const { exit, document } = await inspect(join(folder, path), "--json");
    const worktrees = rows();
    expect(exit).toBe(0);
    expect(document).toEqual({
      schema_version: 1,
      repo: worktrees[at],
      worktrees: worktrees.map((row, index) => ({ ...row, current: index === at })),
    });
  });

  test("through a link, and without a word for the folder one stands in", async () => {
    symlinkSync(main, join(folder, "link"));
    expect((await inspect(join(folder, "link"), "--json")).document.repo.path).toBe(main);
    const here = process.cwd();
    process.chdir(join(main, "deep"));
    const { document } = await inspect("--json").finally(() => process.chdir(here));
    expect(document.repo.path).toBe(main);
  });

  test("where nothing was committed yet", async () => {
    const empty = join(folder, "empty");
    mkdirSync(empty);
    git(empty, "init", "-q");
    const repo = { path: empty, head: null, branch: "trunk", detached: false };
    expect((await inspect(empty, "--json")).document).toEqual({
      ...{ schema_version: 1, repo, worktrees: [{ ...repo, current: true }] },
    });
  });

  test("of a bare repository's worktrees, which has itself none", async () => {
    const bare = join(folder, "bare.git");
    git(folder, "clone", "-q", "--bare", main, bare);
    git(bare, "worktree", "add", "-q", "--detach", join(folder, "from bare"));
    const { document } = await inspect(join(folder, "from bare"), "--json");
    expect(document.worktrees).toEqual([
      { path: join(folder, "from bare"), head, branch: null, detached: true, current: true },
    ]);
    expect(await inspect(bare, "--json")).toMatchObject({ exit: 1, document: null });
  });

  test.each([
    ["no repository", "."],
    ["no such folder", "none"],
    ["a file", "main repo/.git/HEAD"],
  ])("fails for %s", async (_, path) => {
    const { exit, document, error } = await inspect(join(folder, path), "--json");
    expect([exit, document]).toEqual([1, null]);
    expect(JSON.parse(error ?? "")).toMatchObject({ error: { code: "workspace" }, exit_code: 1 });
  });

  test("fails without git", async () => {
    const { PATH } = process.env;
    process.env["PATH"] = folder;
    const { exit, error } = await inspect(main, "--json").finally(() => {
      process.env["PATH"] = PATH;
    });
    expect(exit).toBe(1);
    expect(JSON.parse(error ?? "")).toMatchObject({ error: { code: "workspace" } });
  });

  test("asks the folder, and not the repository that the environment names", async () => {
    process.env["GIT_DIR"] = join(folder, "bare.git");
    const { document } = await inspect(main, "--json").finally(() => {
      Reflect.deleteProperty(process.env, "GIT_DIR");
    });
    expect(document.repo.path).toBe(main);
  });

  test.each([[["--socket", "/s"]], [["-x"]], [["a", "b"]]])("has no use for %j", async (argv) => {
    expect(await inspect(...argv, "--json")).toMatchObject({ exit: 2, document: null });
  });
});

test("a listing reads back as it was written", () => {
  const path = fc
    .string({ unit: "grapheme", minLength: 1 })
    .filter((text) => !text.includes("\0") && text.trim() === text);
  const entry = fc.record({
    path,
    head: fc.option(fc.constantFrom("a".repeat(40), "0123456789".repeat(4))),
    branch: fc.option(path),
  });
  fc.assert(
    fc.property(fc.array(entry), (entries) => {
      const porcelain = entries.map(({ path, head, branch }) =>
        [
          `worktree ${path}`,
          `HEAD ${head ?? "0".repeat(40)}`,
          branch === null ? "detached" : `branch refs/heads/${branch}`,
          "locked",
          "",
        ].join("\0"),
      );
      const read = parseWorktrees(porcelain.map((one) => `${one}\0`).join(""));
      expect(read).toEqual(entries.map((one) => ({ ...one, detached: one.branch === null })));
    }),
  );
});
