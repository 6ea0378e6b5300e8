/** What the tests of `phux-mcp check` share: a folder, programs named phux, and the mode in both its forms. */
import { expect } from "bun:test";
import { linkSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { binary } from "./binary.ts";
import { SLACK } from "./raw-host.ts";

/** What the mode promises for all of it. */
const WHOLE_MS = 10_000;

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  readonly ms: number;
}

interface Document {
  readonly ok: boolean;
  readonly problems: readonly { readonly code: string; readonly message: string; readonly remedy: string }[];
  readonly [more: string]: unknown;
}

export class CheckRoom {
  /** The working folder of each run, and the home of all other folders. */
  readonly folder = mkdtempSync(join(tmpdir(), "phux-mcp-check-"));
  /** The folder of a phux with the launcher, which reaches the binary under test. */
  readonly whole = this.withPhux(
    `case "$1" in --version) echo phux 9.8.7 ;; mcp) shift; exec '${binary}' "$@" ;; *) exit 2 ;; esac`,
  );

  /** A new empty folder. */
  fresh(): string {
    return mkdtempSync(join(this.folder, "f-"));
  }

  /** A folder with a `phux` of this text. */
  withPhux(text: string): string {
    const at = this.fresh();
    writeFileSync(join(at, "phux"), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    return at;
  }

  async check(args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Ran> {
    const began = performance.now();
    const env = { PATH: `${this.whole}:/usr/bin:/bin`, HOME: this.folder, XDG_RUNTIME_DIR: this.folder, ...more };
    const child = Bun.spawn([binary, "check", ...args], {
      cwd: this.folder,
      env,
      stdout: "pipe",
      stderr: "pipe",
      stdin: "ignore",
    });
    const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    return { code, out, err, ms: performance.now() - began };
  }

  /** Page and document of the same place; both must give the same exit code, in time, and nothing on stderr. */
  async both(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const [page, json] = await Promise.all([this.check(args, env), this.check([...args, "--json"], env)]);
    const document: Document = JSON.parse(json.out);
    expect([page.err, json.err, page.code, json.code]).toEqual(["", "", document.ok ? 0 : 1, document.ok ? 0 : 1]);
    for (const { ms } of [page, json]) expect(ms).toBeLessThan(WHOLE_MS * SLACK);
    for (const { remedy } of document.problems) expect(page.out).toContain(remedy.slice(0, 60));
    return { page: page.out, document, codes: document.problems.map(({ code }) => code) };
  }

  end(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Makes a socket file whose server is gone. */
export function dead(path: string): void {
  const first = `${path}.live`;
  const listener = Bun.listen({ unix: first, socket: { data() {} } });
  linkSync(first, path);
  listener.stop(true);
  rmSync(first, { force: true });
}
