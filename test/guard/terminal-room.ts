// Terminals of a lab, with the guarded tools on one side and a client of the test's own on the other.
import type { GuardedCall, GuardTool } from "../../src/guard/tool.ts";
import type { LabOptions } from "../lab/options.ts";
import { until } from "../lab/phux/workbench.ts";
import { LabRoom } from "../tools/lab-room.ts";
import { GuardBench } from "./guard-call.ts";

export { until } from "../lab/phux/workbench.ts";

export class TerminalRoom {
  readonly lab: LabRoom;
  readonly bench: GuardBench;

  private constructor(lab: LabRoom, bench: GuardBench) {
    this.lab = lab;
    this.bench = bench;
  }

  /** A server with the session `main` (1), whose shell in @1 stands at its prompt. */
  static async open(
    tools: readonly GuardTool[],
    options: Partial<LabOptions> = {},
    special: Partial<GuardedCall> = {},
  ): Promise<TerminalRoom> {
    const lab = await LabRoom.open([], options);
    const room = new TerminalRoom(lab, new GuardBench(tools, lab.scene.lab.socket, special));
    await room.prompt("@1");
    return room;
  }

  get folder(): string {
    return this.lab.scene.folder;
  }

  /** A session of its own with a shell at its prompt: its id, and the pane's. */
  async session(name: string): Promise<{ readonly id: number; readonly pane: string }> {
    const made = await this.lab.session(name);
    await this.prompt(made.pane);
    return made;
  }

  /** Types into a pane as a keyboard would. */
  type(pane: string, text: string): void {
    this.#pane(pane).terminal.write(new TextEncoder().encode(text));
  }

  /** What stands on a pane's screen now. */
  async screen(pane: string): Promise<string> {
    const terminal_id = { tag: "local", id: Number(pane.slice(1)) } as const;
    const result = await this.lab.witness.command({
      tag: "GET_SCREEN",
      terminal_id,
      request_scrollback: 0,
      cells: false,
    });
    if (result.tag !== "ok_with" || result.value.tag !== "json") throw new Error(Bun.inspect(result));
    const { scrollback, lines } = JSON.parse(result.value.json);
    return [...scrollback, ...lines].join("\n").trimEnd();
  }

  async shows(pane: string, form: RegExp): Promise<void> {
    await until(async () => form.test(await this.screen(pane)));
  }

  prompt(pane: string): Promise<void> {
    return this.shows(pane, /[$%#] *$/);
  }

  #pane(name: string) {
    const pane = this.lab.scene.lab.server.panes.get(Number(name.slice(1)));
    if (pane === undefined) throw new Error(`no pane ${name}`);
    return pane;
  }

  end(): Promise<void> {
    return this.lab.end();
  }
}
