/** A host without manners: it writes exactly what a test says, keeps every byte that comes back, and can stop reading. */
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { type LinkKind, linkOf, type Source } from "./link.ts";

export interface RawHostOptions {
  /** The program to drive. */
  readonly bin: string;
  readonly args?: readonly string[];
  /** The whole environment of the program; a small one by default. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** What stdin and stdout are: hosts use Unix sockets as often as pipes. */
  readonly stdio?: LinkKind;
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

export class RawHost {
  readonly lines: Line[] = [];
  readonly pid: number;
  stderr = "";
  readonly #child: Bun.Subprocess;
  readonly #began = performance.now();
  readonly #link;
  #errors: Source | null = null;
  #reading = false;
  #stop = false;
  #bytesPerMs = Number.POSITIVE_INFINITY;
  #partial: Uint8Array[] = [];
  #exit: { code: number | null; signal: string | null; at: number } | null = null;
  #nextId = 1000;

  constructor(options: RawHostOptions) {
    const { stdio = "socket" } = options;
    this.#link = linkOf(stdio);
    this.#child = Bun.spawn([options.bin, ...(options.args ?? [])], {
      stderr: "pipe",
      ...this.#link.stdio,
      env: { ...(options.env ?? { PATH: "/usr/bin:/bin", HOME: tmpdir(), LANG: "C.UTF-8" }) },
      cwd: options.cwd ?? tmpdir(),
      // On a terminal it leads a session anyway.
      detached: stdio !== "terminal",
      onExit: (_, code, signal) => {
        this.#exit = { code, signal: signal === null ? null : String(signal), at: performance.now() };
      },
    });
    this.pid = this.#child.pid;
    this.#link.attach(this.#child);
    void this.#collectStderr();
    if (options.reading === false) this.#link.setReading(false);
    else this.read();
  }

  /** Reads on, or for the first time; no faster than so many bytes a millisecond, when that is told. */
  read(bytesPerMs = Number.POSITIVE_INFINITY): void {
    this.#stop = false;
    this.#bytesPerMs = bytesPerMs;
    this.#link.setReading(true);
    if (this.#reading) return;
    this.#reading = true;
    void this.#collect().finally(() => {
      this.#reading = false;
    });
  }

  /** Leaves in the socket or pipe what comes after the chunk that is being waited for. */
  stopReading(): void {
    this.#stop = true;
    this.#link.setReading(false);
  }

  write(bytes: string | Uint8Array): this {
    this.#link.write(bytes);
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
    return this.#partial.reduce((sum, { length }) => sum + length, 0);
  }

  get messages(): Message[] {
    return this.lines.flatMap(({ message }) => (message === undefined ? [] : [message]));
  }

  closeInput(): this {
    void this.#link.endInput();
    return this;
  }

  /** Goes away as a reader. */
  async closeOutput(): Promise<void> {
    this.#stop = true;
    await this.#link.closeOutput();
  }

  /** Goes away as a reader of stderr, where that is one of its own. */
  async closeErrors(): Promise<void> {
    await this.#errors?.cancel();
  }

  signal(name: NodeJS.Signals): this {
    process.kill(this.pid, name);
    return this;
  }

  /** A signal for its whole process group, as some hosts and every Ctrl-C give it. */
  signalGroup(name: NodeJS.Signals): this {
    process.kill(-this.pid, name);
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

  /** Processor time so far, in milliseconds. */
  cpuMs(): number {
    return cpuMsOf(this.pid);
  }

  /** Its open descriptors. */
  descriptors(): number {
    return readdirSync(`/proc/${this.pid}/fd`).length;
  }

  /** Ends the program and its process group. */
  [Symbol.dispose](): void {
    try {
      process.kill(-this.pid, "SIGKILL");
    } catch {
      // It ended by itself.
    }
    void this.closeOutput().catch(() => {});
    void this.#link.endInput().catch(() => {});
  }

  async #collect(): Promise<void> {
    while (!this.#stop) {
      const chunk = await this.#link.next();
      if (chunk === null) return;
      this.#take(chunk);
      const pause = chunk.length / this.#bytesPerMs;
      if (pause > 0) await Bun.sleep(pause);
    }
  }

  #take(chunk: Uint8Array): void {
    let rest = chunk;
    for (let newline = rest.indexOf(10); newline !== -1; newline = rest.indexOf(10)) {
      this.lines.push(this.#lineOf(Buffer.concat([...this.#partial, rest.subarray(0, newline)])));
      this.#partial = [];
      rest = rest.subarray(newline + 1);
    }
    if (rest.length > 0) this.#partial.push(rest);
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
    const { stderr } = this.#child;
    if (!(stderr instanceof ReadableStream)) return;
    const errors: Source = stderr.getReader();
    this.#errors = errors;
    const utf8 = new TextDecoder();
    for (;;) {
      const chunk = await errors.read().catch(() => null);
      if (chunk?.value === undefined) return;
      this.stderr += utf8.decode(chunk.value, { stream: true });
    }
  }
}

function slack(): number {
  const { TEST_SLACK = "2" } = process.env;
  return Number(TEST_SLACK);
}

/** Processor time of a process so far, in milliseconds (the kernel counts in tens). */
export function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
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
