// Worktrees of real repositories: what is made, what is refused, and what is said before something is lost.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { GitRoom } from "./git-room.ts";
import { no, yes } from "./guard-call.ts";

let room: GitRoom;
beforeAll(async () => {
  room = await GitRoom.open();
});
afterAll(() => room.end());
beforeEach(() => {
  room.bench.person = yes;
  room.bench.requests.length = 0;
});

const at = (name: string) => join(room.folder, name);
const add = (args: Record<string, unknown>) => ({ path: room.main, ...args });
const lastAct = () => room.bench.requests.at(-1)?.act ?? "";

describe("list_worktrees", () => {
  test("main, linked, detached, locked and missing ones", async () => {
    const linked = room.worktree("listed with space", "-b", "listed");
    const detached = room.worktree("afloat", "--detach");
    const locked = room.worktree("kept");
    room.git("worktree", "lock", "--reason", "on a stick", locked);
    const missing = room.worktree("lost");
    rmSync(missing, { recursive: true });
    const { worktrees } = await room.bench.document("list_worktrees", { path: linked });
    const rows = new Map((Array.isArray(worktrees) ? worktrees : []).map((row) => [row.path, row]));
    expect([...rows.keys()].sort()).toEqual([room.main, linked, detached, locked, missing].sort());
    expect(rows.get(room.main)).toMatchObject({ main: true, branch: "main", locked: null, missing: false });
    expect(rows.get(linked)).toMatchObject({ main: false, branch: "listed", head: room.git("rev-parse", "HEAD") });
    expect(rows.get(detached)).toMatchObject({ branch: null, main: false });
    expect(rows.get(locked)).toMatchObject({ branch: "kept", locked: "on a stick" });
    expect(rows.get(missing)).toMatchObject({ missing: true, prunable: expect.stringContaining("non-existent") });
    expect(room.bench.requests).toEqual([]);
  });

  test.each([
    ["relative/path", /absolute path/],
    ["/nowhere/at/all", /is no folder/],
    ["/tmp/", /written without/],
    ["/", /not a git repository/],
  ])("%s is refused", async (path, message) => {
    expect((await room.bench.refusal("list_worktrees", { path })).message).toMatch(message);
  });

  test("a caller in no terminal has to say where", async () => {
    expect((await room.bench.refusal("list_worktrees")).message).toContain('give "path"');
  });
});

describe("add_worktree", () => {
  test("a new branch begins where it is told, and no hook runs", async () => {
    const hook = join(room.main, ".git", "hooks", "post-checkout");
    room.write(hook, `#!/bin/sh\ntouch '${at("hooked")}'\n`);
    chmodSync(hook, 0o755);
    const first = room.git("rev-parse", "HEAD");
    room.commit("second", { "second.txt": "2\n" });
    const worktree_path = at("made new");
    const made = await room.bench.document("add_worktree", add({ worktree_path, new_branch: "fresh", from: "HEAD~1" }));
    expect(made).toMatchObject({ added: true, worktree: { path: worktree_path, branch: "fresh", head: first } });
    expect(room.has(join(worktree_path, "README.md"))).toBe(true);
    expect(room.has(join(worktree_path, "second.txt"))).toBe(false);
    expect(room.has(at("hooked"))).toBe(false);
    rmSync(hook);
    expect(room.bench.requests).toMatchObject([{ capability: "worktree", target: null }]);
    expect(lastAct()).toContain(
      `"${worktree_path}" with the new branch "fresh" from "HEAD~1", at ${first.slice(0, 12)}`,
    );
  });

  test("an existing branch", async () => {
    room.git("branch", "waiting");
    const worktree_path = at("deep/er/waiting");
    await room.bench.document("add_worktree", add({ worktree_path, branch: "waiting" }));
    expect(room.gitIn(worktree_path, "branch", "--show-current")).toBe("waiting");
  });

  const wrong: [why: string, args: Record<string, unknown>, message: RegExp][] = [
    ["neither branch", {}, /one of the two/],
    ["both", { branch: "main", new_branch: "x" }, /one of the two/],
    ["from without new_branch", { branch: "waiting", from: "main" }, /from goes with new_branch/],
    ["a branch that is checked out", { branch: "main" }, /is checked out in/],
    ["a branch that is not there", { branch: "nothing" }, /there is no branch/],
    ["a new branch that is taken", { new_branch: "main" }, /already/],
    ["a branch like an option", { branch: "--force" }, /no name for a branch/],
    ["a new branch like an option", { new_branch: "-B" }, /no name for a branch/],
    ["no name for a branch", { new_branch: "a..b" }, /no name for a branch/],
    ["a start like an option", { new_branch: "x", from: "--all" }, /names no commit/],
    ["a start that is no commit", { new_branch: "x", from: "HEAD:README.md" }, /names no commit/],
    ["a place that is taken", { new_branch: "x", worktree_path: "/tmp" }, /stands at/],
    ["a relative place", { new_branch: "x", worktree_path: "x" }, /absolute path/],
    ["a crooked place", { new_branch: "x", worktree_path: "/tmp/../x" }, /written without/],
    ["a place with a newline", { new_branch: "x", worktree_path: "/tmp/a\nb" }, /must be one line/],
  ];
  test.each(wrong)("%s is refused before anybody is asked", async (_, args, message) => {
    const refusal = await room.bench.refusal("add_worktree", add({ worktree_path: at("never"), ...args }));
    expect(refusal.message).toMatch(message);
    expect(room.bench.requests).toEqual([]);
    expect(room.has(at("never"))).toBe(false);
  });

  test("git's own folder is no place for one", async () => {
    const worktree_path = join(room.main, ".git", "deep", "x");
    expect((await room.bench.refusal("add_worktree", add({ worktree_path, new_branch: "x" }))).message).toContain(
      "git's own folder",
    );
  });

  test("a no makes nothing", async () => {
    room.bench.person = no;
    await room.bench.refusal("add_worktree", add({ worktree_path: at("never"), new_branch: "never" }));
    expect(room.has(at("never"))).toBe(false);
    expect(room.hasBranch("never")).toBe(false);
  });

  test("a branch that moved while the question was open is not the one that was shown", async () => {
    room.bench.person = () => {
      room.commit("third", { "third.txt": "3\n" });
      return null;
    };
    const refusal = await room.bench.refusal("add_worktree", add({ worktree_path: at("never"), new_branch: "never" }));
    expect(refusal.message).toContain("changed while the question was open");
    expect(room.hasBranch("never")).toBe(false);
  });
});

