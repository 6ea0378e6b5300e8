import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { LabOptions } from "../options.ts";
import { type Lab, startLab } from "../server.ts";
import { installPhux } from "./install.ts";

/** What a run of the program left behind. */
export interface Ran {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Circumstances {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** No run of these tests takes longer; one that does is killed and fails its test. */
const RUN_MS = 20_000;
const POLL_MS = 20;

/** A lab server and the lab's `phux`, in a folder of their own that is gone afterwards. */
export class Workbench {
  readonly folder: string;
  readonly lab: Lab;
  readonly bin: string;

  private constructor(folder: string, lab: Lab, bin: string) {
    this.folder = folder;
    this.lab = lab;
    this.bin = bin;
  }

  static async open(options: Partial<LabOptions> = {}): Promise<Workbench> {
    const folder = mkdtempSync(join(tmpdir(), "phux-cli-"));
    const bin = await installPhux(join(folder, "bin"));
    const env = { PATH: process.env["PATH"] ?? "", HOME: folder, PS1: "$ ", LANG: "C.UTF-8" };
    const own = { session: "main", shell: "/bin/sh", home: folder, cwd: folder, env };
    const lab = await startLab({ socket: join(folder, "phux.sock"), ...own, ...options });
    return new Workbench(folder, lab, bin);
  }

  /** Runs `phux ARGV...` against this lab, with a small environment that leads nowhere else. */
  async phux(argv: readonly string[], { env = {}, cwd = this.folder }: Circumstances = {}): Promise<Ran> {
    const child = Bun.spawn([join(this.bin, "phux"), ...argv], {
      cwd,
      env: {
        PATH: [this.bin, process.env["PATH"]].join(delimiter),
        ...{ HOME: this.folder, XDG_RUNTIME_DIR: join(this.folder, "run"), PHUX_SOCKET: this.lab.socket },
        ...env,
      },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: RUN_MS,
      killSignal: "SIGKILL",
    });
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    await child.exited;
    return { exit: child.exitCode, stdout, stderr };
  }

  /** The document of a run that must succeed. */
  async document(argv: readonly string[], circumstances?: Circumstances): Promise<Record<string, unknown>> {
    const ran = await this.phux(argv, circumstances);
    if (ran.exit !== 0) throw new Error(`phux ${argv.join(" ")} ended with ${ran.exit}: ${ran.stderr}`);
    return JSON.parse(ran.stdout);
  }

  /** A session whose pane stands at its prompt. */
  async session(name: string, ...command: readonly string[]): Promise<void> {
    await this.document(["new", "-s", name, "--json", "--", ...command]);
    await until(async () => /[$%#]/.test((await this.phux(["snapshot", name])).stdout));
  }

  async close(): Promise<void> {
    await this.lab.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Waits for a condition, with a bound. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + RUN_MS / 2;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error("it did not come true in time");
    await Bun.sleep(POLL_MS);
  }
}

/** The error document on the last line of stderr: its code and exit, or null when that line is none. */
export function errorOf({ stderr }: Ran): { readonly code: unknown; readonly exit: unknown } | null {
  try {
    const document: unknown = JSON.parse(stderr.trimEnd().split("\n").at(-1) ?? "");
    if (typeof document !== "object" || document === null || !("error" in document)) return null;
    const { error } = document;
    const code: unknown = typeof error === "object" && error !== null ? Reflect.get(error, "code") : undefined;
    return { code, exit: Reflect.get(document, "exit_code") };
  } catch {
    return null;
  }
}
