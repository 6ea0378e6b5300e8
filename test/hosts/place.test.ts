/** Which file is meant. */
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { hosts } from "../../src/hosts/all.ts";
import type { Scope } from "../../src/hosts/host.ts";
import { filesOf } from "../../src/hosts/place.ts";
import { errorIn, valueIn } from "../phux/dialled.ts";
import { describeShared, sharedJson } from "../shared.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "phux-hosts-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function host(name: string) {
  const found = hosts.find((one) => one.name === name);
  if (found === undefined) throw new Error(name);
  return found;
}

function files(name: string, scope: Scope, folder = "/work", environment = {}, platform: NodeJS.Platform = "linux") {
  return filesOf(host(name), scope, { environment: { HOME: "/home/me", ...environment }, folder, platform });
}

const users: [name: string, environment: Record<string, string>, platform: NodeJS.Platform, path: string][] = [
  ["claude-code", {}, "linux", "/home/me/.claude.json"],
  ["claude-code", { CLAUDE_CONFIG_DIR: "/c" }, "linux", "/c/.claude.json"],
  ["codex", {}, "linux", "/home/me/.codex/config.toml"],
  ["codex", { CODEX_HOME: "rel" }, "linux", "/work/rel/config.toml"],
  ["codex", { CODEX_HOME: "" }, "linux", "/home/me/.codex/config.toml"],
  ["gemini", {}, "linux", "/home/me/.gemini/settings.json"],
  ["gemini", { GEMINI_CLI_HOME: "/g" }, "linux", "/g/.gemini/settings.json"],
  ["opencode", {}, "linux", "/home/me/.config/opencode/opencode.json"],
  ["opencode", { XDG_CONFIG_HOME: "/x" }, "darwin", "/x/opencode/opencode.json"],
  ["vscode", {}, "linux", "/home/me/.config/Code/User/mcp.json"],
  ["vscode", { XDG_CONFIG_HOME: "relative" }, "linux", "/home/me/.config/Code/User/mcp.json"],
  ["vscode", { XDG_CONFIG_HOME: "/x" }, "darwin", "/home/me/Library/Application Support/Code/User/mcp.json"],
  ["cursor", {}, "darwin", "/home/me/.cursor/mcp.json"],
  ["windsurf", {}, "linux", "/home/me/.codeium/windsurf/mcp_config.json"],
  ["qwen", {}, "linux", "/home/me/.qwen/settings.json"],
  ["qwen", { QWEN_HOME: "/q" }, "linux", "/q/settings.json"],
  ["copilot", {}, "linux", "/home/me/.copilot/mcp-config.json"],
  ["copilot", { COPILOT_HOME: "/p" }, "linux", "/p/mcp-config.json"],
  ["zed", { XDG_CONFIG_HOME: "/x" }, "linux", "/x/zed/settings.json"],
  ["zed", { XDG_CONFIG_HOME: "/x" }, "darwin", "/home/me/.config/zed/settings.json"],
];
test.each(users)("%s with %p on %s is %s", (name, environment, platform, path) => {
  expect(valueIn(files(name, "user", "/work", environment, platform)).candidates.at(-1)).toBe(path);
});

test.each(["", "relative/home"])("HOME=%p tells nothing", (home) => {
  expect(errorIn(files("cursor", "user", "/work", { HOME: home }))).toContain("HOME is not");
});

const projects: [why: string, folder: string, exists: string[], path: string][] = [
  ["outside of a repository the working folder", "plain/sub", [], "plain/sub"],
  ["… also where a file lies above", "plain/sub", ["plain/.cursor/mcp.json"], "plain/sub"],
  ["the root of the repository", "repo/a/b", ["repo/.git/HEAD"], "repo"],
  ["a worktree's .git is a file", "tree/a", ["tree/.git"], "tree"],
  [
    "a part of the repository that has a file already",
    "mono/pkg/src",
    ["mono/.git/HEAD", "mono/pkg/.cursor/mcp.json"],
    "mono/pkg",
  ],
  ["a home full of dotfiles is not the project", "home/code/x", ["home/.git/HEAD"], "home/code/x"],
  ["unless it is meant", "home", ["home/.git/HEAD"], "home"],
];
test.each(projects)("project: %s", (_, folder, exists, path) => {
  for (const file of exists) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), "");
  }
  mkdirSync(join(root, folder), { recursive: true });
  const found = valueIn(files("cursor", "project", join(root, folder), { HOME: join(root, "home") }));
  expect(found).toEqual({ candidates: [join(root, path, ".cursor/mcp.json")], base: join(root, path) });
});

interface Facts {
  readonly hosts: Readonly<
    Record<string, { register: string | null; files: { user?: { path: string; at: string[] } }; serverName: unknown }>
  >;
}

describeShared("the contract's facts", () => {
  // The document is ours to read, its shape is the contract's.
  const facts = sharedJson("hosts/hosts.json") as Facts;
  const ours: Record<string, string> = { copilot: "copilot", qwen: "qwen" };
  const named = Object.entries(facts.hosts).flatMap(([key, fact]): [string, (typeof facts.hosts)[string]][] => {
    const name = fact.register ?? ours[key];
    return name === undefined ? [] : [[name, fact]];
  });
  test.each(named)("%s keeps its servers where they were measured", (name, { files: measured }) => {
    const { candidates } = valueIn(files(name, "user"));
    const paths: readonly string[] = candidates;
    expect(paths).toContain(measured.user?.path.replace("~", "/home/me") ?? "");
    expect([host(name).servers]).toEqual(measured.user?.at ?? []);
  });
  test.each(named)("%s takes the names that were measured", (name, { serverName }) => {
    const pattern = host(name).serverName?.pattern.source;
    expect(serverName ?? null).toEqual(pattern === undefined ? null : expect.objectContaining({ pattern }));
  });
});
