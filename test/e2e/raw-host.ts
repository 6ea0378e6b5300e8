/** A host without manners: it writes exactly what a test says, keeps every byte that comes back, and can stop reading. */
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface RawHostOptions {
  /** The program to drive. */
  readonly bin: string;
  readonly args?: readonly string[];
  /** The whole environment of the program; a small one by default. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** What stdin and stdout are: hosts use Unix sockets as often as pipes. */
  readonly stdio?: "socket" | "pipe";
  /** False: nothing is read until `read()`. */
  readonly reading?: boolean;
}

export interface Line {
  readonly text: string;
  readonly bytes: Uint8Array;
  /** The parsed line; undefined when it is not JSON. */
  readonly message: Message | undefined;
  /** Milliseconds since the program was started. */
  readonly at: number;
}

/** A message as a test looks at it: what is not there is undefined. */
export interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly progress?: unknown; readonly progressToken?: unknown };
  readonly result?: Result;
  readonly error?: { readonly code: number; readonly message: string };
}

/** The members of results that tests look at. */
export interface Result {
  readonly tools?: unknown;
  readonly instructions?: unknown;
  readonly content?: readonly { readonly type: string; readonly text: string }[];
  readonly isError?: boolean;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
  /** Milliseconds from the call of `ended`, or from its `since`. */
  readonly ms: number;
}

/** Time limits of a contract are multiplied by this: test machines are noisy. */
export const SLACK = slack();

type Source = { read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>; cancel(): Promise<void> };
type Sink = { write(chunk: string | Uint8Array): unknown; flush(): unknown; end(): unknown };

export class RawHost {
  readonly lines: Line[] = [];
  readonly pid: number;
  stderr = "";
  readonly #child: Bun.Subprocess<"pipe" | number, "pipe" | number, "pipe">;
  readonly #began = performance.now();
  readonly #input: Sink;
  readonly #output: Source;
  readonly #pipes: { input: Fifo; output: Fifo } | null;
  #reading = false;
  #stop = false;
  #partial = new Uint8Array(0);
  #exit: { code: number | null; signal: string | null; at: number } | null = null;
  #nextId = 1000;

