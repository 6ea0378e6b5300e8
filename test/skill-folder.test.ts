/** What hosts take from the repository as it is: the skill folder and the plugin for Claude Code. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../package.json" with { type: "json" };

const read = (...names: string[]) => readFileSync(join(import.meta.dir, "..", ...names), "utf8");

test("the skill folder has the text that --skill prints", () => {
  expect(read("skills", "phux", "SKILL.md")).toBe(read("src", "skill", "SKILL.md"));
});

test("its head is what a host reads of a skill before it loads one", () => {
  const [, head = ""] = /^---\n([\s\S]*?)\n---\n/.exec(read("skills", "phux", "SKILL.md")) ?? [];
  const members = new Map(head.split("\n").map((line) => [line.split(": ")[0], line.slice(line.indexOf(": ") + 2)]));
  expect(members.get("name")).toBe("phux");
  const about = members.get("description") ?? "";
  expect(about.length).toBeGreaterThan(80);
  expect(about.length).toBeLessThan(1_024);
});

test("the plugin has this version, and starts the launcher", () => {
  const plugin: unknown = JSON.parse(read(".claude-plugin", "plugin.json"));
  expect(plugin).toMatchObject({
    name: "phux",
    version: manifest.version,
    mcpServers: { phux: { command: "phux", args: ["mcp"] } },
  });
});
