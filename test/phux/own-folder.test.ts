import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openOwnFolder, ownFolderPath } from "../../src/phux/own-folder.ts";

const uid = process.getuid?.() ?? 0;
const room = mkdtempSync(join(tmpdir(), "phux-mcp-t-"));
afterAll(() => rmSync(room, { recursive: true }));

const places: [runtime: string | undefined, path: string][] = [
  ["/run/user/7", "/run/user/7/phux-mcp"],
  [undefined, "/tmp/phux-mcp-7"],
  ["", "/tmp/phux-mcp-7"],
  ["relative", "/tmp/phux-mcp-7"],
];
test.each(places)("with XDG_RUNTIME_DIR %p it is %s", (runtime, path) => {
  expect(ownFolderPath({ XDG_RUNTIME_DIR: runtime }, 7)).toBe(path);
});

const folder = (mode: number) => (path: string) => {
  mkdirSync(path);
  chmodSync(path, mode);
};

describe("opening it", () => {
  test("makes it for us alone, and finds it again", () => {
    const path = join(room, "new", "phux-mcp");
    expect(openOwnFolder(path, uid)).toEqual({ ok: true, value: path });
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(openOwnFolder(path, uid).ok).toBe(true);
  });

  const unfit: [what: string, make: (path: string) => void, why: RegExp][] = [
    ["a file", (path) => writeFileSync(path, ""), /exist|not a folder/i],
    ["a link to a folder", (path) => symlinkSync(room, path), /not a folder/],
    ["a folder others can write to", folder(0o777), /others can write/],
    ["a folder the group can write to", folder(0o720), /others can write/],
  ];
  test.each(unfit)("refuses %s", (what, make, why) => {
    const path = join(room, what.replaceAll(" ", "-"));
    make(path);
    const answer = openOwnFolder(path, uid);
    expect(answer).toMatchObject({ ok: false, error: expect.stringMatching(why) });
  });

  test("refuses another user's", () => {
    expect(openOwnFolder(room, uid + 1)).toMatchObject({ ok: false, error: expect.stringContaining(`user ${uid}`) });
  });
});
