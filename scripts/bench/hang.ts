import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A `phux` that starts a child of its own and never ends. */
export class Hang {
  readonly folder: string;
  readonly #pids: string;

  constructor(parent: string) {
    this.folder = join(parent, "hang");
    this.#pids = join(parent, "pids");
    mkdirSync(this.folder);
    mkdirSync(this.#pids);
    const program = join(this.folder, "phux");
    writeFileSync(program, `#!/bin/sh\nsleep 600 &\necho > '${this.#pids}'/$!\necho > '${this.#pids}'/$$\nwait\n`);
    chmodSync(program, 0o755);
  }

  /** The processes that said that they run. */
  tree(): number[] {
    return readdirSync(this.#pids).map(Number);
  }

  forget(): void {
    for (const pid of this.tree()) rmSync(join(this.#pids, String(pid)));
  }

  /** Whether a process runs; one that only waits to be reaped does not. */
  static runs(pid: number): boolean {
    const path = `/proc/${pid}/stat`;
    try {
      return existsSync(path) && !/\) [ZX] /.test(readFileSync(path, "utf8"));
    } catch {
      return false;
    }
  }
}
