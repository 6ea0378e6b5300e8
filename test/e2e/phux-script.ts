/** A `phux` of a few lines of shell, for what happens around a child: how it starts, hangs and ends. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SLACK, until } from "./raw-host.ts";

/** The process whose children are looked at. */
export type Adapter = { readonly pid: number };

/** A document that any caller of `phux status` takes. */
export const STATUS = { schema_version: 1, running: false, socket: "/none" };

export class PhuxScript {
  /** Its folder, to be put on PATH. */
  readonly folder = mkdtempSync(join(tmpdir(), "phux-mcp-script-"));
  readonly #runs = join(this.folder, "runs");

  /** @param first what a slow child does first, as sh */
  constructor(first = ":") {
    mkdirSync(this.#runs);
    this.behave(`case "$*" in
*/slow*) ${first}; sleep 600 & echo $! > '${this.#runs}'/$PPID.grandchild.$$; echo $$ > '${this.#runs}'/$PPID.child.$$; wait;;
*/after*) printf '%s' '${JSON.stringify(STATUS)}'; exec sleep 600;;
*) printf '%s' '${JSON.stringify(STATUS)}';;
esac`);
  }

  /** Replaces what the script does. `$@` are the arguments it got. */
  behave(body: string): void {
    const path = join(this.folder, "phux");
    writeFileSync(path, `#!/bin/sh\n${body}\n`);
    chmodSync(path, 0o755);
  }

  /** Waits until so many slow children of this adapter, and their own children, run. */
  begun(adapter: Adapter, count = 1): Promise<unknown> {
    const alive = () => this.#alive(adapter, "child") >= count && this.#alive(adapter, "grandchild") >= count;
    return until(alive, "the child and its child", 5_000 * SLACK);
  }

  /** Whether every child that this adapter ever started, and theirs, are gone. */
  over(adapter: Adapter): boolean {
    return this.#alive(adapter, "child") + this.#alive(adapter, "grandchild") === 0;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #alive({ pid: adapter }: Adapter, who: string): number {
    const files = readdirSync(this.#runs).filter((name) => name.startsWith(`${adapter}.${who}.`));
    const pids = files.map((name) => Number(readFileSync(join(this.#runs, name), "utf8")));
    return pids.filter((pid) => pid > 0 && isAlive(pid)).length;
  }
}

/** Whether a process runs; one that only waits to be reaped does not. */
export function isAlive(pid: number): boolean {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return false;
  try {
    return !/\) [ZX] /.test(readFileSync(path, "utf8"));
  } catch {
    return false;
  }
}
