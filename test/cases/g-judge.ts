/** Judges calls by what comes of them: refused by the name of an argument, or let through to a server or a `phux`. */
import { expect } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { PhuxScript } from "../e2e/phux-script.ts";
import { FakeServer } from "../phux/fake-server.ts";
import { members } from "./g-json-schema.ts";
import { ask, askText, type Given, hostWith, type Said } from "./gh-host.ts";

type Answer = Pick<Said, "text" | "isError">;

/** The argument that a refusal names; null when the arguments were let through. */
export function complaint({ text, isError }: Answer): string | null {
  if (!isError) return null;
  const plain = text.startsWith("{") ? String(members(JSON.parse(text)["error"])["message"]) : text;
  const named =
    /^phux_\w+(?:: | has no argument | needs the argument )("(?:[^"\\]|\\.)*")…?(?: entry \S+)?(?: must |;|$)/.exec(
      plain,
    );
  if (named?.[1] !== undefined) return String(JSON.parse(named[1]));
  return /^phux_\w+ (with .* )?is destructive: it must be called with confirm: true/.test(plain) ? "confirm" : null;
}

export class Judge implements Disposable {
  /** Cuts every connection off after its first request. */
  readonly #server = new FakeServer({ script: (_, client) => client.end() });
  readonly #phux = new PhuxScript();
  readonly #started = join(this.#phux.folder, "started");
  readonly host;

  constructor() {
    this.#phux.behave(`: > '${this.#started}'; printf '{"schema_version":1}'`);
    this.host = hostWith({ socket: this.#server.socket, path: this.#phux.folder });
  }

  /** The answers to calls that are made at once. */
  answers(tool: string, calls: readonly Given[]): Promise<Said[]> {
    return Promise.all(calls.map((given) => ask(this.host, tool, given)));
  }

  /** None of the calls is refused for its arguments. */
  async passes(tool: string, calls: readonly Given[]): Promise<void> {
    for (const [at, answer] of (await this.answers(tool, calls)).entries()) {
      const { text } = answer;
      expect({ given: calls[at], text, refused: complaint(answer) }).toEqual({ given: calls[at], text, refused: null });
    }
  }

  /** Each call is refused by the name beside it, and nothing is opened or started for any of them. */
  refuses(tool: string, calls: readonly (readonly [given: Given, name: string])[]): Promise<void> {
    return this.refusesTexts(
      tool,
      calls.map(([given, name]) => [JSON.stringify(given), name] as const),
    );
  }

  /** The same for arguments as JSON text. */
  async refusesTexts(tool: string, calls: readonly (readonly [given: string, name: string])[]): Promise<void> {
    rmSync(this.#started, { force: true });
    const before = this.#server.clients.length;
    const answers = await Promise.all(calls.map(([given]) => askText(this.host, tool, given)));
    for (const [at, answer] of answers.entries()) {
      const [given, name] = calls[at] ?? ["", ""];
      const short = { given: given.slice(0, 500), text: answer.text };
      expect({ ...short, refused: complaint(answer) }).toEqual({ ...short, refused: name });
    }
    expect([this.#server.clients.length, existsSync(this.#started)]).toEqual([before, false]);
  }

  [Symbol.dispose](): void {
    this.host[Symbol.dispose]();
    this.#server.close();
    this.#phux.remove();
  }
}
