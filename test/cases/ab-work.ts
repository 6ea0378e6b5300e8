/** What the adapter can be doing when something happens to it: nothing, a child that hangs, a wait on a server. */
import { type Adapter, PhuxScript } from "../e2e/phux-script.ts";
import { type RawHost, SLACK, until } from "../e2e/raw-host.ts";
import { FakeServer } from "../phux/fake-server.ts";
import { SmallPhux } from "../phux/small-phux.ts";

export interface Work {
  readonly name: string;
  /** Has it started under an id, and resolves when all of it runs. The adapter is what the host started, or below it. */
  start(host: RawHost, id: string | number, adapter?: Adapter): Promise<unknown>;
  /** Whether all of it has ended. */
  over(adapter: Adapter): boolean;
}

/** A phux to work with: an executable whose `status --socket /slow` never ends, and a server whose @1 stands still. */
export class WorkPlace implements Disposable {
  readonly script = new PhuxScript();
  readonly phux = new SmallPhux();
  readonly server = new FakeServer({ script: this.phux.script });
  readonly env: Readonly<Record<string, string>> = {
    PATH: `${this.script.folder}:/usr/bin:/bin`,
    HOME: this.script.folder,
    LANG: "C.UTF-8",
    PHUX_SOCKET: this.server.socket,
  };

  readonly nothing: Work = { name: "idle", start: async () => {}, over: () => true };
  /** A child with a child of its own. */
  readonly child: Work = {
    name: "in a call over the CLI",
    start: (host, id, adapter = host) => {
      host.call(id, "phux_status", { socket: "/slow" });
      return this.script.begun(adapter);
    },
    over: (adapter) => this.script.over(adapter),
  };
  readonly wait: Work = {
    name: "in a wait on the server",
    start: (host, id) => {
      const before = this.#looks();
      host.call(id, "phux_wait", { target: "@1", until: "never there", timeout_secs: 600 });
      return until(() => this.#looks() > before, "the first look of the wait", 5000 * SLACK);
    },
    over: () => this.server.open === 0,
  };
  readonly all: readonly Work[] = [this.nothing, this.child, this.wait];

  #looks(): number {
    return this.server.commands.filter(({ tag }) => tag === "GET_SCREEN").length;
  }

  [Symbol.dispose](): void {
    this.script.remove();
    this.server.close();
  }
}
