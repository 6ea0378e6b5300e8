/** `phux-mcp register` as a person at a shell meets it. What each format and each file does has its tests in hosts/. */
import { afterAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { version } from "../../package.json";
import { hosts } from "../../src/hosts/all.ts";
import { binary } from "./binary.ts";

setDefaultTimeout(20_000);

const root = realpathSync(mkdtempSync(join(tmpdir(), "phux-register-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

// A place of its own, so that only what a test puts beside it or on PATH is found.
const alone = join(root, "alone", "phux-mcp");
mkdirSync(dirname(alone));
try {
  linkSync(binary, alone);
} catch {
  symlinkSync(binary, alone);
}

let home = "";
let project = "";
beforeEach(() => {
  home = mkdtempSync(join(root, "home-"));
  project = join(home, "project");
  mkdirSync(project);
});

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

async function register(args: readonly string[], options: { bin?: string; env?: object } = {}): Promise<Ran> {
  const child = Bun.spawn([options.bin ?? alone, "register", ...args], {
    cwd: project,
    env: { HOME: home, PATH: "/usr/bin:/bin", ...options.env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, out, err };
}

/** Every path below the home, folders with a slash, files with their bytes. */
function tree(): string[] {
  const all = [...new Bun.Glob("**/*").scanSync({ cwd: home, dot: true, onlyFiles: false })].toSorted();
  return all.map((path) => {
    const full = join(home, path);
    return lstatSync(full).isDirectory() ? `${path}/` : `${path}: ${readFileSync(full, "latin1")}`;
  });
}

const read = (path: string) => readFileSync(join(home, path), "utf8");
const entryOf = (path: string, servers = "mcpServers", name = "phux") => JSON.parse(read(path))[servers][name];

describe.each(hosts.map((host) => [host.name, host] as const))("%s", (name, host) => {
  const scopes = host.project === null ? (["user"] as const) : (["user", "project"] as const);
  test.each(scopes)("%s scope: register, again, remove: as if nothing had been", async (scope) => {
    const before = tree();
    const args = [name, "--scope", scope, "--command", "/opt/a b/phux-mcp", "--env", "K=v w"];
    const first = await register(args);
    expect([first.code, first.out]).toEqual([0, expect.stringContaining(`phux is registered with ${host.title}`)]);
    const registered = tree();
    expect(registered.join("\n")).toContain("/opt/a b/phux-mcp");

    const second = await register(args);
    expect([second.code, second.out]).toEqual([0, expect.stringContaining("is registered already")]);
    expect(tree()).toEqual(registered);

    const removed = await register([name, "--scope", scope, "--remove"]);
    expect([removed.code, removed.err]).toEqual([0, ""]);
    expect(tree()).toEqual(before);
    expect((await register([name, "--scope", scope, "--remove"])).out).toContain("is not registered");
  });

  test("--print shows an entry that is whole, and where it would go", async () => {
    const { code, out, err } = await register([name, "--print", "--command", "phux-mcp"]);
    expect(code).toBe(0);
    expect(err).toContain("would be written into");
    const document: unknown = host.servers === "mcp_servers" ? Bun.TOML.parse(out) : JSON.parse(out);
    expect(document).toMatchObject({ [host.servers]: { phux: {} } });
    expect(tree()).toEqual(["project/"]);
  });
});

describe("what the host is told to start", () => {
  /** A `phux` that answers `mcp --version` with these words and status. */
  function fakePhux(folder: string, says: string, status = 0): void {
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, "phux"),
      `#!/bin/sh\n[ "$1 $2" = "mcp --version" ] || exit 9\necho '${says}'\nexit ${status}\n`,
    );
    chmodSync(join(folder, "phux"), 0o755);
  }
  const started = () => {
    const { command, args } = entryOf(".cursor/mcp.json");
    return [command, ...args];
  };

  test("itself, by its own path, when there is no phux", async () => {
    await register(["cursor"]);
    expect(started()).toEqual([realpathSync(alone)]);
  });

  test("by its path on PATH, which outlives an update", async () => {
    const folder = join(home, "bin");
    mkdirSync(folder);
    symlinkSync(alone, join(folder, "phux-mcp"));
    await register(["cursor"], { env: { PATH: `${folder}:/usr/bin:/bin` } });
    expect(started()).toEqual([join(folder, "phux-mcp")]);
  });

  test("phux mcp, where the phux on PATH has the launcher", async () => {
    fakePhux(join(home, "bin"), `phux-mcp ${version}`);
    const { out } = await register(["cursor", "--read-only", "--tools", "core"], {
      env: { PATH: `relative:${home}/bin:/usr/bin:/bin` },
    });
    expect(started()).toEqual(["phux", "mcp", "--read-only", "--tools", "core"]);
    expect(out).toContain("phux mcp --read-only --tools core");
  });

  test.each([
    ["says something else", "phux 0.22", 0],
    ["fails", `phux-mcp ${version}`, 2],
  ])("not phux mcp, when that %s", async (_, says, status) => {
    fakePhux(join(home, "bin"), says, status);
    await register(["cursor"], { env: { PATH: `${home}/bin:/usr/bin:/bin` } });
    expect(started()).toEqual([realpathSync(alone)]);
  });

  test("the phux beside it by its path, when PATH has another one or none", async () => {
    const folder = mkdtempSync(join(root, "beside-"));
    fakePhux(folder, `phux-mcp ${version}`);
    linkSync(realpathSync(alone), join(folder, "phux-mcp"));
    fakePhux(join(home, "bin"), `phux-mcp 9`);
    await register(["cursor"], { bin: join(folder, "phux-mcp"), env: { PATH: `${home}/bin:/usr/bin:/bin` } });
    expect(started()).toEqual([join(folder, "phux"), "mcp"]);
  });

  test.each([
    ["/opt/x/phux", ["/opt/x/phux", "mcp"]],
    ["phux", ["phux", "mcp"]],
    ["phux-mcp", ["phux-mcp"]],
  ])("--command %s", async (command, expected) => {
    await register(["cursor", "--command", command]);
    expect(started()).toEqual(expected);
  });

  test("a program that is not there is written, and remarked on", async () => {
    const { code, err } = await register(["cursor", "--command", "./nowhere"]);
    expect([code, err]).toEqual([0, `phux-mcp register: note: there is no program at ${project}/nowhere now\n`]);
    expect(started()).toEqual([join(project, "nowhere")]);
  });
});

describe("files of opencode", () => {
  const folder = ".config/opencode";
  const put = (name: string, text: string) => {
    mkdirSync(join(home, folder), { recursive: true });
    writeFileSync(join(home, folder, name), text);
  };

  test("one with comments wins over the other, and gets the entry", async () => {
    put("opencode.jsonc", "{\n  // mine\n}\n");
    put("opencode.json", "{}\n");
    await register(["opencode", "--command", "x"]);
    expect(read(`${folder}/opencode.jsonc`)).toContain('"phux"');
    expect(read(`${folder}/opencode.json`)).toBe("{}\n");
    await register(["opencode", "--remove"]);
    expect(read(`${folder}/opencode.jsonc`)).toBe("{\n  // mine\n}\n");
  });

  test("an entry is brought up to date where it stands, and removed from both", async () => {
    const entry = '{"mcp": {"phux": {"type": "local", "command": ["old"]}}}';
    put("opencode.json", entry);
    put("opencode.jsonc", "{}");
    await register(["opencode", "--command", "new"]);
    expect(read(`${folder}/opencode.json`)).toContain('["new"]');
    put("opencode.jsonc", entry);
    await register(["opencode", "--remove"]);
    expect([read(`${folder}/opencode.json`), read(`${folder}/opencode.jsonc`)]).toEqual(['{"mcp": {}}', '{"mcp": {}}']);
  });
});

describe("the list of hosts", () => {
  test("shows what is here and what it knows, without a secret, as a usage error", async () => {
    await register(["cursor", "--env", "TOKEN=s3cret", "--command", "/a b/phux-mcp", "--read-only"]);
    await register(["codex", "--scope", "project", "--command", "x"]);
    mkdirSync(join(home, ".gemini"));
    writeFileSync(join(home, ".gemini/settings.json"), "{\n  broken");
    mkdirSync(join(home, ".qwen"));
    writeFileSync(join(home, ".claude.json"), '{"mcpServers": {"phux": {"command": "x\\u001b[2J", "disabled": true}}}');
    const { code, out, err } = await register([]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).not.toContain("s3cret");
    const rows = err.split("\n").map((line) => line.replaceAll(/ {2,}/g, " | ").trim());
    expect(rows).toContain(`| cursor | user | ${home}/.cursor/mcp.json | registered: "/a b/phux-mcp" --read-only`);
    expect(rows).toContain(`| codex | project | ${project}/.codex/config.toml | registered: x`);
    expect(rows).toContain(`| qwen | user | ${home}/.qwen/settings.json | not registered`);
    expect(rows).toContain(`| claude-code | user | ${home}/.claude.json | registered: "x\\u001b[2J", switched off`);
    expect(err).toContain(`cannot be used: ${home}/.gemini/settings.json, line 2, column 3: no valid JSON`);
    expect(err).toContain("Not found here: opencode, vscode, windsurf, copilot, zed");
  });

  test("finds a host by its program", async () => {
    mkdirSync(join(home, "bin"));
    symlinkSync("/bin/true", join(home, "bin/zed"));
    const { err } = await register([], { env: { PATH: `${home}/bin` } });
    expect(err).toMatch(/ {2}zed +user +\S+settings\.json +not registered/);
  });
});

test("registers at the same time lose nothing", async () => {
  const names = Array.from({ length: 8 }, (_, n) => `phux-${n}`);
  const ran = await Promise.all(names.map((name) => register(["codex", "--name", name, "--command", "x"])));
  expect(ran.map(({ code, err }) => [code, err])).toEqual(names.map(() => [0, ""]));
  expect(Bun.TOML.parse(read(".codex/config.toml"))).toEqual({
    mcp_servers: Object.fromEntries(names.map((name) => [name, { command: "x", args: [] }])),
  });
  await Promise.all(names.map((name) => register(["codex", "--name", name, "--remove"])));
  expect(read(".codex/config.toml").trim()).toBe("");
});

test("an entry that a person has made his own keeps what is his", async () => {
  const path = join(home, ".cursor/mcp.json");
  mkdirSync(dirname(path));
  writeFileSync(path, '{"mcpServers": {"phux": {"command": "/old", "timeout": 9, "env": {"MINE": "1"}}}} // end\n');
  expect((await register(["cursor", "--command", "new", "--env", "K=2"])).out).toContain("is updated for Cursor");
  expect(readFileSync(path, "utf8")).toBe(
    '{"mcpServers": {"phux": {"command": "new", "timeout": 9, "env": {"MINE": "1", "K": "2"}, "args": []}}} // end\n',
  );
});

test("a file for the person alone, one for everybody in the project", async () => {
  await register(["cursor", "--command", "x"]);
  await register(["cursor", "--command", "/bin/true", "--scope", "project"]);
  const modes = [".cursor/mcp.json", "project/.cursor/mcp.json"].map((path) => statSync(join(home, path)).mode & 0o777);
  expect(modes).toEqual([0o600, 0o666 & ~process.umask()]);
});

describe("what cannot be done is said, and nothing is changed", () => {
  const cases: [why: string, path: string, text: string, args: string[], says: string][] = [
    ["JSON that is none", ".cursor/mcp.json", "{\n  oops", ["cursor"], ", line 2, column 3: no valid JSON"],
    [
      "comments for a host that takes none",
      ".claude.json",
      "{} // mine",
      ["claude-code"],
      ", line 1, column 4: no valid JSON",
    ],
    ["TOML that is none", ".codex/config.toml", "a = @\n", ["codex"], ", line 1, column 5: no valid TOML"],
    ["removing from it", ".codex/config.toml", "a = @\n", ["codex", "--remove"], ", line 1, column 5: no valid TOML"],
    ["printing for it", ".codex/config.toml", "a = @\n", ["codex", "--print"], ", line 1, column 5: no valid TOML"],
  ];
  test.each(cases)("%s", async (_, path, text, args, says) => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
    const before = tree();
    const { code, out, err } = await register([...args, "--command", "x"]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(`${join(home, path)}${says}`);
    expect(err).toEndWith("; nothing was changed\n");
    expect(tree()).toEqual(before);
  });

  test("HOME is not set", async () => {
    const { code, err } = await register(["cursor"], { env: { HOME: "" } });
    expect([code, err]).toEqual([1, expect.stringContaining("HOME is not set")]);
    expect((await register(["cursor", "--scope", "project", "--command", "x"], { env: { HOME: "" } })).code).toBe(0);
    expect(existsSync(join(project, ".cursor/mcp.json"))).toBe(true);
  });

  test.each([[["emacs"]], [["cursor", "--bogus"]], [["cursor", "--env", "s3cret"]]])(
    "%p is a usage error",
    async (args) => {
      const { code, out, err } = await register(args);
      expect([code, out, err.trim().split("\n").length]).toEqual([2, "", 1]);
      expect(err).not.toContain("s3cret");
      expect(tree()).toEqual(["project/"]);
    },
  );
});

test("--help names every host and every option", async () => {
  const { code, out, err } = await register(["--help"]);
  expect([code, err]).toEqual([0, ""]);
  for (const { name } of hosts) expect(out).toContain(name);
  for (const option of ["scope", "name", "command", "env", "read-only", "tools", "print", "remove"]) {
    expect(out).toContain(`--${option}`);
  }
});

test("a project's file is the repository's, wherever in it one stands", async () => {
  const sub = join(project, "a/b");
  mkdirSync(join(project, ".git"));
  mkdirSync(sub, { recursive: true });
  const child = Bun.spawn([alone, "register", "claude-code", "--scope", "project", "--command", "x"], {
    cwd: sub,
    env: { HOME: home, PATH: "/usr/bin:/bin" },
    stdout: "pipe",
    stderr: "ignore",
  });
  const out = await child.stdout.text();
  expect(out).toContain(join(project, ".mcp.json"));
  expect(readdirSync(project).toSorted()).toEqual([".git", ".mcp.json", "a"]);
});
