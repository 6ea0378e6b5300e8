/** Files on the disk: links, permissions, what is in the way, and others who write at the same time. */
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MAX_BYTES } from "../../src/hosts/config-file.ts";
import { type Rewriting, rewrite } from "../../src/hosts/rewrite.ts";
import { fail, ok } from "../../src/wire/result.ts";
import { errorIn, valueIn } from "../phux/dialled.ts";

const root = mkdtempSync(join(tmpdir(), "phux-rewrite-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folder = root;
let path = root;
beforeEach(() => {
  folder = mkdtempSync(join(root, "t-"));
  path = join(folder, "settings.json");
});

const add =
  (text: string): Rewriting["change"] =>
  (old) =>
    ok(`${old ?? ""}${text}`);
function write(change: Rewriting["change"] = add("+"), at = path) {
  return rewrite({ path: at, mode: 0o600, base: folder, change });
}
const read = (at = path) => readFileSync(at, "utf8");
const modeOf = (at = path) => statSync(at).mode & 0o7777;

test("a file that is there keeps its permissions, and nothing is left beside it", () => {
  writeFileSync(path, "a");
  chmodSync(path, 0o640);
  expect(valueIn(write())).toBe("written");
  expect([read(), modeOf(), readdirSync(folder)]).toEqual(["a+", 0o640, ["settings.json"]]);
});

test("nothing to change touches nothing, not even where nothing may be written", () => {
  writeFileSync(path, "a");
  chmodSync(path, 0o444);
  const before = lstatSync(path, { bigint: true });
  expect(valueIn(write(add("")))).toBe("unchanged");
  const after = lstatSync(path, { bigint: true });
  expect([after.ino, after.mtimeNs]).toEqual([before.ino, before.mtimeNs]);
});

test("a new file is made with its folders, for its owner alone", () => {
  path = join(folder, "a/b/settings.json");
  expect(valueIn(write())).toBe("written");
  expect([read(), modeOf()]).toEqual(["+", 0o600]);
});

test("a file that goes takes the folders along that it leaves empty, up to the base", () => {
  path = join(folder, "a/b/settings.json");
  write();
  expect(valueIn(write(() => ok(null)))).toBe("gone");
  expect(readdirSync(folder)).toEqual([]);
});

test("a folder that holds something else stays", () => {
  path = join(folder, "a/b/settings.json");
  write();
  writeFileSync(join(folder, "a/mine"), "");
  write(() => ok(null));
  expect([readdirSync(folder), readdirSync(join(folder, "a"))]).toEqual([["a"], ["mine"]]);
});

describe("links", () => {
  test("one is followed, and stays a link", () => {
    mkdirSync(join(folder, "dotfiles"));
    writeFileSync(join(folder, "dotfiles/f"), "a");
    symlinkSync("dotfiles/f", join(folder, "second"));
    symlinkSync(join(folder, "second"), path);
    expect(valueIn(write())).toBe("written");
    expect([lstatSync(path).isSymbolicLink(), read(join(folder, "dotfiles/f"))]).toEqual([true, "a+"]);
    expect(readdirSync(join(folder, "dotfiles"))).toEqual(["f"]);
  });

  test("a folder that is a link is one", () => {
    mkdirSync(join(folder, "real/sub"), { recursive: true });
    symlinkSync("real/sub", join(folder, "link"));
    writeFileSync(join(folder, "real/f"), "a");
    symlinkSync("../f", join(folder, "link/settings.json"));
    expect(valueIn(write(add("+"), join(folder, "link/settings.json")))).toBe("written");
    expect(read(join(folder, "real/f"))).toBe("a+");
  });

  test("one that points at nothing yet makes the file there, and the file goes again without it", () => {
    symlinkSync("later", path);
    expect(valueIn(write())).toBe("written");
    expect(read(join(folder, "later"))).toBe("+");
    expect(valueIn(write(() => ok(null)))).toBe("gone");
    expect(readdirSync(folder)).toEqual(["settings.json"]);
  });

  test("one into a folder that is not there makes no folder", () => {
    symlinkSync("mount/later", path);
    expect(errorIn(write())).toContain("the folder of that does not exist");
    expect(readdirSync(folder)).toEqual(["settings.json"]);
  });

  test("a circle", () => {
    symlinkSync("b", path);
    symlinkSync("settings.json", join(folder, "b"));
    expect(errorIn(write())).toContain("leads in a circle");
  });
});

describe("in the way", () => {
  test("a read-only file stays, also for root", () => {
    writeFileSync(path, "a");
    chmodSync(path, 0o444);
    expect(errorIn(write())).toBe(`${path} is read-only (mode 444)`);
    expect(readdirSync(folder)).toEqual(["settings.json"]);
  });

  test("a folder, a file where a folder belongs, a pipe", async () => {
    mkdirSync(path);
    expect(errorIn(write())).toBe(`${path} is a folder`);
    writeFileSync(join(folder, "file"), "");
    expect(errorIn(write(add("+"), join(folder, "file/settings.json")))).toContain("a part of its path is no folder");
    const pipe = join(folder, "pipe");
    expect(await Bun.spawn(["mkfifo", pipe]).exited).toBe(0);
    expect(errorIn(write(add("+"), pipe))).toBe(`${pipe} is no regular file`);
  });

  test("a file beyond any configuration", () => {
    writeFileSync(path, Buffer.alloc(MAX_BYTES + 1));
    expect(errorIn(write())).toContain(`has ${MAX_BYTES + 1} bytes`);
  });

  test("text that is no UTF-8 is named with its place", () => {
    writeFileSync(path, Buffer.from([0x61, 0x0a, 0xef, 0xbf, 0xbd, 0x62, 0xff, 0x63]));
    expect(errorIn(write())).toBe(`${path}, line 2, column 3: is no UTF-8 text`);
  });

  test("a text that cannot be edited leaves no folder behind", () => {
    path = join(folder, "a/b/settings.json");
    const result = write(() => fail({ reason: "no", place: { line: 1, column: 2 } }));
    expect(errorIn(result)).toBe(`${path}, line 1, column 2: no`);
    expect(readdirSync(folder)).toEqual([]);
  });
});

test.skipIf(process.getuid?.() !== 0)("root gives a person's file back to the person", () => {
  writeFileSync(path, "a");
  chmodSync(path, 0o4644);
  chownSync(path, 1234, 2345);
  valueIn(write());
  const { uid, gid } = statSync(path);
  expect([uid, gid, read()]).toEqual([1234, 2345, "a+"]);
});

describe("others who write", () => {
  test("a host that writes between our reading and our renaming loses nothing", () => {
    writeFileSync(path, "a");
    let calls = 0;
    const change: Rewriting["change"] = (old) => {
      calls += 1;
      // The first look is before the lock, the second under it.
      if (calls === 2) writeFileSync(path, "ab");
      return ok(`${old}+`);
    };
    expect(valueIn(write(change))).toBe("written");
    expect([read(), calls]).toEqual(["ab+", 3]);
  });

  test("what goes wrong under the lock leaves neither the lock nor a new folder", () => {
    path = join(folder, "a/b/settings.json");
    let calls = 0;
    const change: Rewriting["change"] = () => {
      calls += 1;
      return calls === 1 ? ok("+") : fail({ reason: "is no longer what it was", place: null });
    };
    expect(errorIn(write(change))).toBe(`${path} is no longer what it was`);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("one that never stops is not waited for", () => {
    let calls = 0;
    const change: Rewriting["change"] = (old) => {
      calls += 1;
      writeFileSync(path, String(calls));
      return ok(`${old}+`);
    };
    expect(errorIn(write(change))).toContain("is changed by somebody else all the time");
    expect(readdirSync(folder)).toEqual(["settings.json"]);
  });

  test("a lock that a killed process left does not last", () => {
    const lock = join(folder, ".settings.json.phux-mcp");
    writeFileSync(lock, "half");
    utimesSync(lock, new Date(0), new Date(0));
    expect(valueIn(write())).toBe("written");
    expect([read(), existsSync(lock)]).toEqual(["+", false]);
  });

  test("twenty at once lose no edit", async () => {
    const program = join(import.meta.dir, "add-line.ts");
    const children = Array.from({ length: 20 }, (_, n) =>
      Bun.spawn([process.execPath, program, path, `line ${n}`], { stdout: "ignore", stderr: "inherit" }),
    );
    expect(await Promise.all(children.map((child) => child.exited))).toEqual(children.map(() => 0));
    const lines = read().trimEnd().split("\n");
    expect(lines.toSorted()).toEqual(children.map((_, n) => `line ${n}`).toSorted());
    expect(readdirSync(folder)).toEqual(["settings.json"]);
  });
});
