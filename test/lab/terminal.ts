import { statSync } from "node:fs";
import { constants } from "node:os";
import { fail, ok, type Result } from "../../src/wire/result.ts";
import { MarkScanner, type OutputNotes } from "./marks.ts";
import {
  killSame,
  type ProcessRow,
  processRow,
  sessionMembers,
  signalQuietly,
  workingDirectory,
} from "./process-table.ts";
import { Screen } from "./screen.ts";

export type TerminalSpec = {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cols: number;
  readonly rows: number;
  readonly historyRows: number;
};

/** How a process ended: an exit code, or a signal, or (a code nobody knows) neither. */
export type Exit = { readonly status: number | null; readonly signal: number | null };

export type TerminalWatcher = {
  output(chunk: Uint8Array, notes: OutputNotes): void;
  /** Once, when the process is reaped and what it wrote last is on the screen. */
  exited(exit: Exit): void;
};

const signalNumbers: Readonly<Record<string, number>> = constants.signals;
const canonicalFlag = process.platform === "darwin" ? 0x100 : 0x2;
/** Output that a dead process left in the PTY arrives at once; a background child may hold the PTY for ever. */
const drainMs = 40;

/** A real program on a real PTY, leader of its own session, with the screen that it draws. */
export class Terminal {
  readonly screen: Screen;
  readonly #child: Bun.Subprocess;
  readonly #pty: Bun.Terminal;
  readonly #drained: Promise<void>;
  #ended = false;
  /** Processes of the session that outlived its leader: background jobs that were let go. */
  leftBehind: readonly ProcessRow[] = [];
  cols: number;
  rows: number;
  /** How many chunks of output there have been: the sequence number of the newest (wire.md 18.1). */
  outputSeq = 0;

  private constructor(spec: TerminalSpec, watcher: TerminalWatcher) {
    this.cols = spec.cols;
    this.rows = spec.rows;
    const scanner = new MarkScanner();
    const drained = Promise.withResolvers<void>();
    this.#drained = drained.promise;
    this.screen = new Screen(spec.cols, spec.rows, spec.historyRows, (text) =>
      this.write(new TextEncoder().encode(text)),
    );
    this.#child = Bun.spawn([...spec.command], {
      cwd: spec.cwd,
      env: { ...spec.env },
      terminal: {
        cols: spec.cols,
        rows: spec.rows,
        data: (_, chunk) => {
          if (this.#ended) return;
          this.outputSeq++;
          this.screen.feed(chunk);
          watcher.output(chunk, scanner.scan(chunk));
        },
        exit: () => drained.resolve(),
      },
    });
    const pty = this.#child.terminal;
    if (!pty) throw new Error("the child was started on a terminal and has none");
    this.#pty = pty;
    void this.#watchEnd(watcher);
  }

  /** Starts the program. The error is the sentence of phux for a program that is not there or may not run. */
  static start(spec: TerminalSpec, watcher: TerminalWatcher): Result<Terminal, string> {
    try {
      return ok(new Terminal(spec, watcher));
    } catch (error) {
      const name = spec.command[0] ?? "";
      const reason = error instanceof Error ? error.message : String(error);
      return fail(`spawn failed: Unable to spawn ${name}: ${reason}`);
    }
  }

  async #watchEnd(watcher: TerminalWatcher): Promise<void> {
    await this.#child.exited;
    // From here on its number may belong to somebody else, so what it left behind is noted at once.
    this.leftBehind = sessionMembers(this.pid);
    await Promise.race([this.#drained, Bun.sleep(drainMs)]);
    await this.screen.read(() => {});
    this.#ended = true;
    watcher.exited(this.exit);
  }

  get pid(): number {
    return this.#child.pid;
  }

  get exit(): Exit {
    const name = this.#child.signalCode;
    if (name) return { status: null, signal: signalNumbers[name] ?? null };
    return { status: this.#child.exitCode, signal: null };
  }

  write(bytes: Uint8Array): void {
    if (!this.#ended && !this.#pty.closed && bytes.length > 0) this.#pty.write(bytes);
  }

  /** Whether the terminal hands its program whole lines; then a line over 4,096 bytes cannot arrive. */
  get canonical(): boolean {
    return (this.#pty.localFlags & canonicalFlag) !== 0;
  }

  resize(cols: number, rows: number): void {
    this.cols = cols;
    this.rows = rows;
    if (!this.#pty.closed) this.#pty.resize(cols, rows);
    this.screen.resize(cols, rows);
  }

  /** Signals the process group of the pane's own program. A shell's foreground job is another group (recorded 0.8). */
  signal(signal: NodeJS.Signals): void {
    if (!this.#ended) signalQuietly(-this.pid, signal);
  }

  get cwd(): string | null {
    return workingDirectory(this.pid);
  }

  get child(): { pid: number; start_ms: number } | null {
    const row = processRow(this.pid);
    return row && { pid: row.pid, start_ms: row.startMs };
  }

  get foreground(): { pgid: number; start_ms: number; name: string } | null {
    const leader = processRow(processRow(this.pid)?.foreground ?? -1);
    return leader && { pgid: leader.pid, start_ms: leader.startMs, name: leader.name };
  }

  /** The polite half of an end: what a closing terminal sends. Frozen programs wake to receive it. */
  hangUp(): void {
    for (const group of new Set(sessionMembers(this.pid).map((row) => row.group)).add(this.pid)) {
      signalQuietly(-group, "SIGHUP");
      signalQuietly(-group, "SIGCONT");
    }
  }

  /** The certain half: every process of the session dies, and the PTY goes. */
  destroy(): void {
    const running = this.#child.exitCode === null && this.#child.signalCode === null;
    if (running) for (const { pid } of sessionMembers(this.pid)) signalQuietly(pid, "SIGKILL");
    if (running) signalQuietly(-this.pid, "SIGKILL");
    killSame(this.leftBehind);
    this.close();
  }

  /** Lets the PTY go, as a terminal does whose program has ended: what runs on in the background may. */
  close(): void {
    if (!this.#pty.closed) this.#pty.close();
    this.screen.dispose();
  }

  get ended(): Promise<void> {
    return this.#child.exited.then(() => {});
  }
}

export function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
