/** The compiled binary as one host has it: under a name, with an environment of its own, every answer timed. */
import { tmpdir } from "node:os";
import { binary } from "../e2e/binary.ts";
import { type Message, RawHost, SLACK } from "../e2e/raw-host.ts";
import { type Members, members } from "../wire/vector.ts";

export interface Answer {
  readonly text: string;
  readonly isError: boolean;
  /** Milliseconds from the call to its answer. */
  readonly ms: number;
}

export interface HostOptions {
  /** What it calls itself in `initialize`; null for one that gives no name. */
  readonly name?: string | null;
  readonly env?: Readonly<Record<string, string>>;
}

/** An answer may take this long before a test gives it up: longer than every limit of the contract but a wait's own. */
const PATIENCE_MS = 40_000;

export class Host implements Disposable {
  readonly raw: RawHost;
  /** Milliseconds from the start of the program to each of the two first replies. */
  readonly started: Promise<{ readonly initialize: number; readonly list: number }>;
  #id = 0;

  constructor({ name = "someone", env = {} }: HostOptions = {}) {
    const whole = { PATH: "/usr/bin:/bin", HOME: tmpdir(), LANG: "C.UTF-8", ...env };
    this.raw = new RawHost({ bin: binary, env: whole });
    const clientInfo = name === null ? undefined : { name, version: "1" };
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
    this.raw.send({ jsonrpc: "2.0", id: "i", method: "initialize", params });
    this.raw.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    this.raw.send({ jsonrpc: "2.0", id: "l", method: "tools/list" });
    this.started = this.#start();
  }

  async #start(): Promise<{ initialize: number; list: number }> {
    await this.raw.reply("l");
    const at = (id: string) => this.raw.lines.find(({ message }) => message?.id === id)?.at ?? Number.NaN;
    return { initialize: at("i"), list: at("l") };
  }

  /** A call that is not waited for; gives its id. */
  begin(tool: string, given: Members = {}): string {
    const id = `call ${this.#id++}`;
    this.raw.call(id, tool, given);
    return id;
  }

  /** The answer to a call, once it is there. */
  async ended(id: string, began = performance.now()): Promise<Answer> {
    return answerOf(await this.raw.reply(id, PATIENCE_MS * SLACK), performance.now() - began);
  }

  /** Whether a call is still without an answer. */
  runs(id: string): boolean {
    return !this.raw.messages.some((message) => message.id === id);
  }

  async call(tool: string, given: Members = {}): Promise<Answer> {
    const began = performance.now();
    return this.ended(this.begin(tool, given), began);
  }

  /** The answer to a call whose arguments are this text: JSON as no serialiser would write it. */
  written(tool: string, args: string): Promise<Answer> {
    const [id, began] = [`call ${this.#id++}`, performance.now()];
    const params = `{"name":${JSON.stringify(tool)},"arguments":${args}}`;
    this.raw.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"tools/call","params":${params}}\n`);
    return this.ended(id, began);
  }

  /** The document of a call that must succeed. */
  async document(tool: string, given: Members = {}): Promise<Members> {
    const { text, isError } = await this.call(tool, given);
    if (isError) throw new Error(`${tool} failed: ${text.slice(0, 2_000)}`);
    return members(JSON.parse(text));
  }

  /** The text of a call that must fail. */
  async failure(tool: string, given: Members = {}): Promise<string> {
    const { text, isError } = await this.call(tool, given);
    if (!isError) throw new Error(`${tool} did not fail: ${text.slice(0, 2_000)}`);
    return text;
  }

  [Symbol.dispose](): void {
    this.raw[Symbol.dispose]();
  }
}

function answerOf({ result, error }: Message, ms: number): Answer {
  const text = result?.content?.[0]?.text;
  if (text === undefined) throw new Error(`no result but ${JSON.stringify(error ?? result)}`);
  return { text, isError: result?.isError === true, ms };
}
