// Calls of tools as the engine makes them, on a place of the test's own.
import { join } from "node:path";
import { Dialer } from "../../src/phux/dial.ts";
import { catalog } from "../../src/tools/catalog.ts";
import type { Place } from "../../src/tools/place.ts";
import { type Answer, ToolRunner } from "../../src/tools/runner.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { fail, ok } from "../../src/wire/result.ts";
import type { FakeServer } from "../phux/fake-server.ts";

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly host?: string;
}

/** A runner with the sockets it was asked for, the remarks it made and the progress it told. */
export class Bench {
  readonly remarks: string[] = [];
  readonly progress: string[] = [];
  readonly asked: (string | undefined)[] = [];
  readonly #runner: ToolRunner;

  constructor(socket: string | null, special: Partial<Place> = {}, tools: readonly Tool[] = catalog) {
    const place: Place = {
      environment: {},
      self: "/nowhere/phux-mcp",
      socket: (argument) => {
        this.asked.push(argument);
        const path = argument ?? socket;
        if (path === null) return fail({ code: null, message: "no socket in this test", remedy: "", exitCode: 1 });
        return ok({ path, origin: "argument", found: true });
      },
      remark: (line) => this.remarks.push(line),
      ...special,
    };
    this.#runner = new ToolRunner(tools, place, new Dialer("phux-mcp/test"));
  }

  call(name: string, args: Readonly<Record<string, unknown>> = {}, options: CallOptions = {}): Promise<Answer> {
    return this.#runner.run(name, args, {
      signal: options.signal ?? new AbortController().signal,
      host: options.host === undefined ? null : { name: options.host },
      progress: (message) => this.progress.push(message),
    });
  }

  /** The document of a call that must succeed. */
  async document(name: string, args: Readonly<Record<string, unknown>> = {}, options?: CallOptions): Promise<unknown> {
    const { text, isError } = await this.call(name, args, options);
    if (isError) throw new Error(`${name} failed: ${text}`);
    return JSON.parse(text);
  }

  /** The text of a call that must fail. */
  async failure(name: string, args: Readonly<Record<string, unknown>> = {}, options?: CallOptions): Promise<string> {
    const { text, isError } = await this.call(name, args, options);
    if (!isError) throw new Error(`${name} did not fail: ${text}`);
    return text;
  }

  /** Code and exit of a call that must fail with an error document. */
  async code(name: string, args: Readonly<Record<string, unknown>> = {}): Promise<[code: string, exit: number]> {
    const text = await this.failure(name, args);
    const document: unknown = JSON.parse(text);
    if (!isErrorDocument(document)) throw new Error(`no error document: ${text}`);
    if (document.remedy === "" || document.error.message === "") throw new Error(`says nothing: ${text}`);
    return [document.error.code, document.exit_code];
  }
}

export const benchOn = (server: FakeServer) => new Bench(server.socket);

interface ErrorDocument {
  readonly schema_version: 1;
  readonly error: { readonly code: string; readonly message: string };
  readonly remedy: string;
  readonly exit_code: number;
}

/** The four members of an error document and no other (client.md 0.3). */
export function isErrorDocument(value: unknown): value is ErrorDocument {
  if (typeof value !== "object" || value === null) return false;
  if (Object.keys(value).join() !== "schema_version,error,remedy,exit_code") return false;
  const { error, remedy, exit_code: exit } = Object.fromEntries(Object.entries(value));
  const named = typeof error === "object" && error !== null && "code" in error && "message" in error;
  return named && typeof remedy === "string" && typeof exit === "number";
}

/** The project's own folder. */
export const root = join(import.meta.dir, "..", "..");
