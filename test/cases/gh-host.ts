/** The compiled binary before a host that keeps every byte, on a lab with real shells, a scripted server or a scripted `phux`. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { binary } from "../e2e/binary.ts";
import { type Line, type Message, RawHost, SLACK } from "../e2e/raw-host.ts";
import type { LabOptions } from "../lab/options.ts";
import { installPhux } from "../lab/phux/install.ts";
import { type Lab, startLab } from "../lab/server.ts";

export type Given = Readonly<Record<string, unknown>>;
export type Document = Readonly<Record<string, unknown>>;

/** The answer of a tool, and the line that brought it. */
export interface Said {
  readonly text: string;
  readonly isError: boolean;
  readonly line: Line;
}

export interface Around {
  readonly socket?: string;
  /** Folders for PATH before the system's. */
  readonly path?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

/** A host with this around it; its home is a place that does not exist, so that nothing of this machine is read. */
export function hostWith({ socket, path, env, args = [] }: Around = {}): RawHost {
  return new RawHost({
    bin: binary,
    args,
    env: {
      PATH: path === undefined ? "/usr/bin:/bin" : `${path}:/usr/bin:/bin`,
      HOME: "/no/such/home",
      LANG: "C.UTF-8",
      TERM: "xterm-256color",
      ...(socket !== undefined && { PHUX_SOCKET: socket }),
      ...env,
    },
  });
}

let calls = 0;

/** Calls a tool and waits for its answer. */
export async function ask(host: RawHost, name: string, given: Given = {}, meta?: Given): Promise<Said> {
  calls += 1;
  const id = `call-${calls}`;
  host.call(id, name, given, meta);
  return said(host, id);
}

/** The same with `arguments` as JSON text, for what no JavaScript value becomes: duplicate names, 1e400, -0. */
export async function askText(host: RawHost, name: string, given: string): Promise<Said> {
  calls += 1;
  const id = `call-${calls}`;
  const params = `{"name":${JSON.stringify(name)},"arguments":${given}}`;
  host.write(`{"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":${params}}\n`);
  return said(host, id);
}

async function said(host: RawHost, id: string): Promise<Said> {
  const message = await host.reply(id, 30_000 * SLACK);
  const line = host.lines.find((one) => one.message === message);
  const [block, ...more] = message.result?.content ?? [];
  if (line === undefined || block === undefined || more.length > 0)
    throw new Error(`no answer: ${Bun.inspect(message)}`);
  return { text: block.text, isError: message.result?.isError === true, line };
}

/** The document of an answer that must be a success. */
export function documentOf({ text, isError }: Said): Document {
  if (isError) throw new Error(`a failure: ${text}`);
  return JSON.parse(text);
}

export const repliesTo = (host: RawHost, id: unknown): Message[] =>
  host.messages.filter((message) => message.id === id && message.method === undefined);

/** A lab, the binary and a host; the lab's `phux` is on PATH. All of it ends with the block. */
export class LabHost implements AsyncDisposable {
  readonly folder: string;
  readonly lab: Lab;
  readonly host: RawHost;

  private constructor(folder: string, lab: Lab, host: RawHost) {
    this.folder = folder;
    this.lab = lab;
    this.host = host;
  }

  static async open(options: Partial<LabOptions> = {}, around: Around = {}): Promise<LabHost> {
    const folder = mkdtempSync(join(tmpdir(), "phux-mcp-gh-"));
    const places = { socket: join(folder, "phux.sock"), home: folder, cwd: folder, shell: "/bin/sh" };
    const lab = await startLab({ ...places, env: { PATH: "/usr/bin:/bin", LANG: "C.UTF-8", PS1: "$ " }, ...options });
    const path = await installPhux(join(folder, "bin"));
    return new LabHost(
      folder,
      lab,
      hostWith({ socket: lab.socket, path, ...around, env: { HOME: folder, ...around.env } }),
    );
  }

  ask(name: string, given: Given = {}, meta?: Given): Promise<Said> {
    return ask(this.host, name, given, meta);
  }

  async call(name: string, given: Given = {}): Promise<Document> {
    return documentOf(await this.ask(name, given));
  }

  /** The rows of a pane's screen, as soon as one of them is this. */
  async rowsWith(target: string, row: string): Promise<string[]> {
    const end = performance.now() + 10_000 * SLACK;
    for (;;) {
      const { lines } = await this.call("phux_snapshot", { target });
      const rows = Array.isArray(lines) ? lines.map(String) : [];
      if (rows.includes(row)) return rows;
      if (performance.now() > end) throw new Error(`${JSON.stringify(row)} did not appear: ${JSON.stringify(rows)}`);
      await Bun.sleep(20);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.host[Symbol.dispose]();
    await this.lab.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
