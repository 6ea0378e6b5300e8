/** What a program's stdin and stdout are, from the side of its host: two Unix sockets, two pipes, or one terminal. */
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const links = ["socket", "pipe", "terminal"] as const;
export type LinkKind = (typeof links)[number];

type Stdio = { stdin: "pipe" | number; stdout: "pipe" | number } | { terminal: Bun.TerminalOptions };
type Child = Bun.Subprocess;
/** The reader of a stream, as far as it is used here. */
export type Source = {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
};

export interface Link {
  /** For `Bun.spawn`. */
  readonly stdio: Stdio;
  /** Takes the program that was started with it. */
  attach(child: Child): void;
  write(bytes: string | Uint8Array): void;
  /** The end of the program's input; for a terminal what Ctrl-D does, also in the middle of a line. */
  endInput(): Promise<void>;
  /** What came next from the program; null at the end. */
  next(): Promise<Uint8Array | null>;
  /** A terminal has to be told that nobody reads; the others notice. */
  setReading(reading: boolean): void;
  /** Goes away as a reader; for a terminal that is a hang-up. */
  closeOutput(): Promise<void>;
}

export function linkOf(kind: LinkKind): Link {
  if (kind === "terminal") return new TerminalLink();
  return kind === "pipe" ? new PipeLink() : new SocketLink();
}

/** Hands bytes on; a program that has gone is seen by its exit. */
function send(sink: Bun.FileSink, bytes: string | Uint8Array): void {
  try {
    sink.write(bytes);
    const flushed = sink.flush();
    if (flushed instanceof Promise) flushed.catch(() => {});
  } catch {}
}

async function nextOf(reader: Source): Promise<Uint8Array | null> {
  const chunk = await reader.read().catch(() => null);
  return chunk?.value ?? null;
}

/** What Bun makes of "pipe": a socket pair for each. */
class SocketLink implements Link {
  readonly stdio = { stdin: "pipe", stdout: "pipe" } as const;
  #input: Bun.FileSink | null = null;
  #output: Source | null = null;

  attach({ stdin, stdout }: Child): void {
    if (typeof stdin !== "object" || !(stdout instanceof ReadableStream)) throw new Error("it was started otherwise");
    this.#input = stdin;
    this.#output = stdout.getReader();
  }
  write(bytes: string | Uint8Array): void {
    if (this.#input !== null) send(this.#input, bytes);
  }
  async endInput(): Promise<void> {
    await this.#input?.end();
  }
  async next(): Promise<Uint8Array | null> {
    return this.#output === null ? null : nextOf(this.#output);
  }
  setReading(): void {}
  async closeOutput(): Promise<void> {
    await this.#output?.cancel();
  }
}

/** Real pipes. */
class PipeLink implements Link {
  readonly #in = new Fifo();
  readonly #out = new Fifo();
  readonly stdio = { stdin: this.#in.read, stdout: this.#out.write };
  readonly #input = Bun.file(this.#in.write).writer();
  readonly #output: Source = Bun.file(this.#out.read).stream().getReader();

  attach(): void {
    this.#in.close("read");
    this.#out.close("write");
  }
  write(bytes: string | Uint8Array): void {
    send(this.#input, bytes);
  }
  async endInput(): Promise<void> {
    await this.#input.end();
    this.#in.close("write");
  }
  next(): Promise<Uint8Array | null> {
    return nextOf(this.#output);
  }
  setReading(): void {}
  async closeOutput(): Promise<void> {
    await this.#output.cancel();
    this.#out.close("read");
  }
}

// Flags of termios, as Linux numbers them.
const ECHO = 0x8;
const OPOST = 0x1;
const IXANY = 0x800;
const [END_OF_INPUT, STOP, GO] = ["\x04", "\x13", "\x11"];

/** A terminal that the program controls, line by line as people have it, without an echo. stderr is the same. */
class TerminalLink implements Link {
  readonly stdio = {
    terminal: {
      cols: 80,
      rows: 24,
      data: (_: Bun.Terminal, chunk: Uint8Array<ArrayBuffer>) => this.#push(chunk.slice()),
      exit: () => this.#push(null),
    },
  };
  readonly #chunks: (Uint8Array | null)[] = [];
  #waiting: ((chunk: Uint8Array | null) => void) | null = null;
  #terminal: Bun.Terminal | null = null;
  #stopped = false;

  attach({ terminal }: Child): void {
    if (terminal === undefined) throw new Error("it was started without a terminal");
    this.#terminal = terminal;
    terminal.localFlags &= ~ECHO;
    terminal.outputFlags &= ~OPOST;
    // Else the next input would be a start, too.
    terminal.inputFlags &= ~IXANY;
  }
  write(bytes: string | Uint8Array): void {
    if (this.#terminal?.closed === false) this.#terminal.write(bytes);
  }
  async endInput(): Promise<void> {
    // The first one ends a line that has begun, if there is one, and the second the input.
    this.write(`${END_OF_INPUT}${END_OF_INPUT}`);
  }
  next(): Promise<Uint8Array | null> {
    const { promise, resolve } = Promise.withResolvers<Uint8Array | null>();
    const chunk = this.#chunks.shift();
    if (chunk === undefined) this.#waiting = resolve;
    else resolve(chunk);
    return promise;
  }
  setReading(reading: boolean): void {
    if (reading === !this.#stopped) return;
    this.#stopped = !reading;
    this.write(reading ? GO : STOP);
  }
  async closeOutput(): Promise<void> {
    this.#terminal?.close();
    this.#push(null);
  }

  #push(chunk: Uint8Array | null): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting === null) this.#chunks.push(chunk);
    else waiting(chunk);
  }
}

/** A real pipe, made here because Bun gives a child sockets. A reader or writer on a descriptor leaves it open. */
class Fifo {
  readonly read: number;
  readonly write: number;
  readonly #open = new Set<"read" | "write">(["read", "write"]);

  constructor() {
    const folder = mkdtempSync(join(tmpdir(), "raw-host-"));
    const path = join(folder, "pipe");
    spawnSync("mkfifo", [path]);
    // Opened for both first: with one end open, the next open would wait for the other.
    const hold = openSync(path, "r+");
    this.read = openSync(path, "r");
    this.write = openSync(path, "w");
    closeSync(hold);
    rmSync(folder, { recursive: true });
  }

  /** Once only: the number may already be another file's. */
  close(end: "read" | "write"): void {
    if (this.#open.delete(end)) closeSync(this[end]);
  }
}
