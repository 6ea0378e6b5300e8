import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findPhux } from "../../src/cli/find.ts";
import { temporaryFolder } from "./children.ts";

const root = realpathSync(temporaryFolder());

/** A folder with an adapter in `ours`, and two more folders for PATH. */
function place() {
  const folder = mkdtempSync(join(root, "p"));
  const ours = join(folder, "ours");
  const first = join(folder, "first");
  const second = join(folder, "second");
  for (const each of [ours, first, second]) mkdirSync(each);
  const self = join(ours, "phux-mcp");
  writeFileSync(self, "");
  return { folder, ours, first, second, self, PATH: `${first}:${second}` };
}
const put = (folder: string, mode = 0o755) => {
  const path = join(folder, "phux");
  writeFileSync(path, "#!/bin/sh\n");
  chmodSync(path, mode);
  return path;
};
const foundAt = (path: string) => ({ ok: true, value: { path } }) as const;

describe("findPhux", () => {
  test("beside our own executable before PATH", () => {
    const { ours, first, self, PATH } = place();
    put(first);
    const beside = put(ours);
    expect(findPhux({ PATH }, self)).toEqual(foundAt(beside));
  });

  test("beside the file that a link to us leads to", () => {
    const { folder, ours, self } = place();
    const link = join(folder, "phux-mcp");
    symlinkSync(self, link);
    const beside = put(ours);
    expect(findPhux({}, link)).toEqual(foundAt(beside));
  });

  test("on PATH, the first that is a program", () => {
    const { ours, first, second, self, PATH } = place();
    mkdirSync(join(ours, "phux"));
    put(first, 0o644);
    const last = put(second);
    expect(findPhux({ PATH }, self)).toEqual(foundAt(last));
    chmodSync(join(first, "phux"), 0o755);
    expect(findPhux({ PATH }, self)).toEqual(foundAt(join(first, "phux")));
  });

  test("one without its execute bit beside us is named, not passed over", () => {
    const { ours, first, self, PATH } = place();
    put(first);
    const beside = put(ours, 0o644);
    expect(findPhux({ PATH }, self)).toEqual(foundAt(beside));
  });

  test("a link to a program counts", () => {
    const { first, second, self, PATH } = place();
    symlinkSync(put(second), join(first, "phux"));
    expect(findPhux({ PATH }, self)).toEqual(foundAt(join(first, "phux")));
  });

  test("an executable that is gone still has its folder", () => {
    const { ours } = place();
    const beside = put(ours);
    expect(findPhux({}, join(ours, "phux-mcp-of-before"))).toEqual(foundAt(beside));
  });

  test.each(["", ".", ":", "bin", "./"])("PATH %j never means the working folder", (PATH) => {
    const { folder, self } = place();
    const before = process.cwd();
    put(folder);
    mkdirSync(join(folder, "bin"));
    put(join(folder, "bin"));
    process.chdir(folder);
    try {
      expect(findPhux({ PATH }, self).ok).toBe(false);
    } finally {
      process.chdir(before);
    }
  });

  test("nowhere: one sentence that says where was looked", () => {
    const { ours, self, PATH } = place();
    const found = findPhux({ PATH }, self);
    expect(found.ok ? "" : found.error.message).toContain(ours);
    expect(found.ok ? "" : found.error.message).toContain(`PATH (${PATH})`);
  });

  test.each([{}, { PATH: "" }])("no PATH at all: %j", (environment) => {
    const found = findPhux(environment, place().self);
    expect(found.ok ? "" : found.error.message).toContain("on PATH (which names no folder)");
  });

  test("what was passed over is said, so that nobody looks for a phux that is there", () => {
    const { first, second, self, PATH } = place();
    const said = (path: string) => {
      const found = findPhux({ PATH: path }, self);
      return found.ok ? "" : found.error.message;
    };
    expect(said(PATH)).not.toContain("first/phux");
    expect(said(`.:${PATH}:bin`)).toContain(`PATH (${PATH}; relative entries are never searched)`);
    mkdirSync(join(second, "phux"));
    expect(said(PATH)).toContain("second/phux is no file that can be run.");
    symlinkSync("/no/such/phux", join(first, "phux"));
    expect(said(PATH)).toContain("first/phux is no file that can be run.");
  });

  test("a phux without its execute bit is named", () => {
    const { first, self, PATH } = place();
    const path = put(first, 0o644);
    const found = findPhux({ PATH }, self);
    expect(found.ok ? "" : found.error.message).toContain(`${path} is not executable for this user.`);
  });

  test("a long PATH does not make a long sentence", () => {
    const PATH = Array.from({ length: 500 }, (_, n) => `/no/such/folder/${n}`).join(":");
    const found = findPhux({ PATH }, place().self);
    expect(found.ok ? "" : found.error.message).toContain("/no/such/folder/19 and 480 more");
  });
});
