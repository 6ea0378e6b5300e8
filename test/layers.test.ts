import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const source = join(import.meta.dir, "..", "src");
const files = [...new Bun.Glob("**/*.ts").scanSync(source)].sort();

/** What a room may import beside itself (docs/architecture.md). `wire/result.ts` is everyone's; `skill` is text. */
const below: Readonly<Record<string, readonly string[]>> = {
  "main.ts": ["modes"],
  "package.ts": ["modes", "mcp"],
  modes: ["mcp", "http", "tools", "hosts", "agent", "guard", "phux", "cli", "text", "skill", "wire"],
  mcp: ["text"],
  http: ["mcp", "text", "wire"],
  tools: ["phux", "cli", "text", "wire"],
  hosts: ["phux", "cli", "text", "wire"],
  agent: ["tools", "phux", "cli", "text", "wire"],
  guard: ["tools", "phux", "cli", "text", "wire"],
  phux: ["wire", "text"],
  cli: ["text"],
  text: [],
  skill: [],
  wire: [],
};
const EVERYONES = "wire/result.ts";

const roomOf = (path: string) => path.split("/")[0] ?? path;
const textOf = (file: string) => readFileSync(join(source, file), "utf8");

/** Files under src that a file imports, types and lazy ones included. */
function importsOf(file: string): string[] {
  const found = [...textOf(file).matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)];
  return found.map(([, path = ""]) => relative(source, join(source, dirname(file), path)));
}

describe("imports point down", () => {
  test("every room has its place", () => {
    for (const file of files) expect(Object.keys(below)).toContain(roomOf(file));
  });

  test.each(files)("%s", (file) => {
    const room = roomOf(file);
    const upward = importsOf(file).filter((path) => {
      if (path.startsWith("..") || path === EVERYONES) return path.startsWith("..") && path !== "../package.json";
      return roomOf(path) !== room && !(below[room] ?? []).includes(roomOf(path));
    });
    expect(upward).toEqual([]);
  });

  test("nothing that must start fast loads the SDK, and nobody but mcp names it", () => {
    for (const file of files) {
      const values = [...textOf(file).matchAll(/^import (?!type)[^;]*"(@modelcontextprotocol[^"]*)"/gm)];
      expect({ file, values: values.map(([, name]) => name) }).toEqual({ file, values: [] });
    }
  });
});

/** The longest file without a reason; a longer one says in a comment why it is one: "Long because …". */
const MOST_LINES = 320;
test.each(files)("%s is short, or says why not", (file) => {
  const text = textOf(file);
  if (text.split("\n").length > MOST_LINES) expect(text).toMatch(/(\/\/|\*) .*[Ll]ong because/);
});

const unsaid = /\bTODO\b|\bFIXME\b|\bXXX\b|placeholder/i;
test.each(files)("%s leaves nothing for later", (file) => expect(textOf(file)).not.toMatch(unsaid));