describe("remove_worktree", () => {
  test("a clean one goes, its branch stays, ignored files are named", async () => {
    const path = room.worktree("clean");
    room.write(join(path, "secret.log"), "x");
    expect(await room.bench.document("remove_worktree", { worktree_path: path })).toMatchObject({
      ...{ removed: true, branch_deleted: false, branch: "clean", ignored_files_deleted: 1 },
    });
    expect(room.has(path)).toBe(false);
    expect(room.hasBranch("clean")).toBe(true);
    expect(room.bench.requests).toMatchObject([{ capability: "worktree", target: null, everyTime: true }]);
    expect(lastAct()).toContain('also deleted: 1 ignored file ("secret.log")');
  });

  test("changed and untracked files are named, and cost a force", async () => {
    const path = room.worktree("dirty");
    room.write(join(path, "README.md"), "changed\n");
    room.write(join(path, "notes", "new one.txt"), "x");
    const refusal = await room.bench.refusal("remove_worktree", { worktree_path: path });
    expect(refusal.message).toContain('1 changed file ("README.md"); 1 untracked file ("notes/new one.txt")');
    expect(room.bench.requests).toEqual([]);
    room.bench.person = no;
    await room.bench.refusal("remove_worktree", { worktree_path: path, force: true });
    expect(room.has(path)).toBe(true);
    expect(lastAct()).toContain('lost: 1 changed file ("README.md"); lost: 1 untracked file ("notes/new one.txt")');
    room.bench.person = yes;
    await room.bench.document("remove_worktree", { worktree_path: path, force: true });
    expect(room.has(path)).toBe(false);
  });

  test("what was written while the question was open is not lost", async () => {
    const path = room.worktree("busy");
    room.write(join(path, "draft"), "one");
    room.bench.person = () => {
      room.write(join(path, "draft"), "one and two");
      return null;
    };
    const refusal = await room.bench.refusal("remove_worktree", { worktree_path: path, force: true });
    expect(refusal.message).toContain("changed while the question was open");
    expect(room.has(join(path, "draft"))).toBe(true);
  });

  test("a branch goes with it when others hold its commits", async () => {
    const path = room.worktree("merged");
    const made = await room.bench.document("remove_worktree", { worktree_path: path, delete_branch: true });
    expect(made).toMatchObject({ branch_deleted: true, branch: "merged" });
    expect(room.hasBranch("merged")).toBe(false);
  });

  test("commits that only its branch holds are named, and cost a force", async () => {
    const path = room.worktree("unmerged");
    const commit = room.commit("precious work", { "work.txt": "w\n" }, path);
    const args = { worktree_path: path, delete_branch: true };
    const refusal = await room.bench.refusal("remove_worktree", args);
    expect(refusal.message).toContain(`1 commit that nothing else holds ("${commit.slice(0, 7)} precious work")`);
    room.bench.person = () => {
      room.commit("more work", { "more.txt": "m\n" }, path);
      return null;
    };
    expect((await room.bench.refusal("remove_worktree", { ...args, force: true })).message).toContain("changed while");
    room.bench.person = yes;
    await room.bench.document("remove_worktree", { ...args, force: true });
    expect(lastAct()).toContain("2 commits that nothing else holds");
    expect(room.hasBranch("unmerged")).toBe(false);
  });

  test("commits of a detached one are named, though no branch is deleted", async () => {
    const path = room.worktree("loose", "--detach");
    room.commit("afloat work", { "f.txt": "f\n" }, path);
    expect((await room.bench.refusal("remove_worktree", { worktree_path: path })).message).toContain("afloat work");
    room.git("tag", "saved", room.gitIn(path, "rev-parse", "HEAD"));
    await room.bench.document("remove_worktree", { worktree_path: path });
    expect((await room.bench.refusal("remove_worktree", { path: room.main, worktree_path: path })).code).toBe(
      "no_such_target",
    );
  });

  test("a change that git was told not to see is named", async () => {
    const path = room.worktree("hidden");
    room.gitIn(path, "update-index", "--assume-unchanged", "README.md");
    room.write(join(path, "README.md"), "nobody sees this\n");
    expect((await room.bench.refusal("remove_worktree", { worktree_path: path })).message).toContain(
      '1 hidden from git file ("README.md")',
    );
  });

  test("a merge in the middle is named", async () => {
    const path = room.worktree("merging");
    room.write(join(room.main, ".git", "worktrees", "merging", "MERGE_HEAD"), `${room.git("rev-parse", "HEAD")}\n`);
    expect((await room.bench.refusal("remove_worktree", { worktree_path: path })).message).toContain("a merge");
  });

  test("a missing one is only forgotten", async () => {
    const path = room.worktree("vanished");
    rmSync(path, { recursive: true });
    await room.bench.document("remove_worktree", { path: room.main, worktree_path: path });
    expect(room.git("worktree", "list")).not.toContain("vanished");
  });

  const never: [why: string, make: () => string, message: RegExp][] = [
    ["the main checkout", () => room.main, /main checkout/],
    [
      "a locked one",
      () => {
        const path = room.worktree("locked-one");
        room.git("worktree", "lock", "--reason", "mine", path);
        return path;
      },
      /is locked: "mine"/,
    ],
    [
      "one with another worktree inside",
      () => {
        const path = room.worktree("outer");
        room.git("worktree", "add", "--quiet", "-b", "inner", join(path, "built", "inner"));
        return path;
      },
      /another worktree/,
    ],
    [
      "one with a repository inside, ignored as it may be",
      () => {
        const path = room.worktree("holder");
        mkdirSync(join(path, "built", "clone"), { recursive: true });
        room.gitIn(join(path, "built", "clone"), "init", "--quiet");
        return path;
      },
      /another repository lies in/,
    ],
    [
      "one with submodules",
      () => {
        const path = room.worktree("modular");
        room.commit("modules", { ".gitmodules": '[submodule "x"]\n\tpath = x\n\turl = /x\n' }, path);
        return path;
      },
      /has submodules/,
    ],
    [
      "a link in its place",
      () => {
        const path = room.worktree("linked-away");
        renameSync(path, at("elsewhere"));
        symlinkSync(at("elsewhere"), path);
        return path;
      },
      /no folder any more/,
    ],
    [
      "one that points to another repository",
      () => {
        const path = room.worktree("turned");
        rmSync(join(path, ".git"));
        room.gitIn(path, "init", "--quiet");
        return path;
      },
      /another repository lies|does not know this repository/,
    ],
  ];
  test.each(never)("%s never goes, by force or not", async (_, make, message) => {
    const worktree_path = make();
    const args = { path: room.main, worktree_path, force: true };
    expect((await room.bench.refusal("remove_worktree", args)).message).toMatch(message);
    expect(room.bench.requests).toEqual([]);
    expect(room.has(worktree_path)).toBe(true);
  });
});

