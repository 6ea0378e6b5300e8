// What git prints, read: every form that it has, and any text at all.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { lostWords } from "../../src/guard/git/loss-words.ts";
import { gitEnvironment } from "../../src/guard/git/run-git.ts";
import { parseHidden, parseStatus } from "../../src/guard/git/status.ts";
import { parseWorktreeList, type Worktree } from "../../src/guard/git/worktree-list.ts";

const HEAD = "1234567890123456789012345678901234567890";

const word = fc.string({ minLength: 1 }).map((text) => `/${text.replaceAll("\0", "")}`);
const reason = fc.option(fc.string().map((text) => text.replaceAll("\0", "")));
const branch = fc.option(fc.stringMatching(/^[a-z/]{1,12}$/));
const worktree = fc.record({ path: word, branch, locked: reason, prunable: reason });

function printed({
  path,
  branch,
  locked,
  prunable,
}: Pick<Worktree, "path" | "branch" | "locked" | "prunable">): string {
  const lines = [
    ...[`worktree ${path}`, `HEAD ${HEAD}`, branch === null ? "detached" : `branch refs/heads/${branch}`],
    ...(locked === null ? [] : [locked === "" ? "locked" : `locked ${locked}`]),
    ...(prunable === null ? [] : [prunable === "" ? "prunable" : `prunable ${prunable}`]),
  ];
  return `${lines.join("\0")}\0\0`;
}

describe("git worktree list", () => {
  test("what is printed is read", () => {
    fc.assert(
      fc.property(fc.array(worktree), (all) => {
        const expected = all.map((one, at) => ({ ...one, main: at === 0, bare: false, head: HEAD }));
        expect(parseWorktreeList(all.map(printed).join(""))).toEqual(expected);
      }),
    );
  });

  test("a bare repository, and a branch without a commit", () => {
    const text = `worktree /a\0bare\0\0worktree /b\0HEAD ${"0".repeat(40)}\0branch refs/heads/new\0\0`;
    expect(parseWorktreeList(text)).toMatchObject([
      { path: "/a", main: true, bare: true, head: null, branch: null },
      { path: "/b", main: false, head: null, branch: "new" },
    ]);
  });

  test("any text is a list", () => {
    const piece = fc.oneof(fc.string(), fc.constantFrom("\0", "\0\0", "worktree /a", "locked", "bare"));
    fc.assert(
      fc.property(fc.array(piece), (pieces) => parseWorktreeList(pieces.join("")).every(({ path }) => path !== "")),
    );
  });
});

describe("git status", () => {
  const ids = `100644 100644 100644 ${HEAD} ${HEAD}`;
  const cases: [text: string, expected: object][] = [
    [`1 .M N... ${ids} a b.txt\0`, { changed: ["a b.txt"] }],
    [`1 A. N... ${ids}  spaced \0`, { changed: [" spaced "] }],
    [`2 R. N... ${ids} R100 new\0old\0? u\0`, { changed: ["new"], untracked: ["u"] }],
    [`u UU N... 100644 100644 100644 100644 ${HEAD} ${HEAD} ${HEAD} both\0`, { changed: ["both"] }],
    ["? one\0? two words\0! built/\0! x.log\0", { untracked: ["one", "two words"], ignored: ["built/", "x.log"] }],
    ["# branch.oid (initial)\0", {}],
    ["", {}],
  ];
  test.each(cases)("%j", (text, expected) =>
    expect(parseStatus(text)).toEqual({ changed: [], untracked: [], ignored: [], ...expected }),
  );

  test("any text is a status, and untracked names come back", () => {
    const name = fc.string({ minLength: 1 }).map((text) => `n${text.replaceAll("\0", "")}`);
    fc.assert(fc.property(fc.string(), (text) => Object.values(parseStatus(text)).every(Array.isArray)));
    fc.assert(
      fc.property(fc.array(name), (names) => {
        expect(parseStatus(names.map((one) => `? ${one}\0`).join("")).untracked).toEqual(names);
      }),
    );
  });

  test("files that git does not look at", () => {
    expect(parseHidden("H seen\0h assumed\0S skipped\0s both\0M merged\0")).toEqual(["assumed", "skipped", "both"]);
  });
});

test("no variable of a caller points git elsewhere, and none makes it ask", () => {
  const environment = gitEnvironment({ PATH: "/bin", GIT_DIR: "/x", GIT_SSH_COMMAND: "evil", SSH_ASKPASS: "evil" });
  expect(environment).toMatchObject({ PATH: "/bin", GIT_TERMINAL_PROMPT: "0", SSH_ASKPASS: "" });
  expect(Object.keys(environment)).not.toContain("GIT_DIR");
  expect(JSON.stringify(environment)).not.toContain("evil");
});

test("a loss is counted, named and quoted, and long lists end", () => {
  const loss = {
    ...{ changed: ["a\u001b[2J"], untracked: ["1", "2", "3", "4", "5", "6", "7"], ignored: ["x.log"], hidden: [] },
    ...{ underway: ["a rebase"], commits: { count: 7, first: ["abc one", "def two"] }, searched: false, print: "" },
  };
  expect(lostWords(loss)).toEqual([
    '1 changed file ("a\\u001b[2J")',
    '7 untracked files ("1", "2", "3", "4", "5" and 2 more)',
    "a rebase",
    '7 commits that nothing else holds ("abc one", "def two" and 5 more)',
    "what lies in folders that could not all be looked at",
  ]);
});
