/** A place to start the compiled binary in odd ways: a lab, its `phux` beside the binary, and a folder for odd things. */
import { expect } from "bun:test";
import { chmodSync, copyFileSync, linkSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { binary } from "../e2e/binary.ts";
import { RawHost } from "../e2e/raw-host.ts";
import { installPhux } from "../lab/phux/install.ts";
import { type Lab, startLab } from "../lab/server.ts";

export interface Start {
  /** The whole environment; the six variables that some hosts pass when absent. */
  readonly env?: Readonly<Record<string, string>>;
  /** sh that ends by running "$0": what a plain start cannot say. */
  readonly script?: string;
  readonly bin?: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly stdio?: "socket" | "pipe";
}

/** A tool's answer. */
export interface Said {
  readonly text: string;
  readonly isError: boolean;
}

export class Room implements AsyncDisposable {
  readonly folder: string;
  readonly lab: Lab;
  /** The folder of `phux`. */
  readonly bin: string;
  /** The binary beside a `phux`, so that it needs no PATH. */
  readonly beside: string;

  private constructor(folder: string, lab: Lab, bin: string) {
    this.folder = folder;
    this.lab = lab;
    this.bin = bin;
    this.beside = join(bin, "phux-mcp");
  }

  /** `parent`: where the room's folder is made; open to every user where `open` is set. */
  static async open(parent = tmpdir(), open = false): Promise<Room> {
    const folder = mkdtempSync(join(parent, "phux-mcp-m-"));
    if (open) chmodSync(folder, 0o755);
    const socket = join(folder, "server", "phux.sock");
    mkdirSync(dirname(socket), { mode: 0o700 });
    const lab = await startLab({ socket, session: "main", home: folder, cwd: folder, shell: "/bin/sh" });
    const room = new Room(folder, lab, await installPhux(join(folder, "bin")));
    copyProgram(room.beside);
    return room;
  }

  /** A path in the room. */
  path(...names: string[]): string {
    return join(this.folder, ...names);
  }

  /** A new folder in the room, whatever the umask. */
  make(name: string, mode = 0o700): string {
    const path = this.path(name);
    mkdirSync(path, { recursive: true });
    chmodSync(path, mode);
    return path;
  }

  /** Makes the lab listen at another path as well: a second name of the same socket. */
  listenAt(path: string): string {
    mkdirSync(dirname(path), { recursive: true });
    linkSync(this.lab.socket, path);
    return path;
  }

  /** HOME LOGNAME PATH SHELL TERM USER: all that some hosts pass on. */
  six(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    const six = {
      HOME: this.folder,
      LOGNAME: "me",
      PATH: "/usr/bin:/bin",
      SHELL: "/bin/sh",
      TERM: "xterm",
      USER: "me",
    };
    return { ...six, ...more };
  }

  start(start: Start = {}): RawHost {
    const { env = this.six(), script, bin = this.beside, args = [], cwd = this.folder, stdio = "socket" } = start;
    if (script === undefined) return new RawHost({ bin, args, env, cwd, stdio });
    return new RawHost({ bin: "/bin/sh", args: ["-c", script, bin, ...args], env, cwd, stdio });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.lab.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A second name for the program, or a copy of it where the disk is another. */
export function copyProgram(path: string): string {
  try {
    linkSync(binary, path);
  } catch {
    copyFileSync(binary, path);
  }
  return path;
}

export async function ask(host: RawHost, tool: string, given: object = {}): Promise<Said> {
  const { result, error } = await host.request("tools/call", { name: tool, arguments: given }, 20_000);
  const text = result?.content?.[0]?.text;
  if (text === undefined) throw new Error(`${tool}: ${JSON.stringify(error)}`);
  return { text, isError: result?.isError === true };
}

/** The document of an answer that must be one. */
export async function document(host: RawHost, tool: string, given: object = {}): Promise<Record<string, unknown>> {
  const { text, isError } = await ask(host, tool, given);
  if (isError) throw new Error(`${tool} failed: ${text}`);
  return JSON.parse(text);
}

/** The whole service: a handshake, the list, a tool of each kind on the same server, silence beside them, an end of 0. */
export async function expectService(host: RawHost, socket: string, given: object = { socket }): Promise<void> {
  const { result } = await host.request("initialize", { protocolVersion: "2025-06-18", clientInfo: { name: "m" } });
  expect(result).toMatchObject({ protocolVersion: "2024-11-05", serverInfo: { name: "phux" } });
  const { tools } = (await host.request("tools/list")).result ?? {};
  expect(Array.isArray(tools) && tools.length > 50).toBe(true);
  expect(await document(host, "phux_ls", given)).toMatchObject({ sessions: [{ name: "main" }] });
  expect(await document(host, "phux_status", given)).toMatchObject({ running: true, socket });
  host.closeInput();
  expect(await host.ended()).toMatchObject({ code: 0 });
  expect(host.lines.filter(({ message }) => message === undefined)).toEqual([]);
  expect(host.stderr).toBe("");
}
