/** The pages for people: generated ones are as new as the code, links lead somewhere, commands are commands. */
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import manifest from "../package.json" with { type: "json" };
import { toolsMarkdown, toolsPage } from "../scripts/docs.ts";
import { binary } from "./e2e/binary.ts";

const root = join(import.meta.dir, "..");
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...readdirSync(join(root, "docs")).map((name) => join("docs", name)),
  join("test", "lab", "README.md"),
];

test("docs/tools.md is what the declarations say: npm run docs", () => {
  expect(readFileSync(toolsPage, "utf8")).toBe(toolsMarkdown());
});

describe.each(pages.map((page): [string] => [page]))("%s", (page) => {
  const text = readFileSync(join(root, page), "utf8");

  test("every link to a file leads to one, and to a heading that is there", () => {
    for (const [, target = ""] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const [file = "", anchor] = target.split("#");
      const path = file === "" ? join(root, page) : join(root, dirname(page), file);
      expect(`${target}: ${existsSync(path)}`).toBe(`${target}: true`);
      if (anchor === undefined) continue;
      const slugs = readFileSync(path, "utf8")
        .split("\n")
        .flatMap((line) => /^#+ (.*)$/.exec(line)?.[1] ?? [])
        .map((heading) =>
          heading
            .toLowerCase()
            .replace(/[^\p{L}\p{N}\s_-]/gu, "")
            .replaceAll(" ", "-"),
        );
      expect(slugs).toContain(anchor);
    }
  });

  test("every npm script that is named exists", () => {
    for (const [, name = ""] of text.matchAll(/npm run ([a-z-]+)/g)) {
      expect(Object.keys(manifest.scripts)).toContain(name);
    }
  });

  test("every option of phux-mcp that is named is one that --help names", () => {
    const helps = [
      [binary, "--help"],
      [binary, "register", "--help"],
    ].map((command) => Bun.spawnSync(command));
    const help = helps.map(({ stdout }) => stdout.toString()).join("");
    for (const [command] of text.matchAll(/(?:^|`)phux-mcp(?: [^`\n|]*)?/gm)) {
      for (const [option] of command.matchAll(/--[a-z-]+/g))
        expect(`${option} ${help.includes(option)}`).toBe(`${option} true`);
    }
  });
});

/** A fenced example that runs as it stands: `sh` blocks whose every line is our program and needs nothing. */
const examples = pages.flatMap((page) => {
  const text = readFileSync(join(root, page), "utf8");
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
  const lines = blocks.flatMap((block) => block.split("\n")).map((line) => line.replace(/\s+#.*$/, "").trim());
  return lines
    .filter((line) => /^phux-mcp (--schema|--skill|--help|--version)/.test(line))
    .map((line): [string, string] => [page, line]);
});

test.each(examples)("%s: %s", (_, line) => {
  const command = line.replace(/^phux-mcp/, '"$0"');
  const ran = Bun.spawnSync(["/bin/sh", "-c", command, binary]);
  expect([ran.exitCode, ran.stderr.toString()]).toEqual([0, ""]);
  expect(ran.stdout.length).toBeGreaterThan(0);
});
