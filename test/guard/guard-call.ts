// Guarded tools run against a real lab: the connection is real, and the person is a script that keeps what was asked.

import type { Environment } from "../../src/cli/environment.ts";
import type { Asker, Request } from "../../src/guard/request.ts";
import type { GuardedCall, GuardTool } from "../../src/guard/tool.ts";
import { Dialer } from "../../src/phux/dial.ts";
import { type Refusal, refusalText, sentence } from "../../src/phux/errors.ts";
import type { Document } from "../../src/tools/tool.ts";
import { fail, type Result } from "../../src/wire/result.ts";

type Members = Readonly<Record<string, unknown>>;

/** What the person says to a request, and what happens before they say it. */
export type Person = (asked: Omit<Request, "asker">) => Refusal | null | Promise<Refusal | null>;

export const yes: Person = () => null;
export const no: Person = () => sentence("the person said no");

/** A caller of these tools, whose `requests` are those that reached the person. */
export class GuardBench {
  readonly requests: Omit<Request, "asker">[] = [];
  readonly progress: string[] = [];
  person: Person = yes;
  asker: Asker = { client: "test", pid: 1, tab: { terminal: "@1", group: "1" } };
  readonly #tools: readonly GuardTool[];
  readonly #socket: string;
  readonly #special: Partial<GuardedCall>;
  readonly #dialer = new Dialer("phux-mcp/test");

  constructor(tools: readonly GuardTool[], socket: string, special: Partial<GuardedCall> = {}) {
    this.#tools = tools;
    this.#socket = socket;
    this.#special = special;
  }

  /** One call; what it opened is closed when it is over. */
  async call(name: string, args: Members = {}, signal?: AbortSignal): Promise<Result<Document, Refusal>> {
    const tool = this.#tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    const ending = new AbortController();
    const end = () => ending.abort();
    signal?.addEventListener("abort", end);
    const environment: Environment = {};
    try {
      return await tool.run(args, {
        asker: this.asker,
        signal: ending.signal,
        environment,
        guardSocket: "/nowhere/guard.sock",
        self: "/nowhere/phux-mcp",
        connect: (deadline) => this.#dialer.dial(this.#socket, ending.signal, deadline),
        permit: async (request) => {
          this.requests.push(request);
          return this.person(request);
        },
        progress: (message) => this.progress.push(message),
        ...this.#special,
      });
    } finally {
      signal?.removeEventListener("abort", end);
      ending.abort();
    }
  }

  /** The document of a call that must succeed. */
  async document(name: string, args: Members = {}): Promise<Members> {
    const answer = await this.call(name, args);
    if (!answer.ok) throw new Error(`${name} failed: ${refusalText(answer.error)}`);
    return { ...answer.value };
  }

  /** The refusal of a call that must fail. */
  async refusal(name: string, args: Members = {}): Promise<Refusal> {
    const answer = await this.call(name, args);
    if (answer.ok) throw new Error(`${name} did not fail: ${JSON.stringify(answer.value)}`);
    return answer.error;
  }
}

/** A call without a server, for what must be refused before anything is opened. */
export const nowhere: Partial<GuardedCall> = { connect: async () => fail(sentence("nothing is opened in this test")) };
