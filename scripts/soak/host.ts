import { readdirSync, readFileSync } from "node:fs";
import { line, mibOf, spawnPiped } from "../bench/process.ts";

/** What became of a request. */
interface Asked {
  readonly answered: (isError: boolean) => void;
  cancelled: boolean;
}

/** A host that keeps books: every id is answered once, or was cancelled. */
export class Host {
  readonly pid: number;
  readonly #child: ReturnType<typeof spawnPiped>;
  readonly #open = new Map<number, Asked>();
  readonly #closed = new Set<number>();
  readonly #reading: Promise<void>;
  #last = 0;
  /** Answers that came although the call had been cancelled: the two passed each other. */
  crossed = 0;
  /** What must never happen, in a sentence each. */
  readonly wrongs: string[] = [];

  constructor(program: string, environment: Readonly<Record<string, string>>) {
    this.#child = spawnPiped([program], { ...environment });
    this.pid = this.#child.pid;
    this.#reading = this.#read();
  }

  /** Calls a tool. The answer's `isError`, or null when it was cancelled. */
  call(name: string, args: object): { readonly answer: Promise<boolean | null>; readonly cancel: () => void } {
    const id = ++this.#last;
    const { promise, resolve } = Promise.withResolvers<boolean | null>();
    const asked: Asked = { answered: resolve, cancelled: false };
    this.#open.set(id, asked);
    this.#send(line(id, "tools/call", { name, arguments: args }));
    const cancel = () => {
      if (!this.#open.has(id)) return;
      asked.cancelled = true;
      this.#send(
        `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } })}\n`,
      );
      resolve(null);
    };
    return { answer: promise, cancel };
  }

  /** Ids that are neither answered nor cancelled. */
  get waiting(): number {
    return [...this.#open.values()].filter((asked) => !asked.cancelled).length;
  }

  get memoryMib(): number {
    return mibOf(this.pid, "VmRSS");
  }

  /** Open descriptors, and processes that it started. */
  counts(): { readonly descriptors: number; readonly children: number } {
    const descriptors = readdirSync(`/proc/${this.pid}/fd`).length;
    const children = readFileSync(`/proc/${this.pid}/task/${this.pid}/children`, "utf8").trim();
    return { descriptors, children: children === "" ? 0 : children.split(" ").length };
  }

  async end(): Promise<number> {
    this.#child.stdin.end();
    const code = await this.#child.exited;
    await this.#reading;
    return code;
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
      for (const text of lines) this.#answer(text);
    }
  }

  #answer(text: string): void {
    const { id, result } = JSON.parse(text);
    const asked = this.#open.get(id);
    if (asked === undefined) {
      this.wrongs.push(this.#closed.has(id) ? `${id} was answered twice` : `${id} was answered and never asked`);
      return;
    }
    this.#open.delete(id);
    this.#closed.add(id);
    if (result === undefined) this.wrongs.push(`${id} got no result: ${text.slice(0, 200)}`);
    if (asked.cancelled) this.crossed += 1;
    else asked.answered(result?.isError === true);
  }
}
