/** A host with manners: the SDK's own client on the compiled binary, with the lab's server and `phux` behind it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { LabOptions } from "../lab/options.ts";
import { installPhux } from "../lab/phux/install.ts";
import { type Lab, startLab } from "../lab/server.ts";
import { binary } from "./binary.ts";
import { SLACK } from "./raw-host.ts";

export type Document = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

/** One lab, one binary, one client, one temp folder; `await using` ends all four. */
export class Agent implements AsyncDisposable {
  readonly folder: string;
  readonly lab: Lab;
  readonly client: Client;

  private constructor(folder: string, lab: Lab, client: Client) {
    this.folder = folder;
    this.lab = lab;
    this.client = client;
  }

  static async start(options: Partial<LabOptions> = {}, host = "test-host"): Promise<Agent> {
    const folder = mkdtempSync(join(tmpdir(), "phux-mcp-e2e-"));
    const lab = await startLab({
      socket: join(folder, "phux.sock"),
      home: folder,
      cwd: folder,
      shell: "/bin/sh",
      ...options,
    });
    const path = `${await installPhux(join(folder, "bin"))}:${process.env["PATH"] ?? ""}`;
    const client = new Client({ name: host, version: "1.0.0" });
    const env = { PATH: path, HOME: folder, PHUX_SOCKET: lab.socket, TERM: "xterm-256color", LANG: "C.UTF-8" };
    await client.connect(new StdioClientTransport({ command: binary, args: [], env, stderr: "ignore" }));
    return new Agent(folder, lab, client);
  }

  /** The process of the binary. */
  get pid(): number {
    const { transport } = this.client;
    return transport instanceof StdioClientTransport ? (transport.pid ?? 0) : 0;
  }

  async answer(name: string, given: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
    const result = await this.client.callTool({ name, arguments: { ...given } }, undefined, { timeout: 60_000 });
    const [block] = Array.isArray(result.content) ? result.content : [];
    const text: unknown = block?.text;
    if (typeof text !== "string") throw new Error(`${name} gave no text: ${JSON.stringify(result)}`);
    return { text, isError: result.isError === true };
  }

  /** The document of a call that must succeed. */
  async call(name: string, given: Readonly<Record<string, unknown>> = {}): Promise<Document> {
    const { text, isError } = await this.answer(name, given);
    if (isError) throw new Error(`${name} failed: ${text}`);
    return JSON.parse(text);
  }

  /** The error document of a call that must fail with a code. */
  async refusal(name: string, given: Readonly<Record<string, unknown>> = {}): Promise<{ code: string; exit: number }> {
    const { text, isError } = await this.answer(name, given);
    if (!isError) throw new Error(`${name} succeeded: ${text}`);
    const document: { error: { code: string }; remedy: string; exit_code: number } = JSON.parse(text);
    if (!document.remedy) throw new Error(`no remedy: ${text}`);
    return { code: document.error.code, exit: document.exit_code };
  }

  /** A new session whose pane runs this program, at its prompt; gives the pane as `@N`. */
  async session(name: string, command: readonly string[], prompt = "$"): Promise<string> {
    const { terminal_id } = await this.call("phux_new", { name, command });
    const pane = `@${terminal_id}`;
    await this.sees(pane, prompt);
    return pane;
  }

  /** Waits, by looking at the screen, until a text stands somewhere in it; the echo of what was typed counts. */
  sees(pane: string, text: string): Promise<void> {
    return this.#looks(pane, JSON.stringify(text), (row) => row.includes(text));
  }

  /** Waits until a whole row is this text: the output of a program, not the echo of the line that asks for it. */
  seesRow(pane: string, row: string): Promise<void> {
    return this.#looks(pane, `the row ${JSON.stringify(row)}`, (seen) => seen === row);
  }

  async #looks(pane: string, what: string, isIt: (row: string) => boolean): Promise<void> {
    const deadline = performance.now() + 10_000 * SLACK;
    for (;;) {
      const { lines } = await this.call("phux_snapshot", { target: pane, unwrap: true });
      if (Array.isArray(lines) && lines.map(String).some(isIt)) return;
      if (performance.now() > deadline) throw new Error(`${what} did not appear in ${pane}: ${JSON.stringify(lines)}`);
      await Bun.sleep(20);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    await this.lab.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
