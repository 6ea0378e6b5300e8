/** Servers, and a `phux`, that let a call wait for as long as the contract has it: all of them at the same time. */
import { encodeFrame } from "../../src/wire/frame.ts";
import type { PhuxScript } from "../e2e/phux-script.ts";
import { FakeServer } from "../phux/fake-server.ts";
import { admitting, chatter, Dripping, unfinished } from "./c-servers.ts";
import { callsOverTheCli, type ToolCall } from "./cd-every-tool.ts";
import { type Answer, Host } from "./cd-host.ts";

export interface Asked extends ToolCall, Answer {}

/** All of these calls at once. */
export const askAll = (host: Host, calls: readonly ToolCall[]): Promise<Asked[]> =>
  Promise.all(calls.map(async (call) => ({ ...call, ...(await host.call(call.tool, call.given)) })));

export interface Wait {
  readonly host: Host;
  readonly server: FakeServer;
  readonly asked: Promise<Asked[]>;
}

/** Each names /slow, at which the script hangs, and its child with it. */
const hanging = callsOverTheCli.map(({ tool, given }): ToolCall => {
  if (tool === "phux_launch") return { tool, given: { integration: "/slow" } };
  return { tool, given: { ...given, [tool === "phux_project_inspect" ? "path" : "socket"]: "/slow" } };
});

export class Waits implements Disposable {
  readonly #waits = new Map<string, Wait>();
  readonly #dripping = new Dripping();
  /** The host whose `phux` hangs, and what it was told; null before `start`. */
  overCli: { readonly host: Host; readonly asked: Promise<Asked[]>; readonly answered: Promise<Asked[]> } | null = null;

  /** Begins to wait for all of them. `bySocket` are calls of every tool that speaks to the server itself. */
  async start(bySocket: readonly ToolCall[], phux: PhuxScript): Promise<void> {
    const some = new Set(["phux_ls", "phux_snapshot", "phux_mail_read", "phux_wait", "phux_resource_wait"]);
    const reading = bySocket.filter(({ tool }) => some.has(tool));
    // A new pane has a minute, which no test waits for.
    const shorter = bySocket.filter(({ tool, given }) => tool !== "phux_spawn" || "target" in given);
    const ignoring = admitting(() => {});
    const slow = new FakeServer();
    slow.hello = (_, client) => this.#dripping.bytes(client, 200, encodeFrame(slow.helloOk()));
    const parts = admitting((_, client) => this.#dripping.bytes(client, 50, unfinished));
    // Its pings are answered, and those answers are no reason to say even more.
    const chatty = admitting((frame, client) => {
      if (frame.name !== "PONG") this.#dripping.start(client, 50, () => chatter);
    });
    await this.#wait("never greets", new FakeServer({ hello: () => {} }), bySocket);
    await this.#wait("never answers", ignoring, shorter);
    await this.#wait("greets a byte at a time", slow, bySocket);
    await this.#wait("answers a byte at a time", parts, reading);
    await this.#wait("talks of something else", chatty, reading);
    const host = new Host({ env: { PHUX_SOCKET: "/none", PATH: `${phux.folder}:/usr/bin:/bin` } });
    const after = ["phux_run", "phux_agent_wait"].map((tool) => callsOverTheCli.find((call) => call.tool === tool));
    const answering = after.flatMap((call) => (call === undefined ? [] : [call]));
    const answered = askAll(
      host,
      answering.map(({ tool, given }) => ({ tool, given: { ...given, socket: "/after" } })),
    );
    this.overCli = { host, asked: askAll(host, hanging), answered };
  }

  async #wait(what: string, server: FakeServer, calls: readonly ToolCall[]): Promise<void> {
    const host = new Host({ env: { PHUX_SOCKET: server.socket } });
    await host.started;
    this.#waits.set(what, { host, server, asked: askAll(host, calls) });
  }

  of(what: string): Wait {
    const wait = this.#waits.get(what);
    if (wait === undefined) throw new Error(`nobody ${what}`);
    return wait;
  }

  [Symbol.dispose](): void {
    this.#dripping[Symbol.dispose]();
    this.overCli?.host[Symbol.dispose]();
    for (const { host, server } of this.#waits.values()) {
      host[Symbol.dispose]();
      server.close();
    }
  }
}
