// A real repository in a folder of its own, with a home of its own: no configuration of this machine reaches it.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { terminalTools } from "../../src/guard/tools/terminal-tools.ts";
import { worktreeTools } from "../../src/guard/tools/worktree-tools.ts";
import type { LabOptions } from "../lab/options.ts";
import type { GuardBench } from "./guard-call.ts";
import { TerminalRoom } from "./terminal-room.ts";

const person = { name: "A Person", email: "person@example.invalid" };

export class GitRoom {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "guard-git-")));
  readonly main = join(this.folder, "project");
  #room: TerminalRoom | null = null;

  /** A repository with one commit on `main`, and guarded tools of a caller outside every terminal. */
  static async open(options: Partial<LabOptions> = {}): Promise<GitRoom> {
    const room = new GitRoom();
    mkdirSync(room.main);
    room.git("init", "--quiet", "-b", "main");
    room.commit("first", { "README.md": "hello\n", ".gitignore": "*.log\nbuilt/\n" });
    const environment = { ...room.environment, GIT_DIR: "/nowhere", GIT_WORK_TREE: "/nowhere" };
    room.#room = await TerminalRoom.open([...terminalTools, ...worktreeTools], options, { environment });
    room.bench.asker = { ...room.bench.asker, tab: null };
    return room;
  }

  get bench(): GuardBench {
    if (this.#room === null) throw new Error("not open");
    return this.#room.bench;
  }

  get environment(): Record<string, string> {
    return {
      ...{ PATH: process.env["PATH"] ?? "", HOME: this.folder, LC_ALL: "C.UTF-8" },
      ...{ GIT_CONFIG_NOSYSTEM: "1", GIT_AUTHOR_NAME: person.name, GIT_AUTHOR_EMAIL: person.email },
      ...{ GIT_COMMITTER_NAME: person.name, GIT_COMMITTER_EMAIL: person.email },
    };
  }

  /** Runs git as the person would, in the main checkout; what it printed. */
  git(...args: string[]): string {
    return this.gitIn(this.main, ...args);
  }

  gitIn(cwd: string, ...args: string[]): string {
    const ran = Bun.spawnSync(["git", ...args], { cwd, env: this.environment, stdin: "ignore" });
    if (ran.exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${ran.stderr}`);
    return ran.stdout.toString().trim();
  }

  /** Commits files, in the main checkout unless another is named; the commit. */
  commit(message: string, files: Readonly<Record<string, string>>, where = this.main): string {
    for (const [path, text] of Object.entries(files)) this.write(join(where, path), text);
    this.gitIn(where, "add", "--all");
    this.gitIn(where, "commit", "--quiet", "-m", message);
    return this.gitIn(where, "rev-parse", "HEAD");
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  /** A worktree beside the main checkout, on a new branch of the same name; its path. */
  worktree(name: string, ...more: string[]): string {
    const path = join(this.folder, name);
    this.git("worktree", "add", "--quiet", ...(more.length > 0 ? more : ["-b", name]), path);
    return path;
  }

  has(path: string): boolean {
    return existsSync(path);
  }

  hasBranch(name: string): boolean {
    return this.git("branch", "--list", name) !== "";
  }

  async end(): Promise<void> {
    await this.#room?.end();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