  constructor(options: RawHostOptions) {
    this.#pipes = options.stdio === "pipe" ? { input: new Fifo(), output: new Fifo() } : null;
    const pipes = this.#pipes;
    this.#child = Bun.spawn([options.bin, ...(options.args ?? [])], {
      stdin: pipes?.input.read ?? "pipe",
      stdout: pipes?.output.write ?? "pipe",
      stderr: "pipe",
      env: { ...(options.env ?? { PATH: "/usr/bin:/bin", HOME: tmpdir(), LANG: "C.UTF-8" }) },
      cwd: options.cwd ?? tmpdir(),
      detached: true,
      onExit: (_, code, signal) => {
        this.#exit = { code, signal: signal === null ? null : String(signal), at: performance.now() };
      },
    });
    this.pid = this.#child.pid;
    const { stdin, stdout } = this.#child;
    pipes?.input.close("read");
    pipes?.output.close("write");
    this.#input = typeof stdin === "object" ? stdin : Bun.file(pipes?.input.write ?? -1).writer();
    const out = typeof stdout === "object" ? stdout : Bun.file(pipes?.output.read ?? -1).stream();
    this.#output = out.getReader();
    void this.#collectStderr();
    if (options.reading !== false) this.read();
  }

  /** Reads on, or for the first time. */
  read(): void {
    this.#stop = false;
    if (this.#reading) return;
    this.#reading = true;
    void this.#collect().finally(() => {
      this.#reading = false;
    });
  }

  /** Leaves in the socket or pipe what comes after the chunk that is being waited for. */
  stopReading(): void {
    this.#stop = true;
  }

  write(bytes: string | Uint8Array): this {
    try {
      this.#input.write(bytes);
      const flushed = this.#input.flush();
      if (flushed instanceof Promise) flushed.catch(() => {});
    } catch {
      // The program has gone; the test sees that by its exit.
    }
    return this;
  }

  send(message: unknown): this {
    return this.write(`${JSON.stringify(message)}\n`);
  }

  /** A tools/call that is not waited for. */
  call(id: string | number, name: string, args?: unknown, meta?: Readonly<Record<string, unknown>>): this {
    return this.send({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args, _meta: meta } });
  }

  cancel(requestId: unknown): this {
    return this.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
  }

  /** Sends a request with an id of its own and gives the reply. */
  async request(method: string, params?: unknown, ms?: number): Promise<Message> {
    const id = `host-${this.#nextId++}`;
    this.send({ jsonrpc: "2.0", id, method, params });
    return this.reply(id, ms);
  }

  /** The reply to an id, past or future. */
  reply(id: unknown, ms?: number): Promise<Message> {
    return this.waitFor((m) => m.id === id && m.method === undefined, `a reply to ${JSON.stringify(id)}`, ms);
  }

  /** The first message for which `match` holds, past or future. */
  async waitFor(match: (message: Message) => boolean, what: string, ms = 5000 * SLACK): Promise<Message> {
    return until(() => this.lines.find(({ message }) => message !== undefined && match(message))?.message, what, ms);
  }

  /** Waits until everything that was written before is answered, and gives the replies to all but itself. */
  async settled(): Promise<Message[]> {
    await this.request("ping");
    return this.messages.filter(({ id }) => !String(id).startsWith("host-"));
  }

  /** Bytes that came behind the last newline. */
  get unfinished(): number {
    return this.#partial.length;
  }

  get messages(): Message[] {
    return this.lines.flatMap(({ message }) => (message === undefined ? [] : [message]));
  }

  closeInput(): this {
    void this.#endInput();
    return this;
  }

  async #endInput(): Promise<void> {
    await this.#input.end();
    this.#pipes?.input.close("write");
  }

  /** Goes away as a reader. */
  async closeOutput(): Promise<void> {
    this.#stop = true;
    await this.#output.cancel();
    this.#pipes?.output.close("read");
  }

  signal(name: NodeJS.Signals): this {
    process.kill(this.pid, name);
    return this;
  }

  get running(): boolean {
    return this.#exit === null;
  }

  /** Waits for the end of the program and of its output. */
  async ended(ms = 3000 * SLACK, since = performance.now()): Promise<Exit> {
    const exit = await until(() => this.#exit, "the end of the program", ms);
    await until(() => !this.#reading || this.#stop, "the end of its output", ms);
    return { code: exit.signal === null ? exit.code : null, signal: exit.signal, ms: exit.at - since };
  }

  /** Resident memory in bytes: now, and at most so far. */
  memory(): { now: number; peak: number } {
    const status = readFileSync(`/proc/${this.pid}/status`, "utf8");
    const of = (key: string) => Number(new RegExp(`^${key}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0) * 1024;
    return { now: of("VmRSS"), peak: of("VmHWM") };
  }

  /** Processor time so far, in milliseconds (the kernel counts in tens). */
  cpuMs(): number {
    const stat = readFileSync(`/proc/${this.pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10;
  }

  /** Ends the program and its process group. */
  [Symbol.dispose](): void {
    try {
      process.kill(-this.pid, "SIGKILL");
    } catch {
      // It ended by itself.
    }
    void this.closeOutput().catch(() => {});
    void this.#endInput().catch(() => {});
  }

  async #collect(): Promise<void> {
    while (!this.#stop) {
      const chunk = await this.#output.read().catch(() => null);
      if (chunk?.value === undefined) return;
      this.#take(chunk.value);
    }
  }

  #take(chunk: Uint8Array): void {
    let rest = this.#partial.length === 0 ? chunk : Buffer.concat([this.#partial, chunk]);
    for (let newline = rest.indexOf(10); newline !== -1; newline = rest.indexOf(10)) {
      this.lines.push(this.#lineOf(rest.slice(0, newline)));
      rest = rest.subarray(newline + 1);
    }
    this.#partial = new Uint8Array(rest);
  }

  #lineOf(bytes: Uint8Array): Line {
    const text = new TextDecoder().decode(bytes);
    const at = performance.now() - this.#began;
    try {
      return { text, bytes, message: JSON.parse(text), at };
    } catch {
      return { text, bytes, message: undefined, at };
    }
  }

  async #collectStderr(): Promise<void> {
    const utf8 = new TextDecoder();
    for await (const chunk of this.#child.stderr) this.stderr += utf8.decode(chunk, { stream: true });
  }
}

function slack(): number {
  const { TEST_SLACK = "2" } = process.env;
  return Number(TEST_SLACK);
}

/** Polls until there is something; the bound is a failure that says what was awaited. */
export async function until<T>(probe: () => T, what: string, ms: number): Promise<NonNullable<Exclude<T, false>>> {
  const end = performance.now() + ms;
  for (;;) {
    const got = probe();
    if (got !== undefined && got !== null && got !== false) return got as NonNullable<Exclude<T, false>>;
    if (performance.now() > end) throw new Error(`${what}: not within ${Math.round(ms)} ms`);
    await Bun.sleep(2);
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
