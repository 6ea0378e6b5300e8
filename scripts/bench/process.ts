import { readFileSync } from "node:fs";

const INITIALIZE = line(0, "initialize", {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "bench", version: "1" },
});

/** One JSON-RPC request as a line. */
export function line(id: number, method: string, params: object = {}): string {
  return `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
}

export function spawnPiped(command: readonly string[], environment: Record<string, string | undefined> = process.env) {
  return Bun.spawn([...command], { stdin: "pipe", stdout: "pipe", stderr: "ignore", env: environment });
}

/** Milliseconds from the start of a process to its first answer to `first`, and its memory a moment later in MiB. */
export async function startOf(command: readonly string[], first = INITIALIZE): Promise<{ ms: number; mib: number }> {
  const began = performance.now();
  const child = spawnPiped(command);
  child.stdin.write(first);
  child.stdin.flush();
  const reader = child.stdout.getReader();
  await reader.read();
  const ms = performance.now() - began;
  await Bun.sleep(60);
  const mib = mibOf(child.pid, "VmRSS");
  child.kill("SIGKILL");
  await child.exited;
  return { ms, mib };
}

/** Milliseconds that a process takes from start to end. */
export async function lifeOf(command: readonly string[]): Promise<number> {
  const began = performance.now();
  await Bun.spawn([...command], { stdin: "ignore", stdout: "ignore", stderr: "ignore" }).exited;
  return performance.now() - began;
}

/** A figure of /proc/PID/status in MiB: `VmRSS` is now, `VmHWM` the most so far. */
export function mibOf(pid: number, name: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(status.match(new RegExp(`${name}:\\s+(\\d+)`))?.[1] ?? Number.NaN) / 1024;
}

/** Processor time of a process so far, in clock ticks of 10 ms. */
export function cpuTicks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

/** A running adapter that is asked one request after another. */
export class Asked {
  readonly #child: ReturnType<typeof spawnPiped>;
  readonly #answers = new Map<number, (text: string) => void>();
  #last = 0;

  constructor(command: readonly string[], environment: Record<string, string | undefined>) {
    this.#child = spawnPiped(command, environment);
    void this.#read();
  }

  get pid(): number {
    return this.#child.pid;
  }

  ask(method: string, params: object = {}): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>();
    this.#answers.set(this.post(method, params), resolve);
    return promise;
  }

  /** Sends a request whose answer nobody waits for; gives its id. */
  post(method: string, params: object = {}): number {
    const id = ++this.#last;
    this.#send(line(id, method, params));
    return id;
  }

  notify(method: string, params: object): void {
    this.#send(`${JSON.stringify({ jsonrpc: "2.0", method, params })}\n`);
  }

  tool(name: string, given: object = {}): Promise<string> {
    return this.ask("tools/call", { name, arguments: given });
  }

  async end(): Promise<void> {
    this.#child.stdin.end();
    await this.#child.exited;
  }

  #send(text: string): void {
    this.#child.stdin.write(text);
    this.#child.stdin.flush();
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of this.#child.stdout) {
      rest += decoder.decode(chunk, { stream: true });
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      for (const text of lines) {
        const id = Number(text.match(/"id":(\d+)/)?.[1]);
        this.#answers.get(id)?.(text);
        this.#answers.delete(id);
      }
    }
  }
}
