/** A pane whose program writes down every byte it gets, in raw mode: what was really typed. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Agent } from "../e2e/agent.ts";
import { SLACK, until } from "../e2e/raw-host.ts";

const MARK = "\u0001end\u0001";

export class Sink {
  readonly pane: string;
  readonly #agent: Agent;
  readonly #file: string;
  #read = 0;

  private constructor(agent: Agent, pane: string, file: string) {
    this.#agent = agent;
    this.pane = pane;
    this.#file = file;
  }

  /** `modes`: what the program asks its terminal for before it reads, such as bracketed paste. */
  static async open(agent: Agent, name: string, modes = ""): Promise<Sink> {
    const file = join(agent.folder, `${name}.bytes`);
    const script = `stty raw -echo; printf 'ready${modes}'; exec cat > '${file}'`;
    const pane = await agent.session(name, ["/bin/sh", "-c", script], "ready");
    return new Sink(agent, pane, file);
  }

  /** What came since the last look, as latin1: one character a byte. All that was sent before has arrived. */
  async taken(): Promise<string> {
    await this.#agent.call("phux_paste", { target: this.pane, text: MARK });
    const all = () => readFileSync(this.#file, "latin1");
    const found = await until(
      () => {
        const at = all().indexOf(MARK, this.#read);
        return at < 0 ? null : { at };
      },
      "the end of what was typed",
      10_000 * SLACK,
    );
    const text = all().slice(this.#read, found.at);
    this.#read = found.at + MARK.length;
    // The mark is a paste too, so a program that asked for brackets gets them around it.
    if (all().startsWith("\u001b[201~", this.#read)) this.#read += 6;
    return text.endsWith("\u001b[200~") ? text.slice(0, -6) : text;
  }
}

/** A text as its UTF-8 bytes, one character a byte. */
export function bytesOf(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}