describe("tidy_worktrees", () => {
  const tidy = (args: Record<string, unknown>) => room.bench.document("tidy_worktrees", { path: room.main, ...args });

  test("prune forgets those that are gone, and names the commits that go with them", async () => {
    const path = room.worktree("pruned", "--detach");
    room.commit("only here", { "o.txt": "o\n" }, path);
    rmSync(path, { recursive: true });
    room.bench.person = no;
    await room.bench.refusal("tidy_worktrees", { path: room.main, action: "prune" });
    expect(room.git("worktree", "list")).toContain("pruned");
    expect(lastAct()).toContain("only here");
    room.bench.person = yes;
    await tidy({ action: "prune" });
    expect(room.git("worktree", "list")).not.toContain("pruned");
    room.bench.requests.length = 0;
    expect(await tidy({ action: "prune" })).toMatchObject({ done: false });
    expect(room.bench.requests).toEqual([]);
  });

  test("unlock says why it was locked", async () => {
    const path = room.worktree("bolted");
    room.git("worktree", "lock", "--reason", "do not touch", path);
    expect(await tidy({ action: "unlock", worktree_path: path })).toMatchObject({ done: true });
    expect(lastAct()).toContain('because "do not touch"');
    expect(room.git("worktree", "list", "--porcelain")).not.toContain("do not touch");
    expect(await tidy({ action: "unlock", worktree_path: path })).toMatchObject({ done: false });
  });

  test("repair finds one that was moved by hand", async () => {
    const path = room.worktree("wandering");
    renameSync(path, at("wandered"));
    await tidy({ action: "repair", worktree_path: at("wandered") });
    expect(room.git("worktree", "list")).toContain(at("wandered"));
    const refusal = await room.bench.refusal("tidy_worktrees", {
      path: room.main,
      action: "repair",
      worktree_path: "/tmp",
    });
    expect(refusal.message).toContain("no worktree");
  });

  test("move takes it along, files and all", async () => {
    const path = room.worktree("moving");
    room.write(join(path, "untracked"), "u");
    await tidy({ action: "move", worktree_path: path, new_path: at("moved here") });
    expect(room.has(join(at("moved here"), "untracked"))).toBe(true);
    expect(room.has(path)).toBe(false);
    expect(room.gitIn(at("moved here"), "branch", "--show-current")).toBe("moving");
  });

  const wrong: [args: Record<string, unknown>, message: RegExp][] = [
    [{ action: "mend" }, /must be one of prune, repair, unlock, move/],
    [{ action: "prune", worktree_path: "/x" }, /takes no worktree_path/],
    [{ action: "unlock" }, /needs worktree_path/],
    [{ action: "move", worktree_path: "/x" }, /needs new_path/],
    [{ action: "repair", new_path: "/x" }, /takes no new_path/],
    [{ action: "move", worktree_path: "/x", new_path: "y" }, /absolute path/],
    [{ action: "unlock", worktree_path: "/x" }, /no worktree of this repository/],
  ];
  test.each(wrong)("%j is refused", async (args, message) => {
    expect((await room.bench.refusal("tidy_worktrees", { path: room.main, ...args })).message).toMatch(message);
    expect(room.bench.requests).toEqual([]);
  });

  test.each([
    ["where something stands", () => room.main, /stands at/],
    ["into nowhere", () => at("no/such/x"), /no folder/],
    ["into itself", () => at("stuck/built/x"), /inside the worktree itself/],
  ] as const)("no move %s", async (why, place, message) => {
    const path = at("stuck");
    if (!room.has(path)) {
      room.worktree("stuck");
      mkdirSync(join(path, "built"));
    }
    const args = { path: room.main, action: "move", worktree_path: path, new_path: place() };
    expect({ why, message: (await room.bench.refusal("tidy_worktrees", args)).message }).toMatchObject({
      message: expect.stringMatching(message),
    });
    expect(room.has(path)).toBe(true);
  });

  test("the main checkout is not moved", async () => {
    const args = { path: room.main, action: "move", worktree_path: room.main, new_path: at("elsewhere-main") };
    expect((await room.bench.refusal("tidy_worktrees", args)).message).toContain("main checkout");
  });
});

describe("create_terminal in a worktree", () => {
  test("it stands in one that git knows, and nowhere else", async () => {
    const path = room.worktree("terminal-place");
    expect(await room.bench.document("create_terminal", { worktree: path })).toMatchObject({ directory: path });
    mkdirSync(join(path, "built"));
    for (const worktree of [join(path, "built"), room.folder]) {
      const refusal = await room.bench.refusal("create_terminal", { worktree });
      expect(refusal.message).toMatch(/no worktree of this repository|not a git repository/);
    }
  });
});
