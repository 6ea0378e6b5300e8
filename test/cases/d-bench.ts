/** A real server with real shells, its `phux`, and hosts on it: where the advice of an answer is really followed. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { LabOptions } from "../lab/options.ts";
import { installPhux } from "../lab/phux/install.ts";
import { type Stage, stage } from "../lab/stage.ts";
import type { Members } from "../wire/vector.ts";
import { Host, type HostOptions } from "./cd-host.ts";

export class Bench implements AsyncDisposable {
  readonly stage: Stage;
  readonly #path: string;
  readonly #hosts: Host[] = [];
  #files = 0;

  private constructor(on: Stage, path: string) {
    this.stage = on;
    this.#path = path;
  }

  /** Panes @1 and @2 run a shell; @2 is where commands are run. */
  static async open(options: Partial<LabOptions> = {}): Promise<Bench> {
    const on = await stage(options);
    const path = `${await installPhux(join(on.folder, "bin"))}:${process.env["PATH"] ?? "/usr/bin:/bin"}`;
    const bench = new Bench(on, path);
    const shell = ["/usr/bin/env", `PATH=${path}`, "/bin/sh"];
    await bench.host({}).document("phux_spawn", { command: shell });
    return bench;
  }

  host({ name, env = {} }: HostOptions): Host {
    const own = { PATH: this.#path, HOME: this.stage.folder, PHUX_SOCKET: this.stage.lab.socket };
    const host = new Host({ ...(name !== undefined && { name }), env: { ...own, ...env } });
    this.#hosts.push(host);
    return host;
  }

  /** The file that the command number so many wrote. */
  file(number: number): string {
    return join(this.stage.folder, `out-${number}`);
  }

  /** What the command in the hint of a cut document writes, `target` in its place; run in a pane as an agent would. */
  async follow(host: Host, document: Members, target: string): Promise<string> {
    const hint = String(document["truncated_hint"]);
    const [, command] = /`(phux [^`]+) > FILE`/.exec(hint) ?? [];
    if (command === undefined) throw new Error(`no command in ${hint}`);
    const file = this.file(this.#files++);
    const line = `${command.replace(/TARGET|PATH/, target).replace("FORMAT", "html")} > ${file}`;
    const ran = await host.document("phux_run", { target: "@2", command: line, timeout_secs: 30 });
    // The checks of doctor may fail, which is an answer.
    if (ran["exit_code"] !== 0 && !command.startsWith("phux doctor"))
      throw new Error(`${line}: ${JSON.stringify(ran)}`);
    return readFileSync(file, "utf8");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const host of this.#hosts) host[Symbol.dispose]();
    await this.stage.end();
  }
}
