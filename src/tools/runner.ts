import { readDocument } from "../cli/document.ts";
import { childEnvironment } from "../cli/environment.ts";
import { findPhux } from "../cli/find.ts";
import { runCommand } from "../cli/run.ts";
import type { Connection } from "../phux/connection.ts";
import type { Dialer } from "../phux/dial.ts";
import { type Refusal, refusalText, sentence } from "../phux/errors.ts";
import { unknownTool } from "../text/nearest.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import type { RawArguments } from "./arguments.ts";
import { type Budget, budgetOf, budgetOverride } from "./budget.ts";
import type { Call } from "./call.ts";
import { fitDocument } from "./cut.ts";
import { parseExactly } from "./exact-json.ts";
import type { Place } from "./place.ts";
import type { Prepared, Tool } from "./tool.ts";

/** A finished call: the text of its one block, and whether it tells of a failure. */
export interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

/** What the engine gives a call. */
export interface Caller {
  readonly signal: AbortSignal;
  readonly host: { readonly name: string } | null;
  progress(message: string): void;
}

type CliPrepared = Extract<Prepared, { readonly runs: "cli" }>;

/** Runs tools by name: gate, arguments, work, and the text that fits the host that asked (tools.md sections 4 to 6). */
export class ToolRunner {
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #place: Place;
  readonly #dialer: Dialer;

  constructor(tools: readonly Tool[], place: Place, dialer: Dialer) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#place = place;
    this.#dialer = dialer;
  }

  async run(name: string, raw: RawArguments, caller: Caller): Promise<Answer> {
    const tool = this.#tools.get(name);
    if (tool === undefined) return failure(sentence(unknownTool(name, [...this.#tools.keys()])));
    const unconfirmed = tool.confirm?.(raw) ?? null;
    if (unconfirmed !== null) return failure(sentence(unconfirmed));
    const prepared = tool.prepare(raw);
    if (!prepared.ok) return failure(prepared.error);
    const budget = budgetOf(
      caller.host?.name ?? null,
      budgetOverride(this.#place.environment["PHUX_MCP_MAX_RESULT_CHARS"]),
    );
    if (prepared.value.runs === "in-process") return this.#inProcess(tool, prepared.value, caller, budget);
    return this.#overCli(tool, prepared.value, caller, budget);
  }

  async #inProcess(
    tool: Tool,
    prepared: Extract<Prepared, { readonly runs: "in-process" }>,
    caller: Caller,
    budget: Budget,
  ): Promise<Answer> {
    const open: Connection[] = [];
    const call: Call = {
      signal: caller.signal,
      progress: (message) => caller.progress(message),
      remark: (message) => this.#place.remark(`${tool.name}: ${message}`),
      connect: async (socket) => {
        const path = this.#place.socket(socket);
        if (!path.ok) return path;
        const connection = await this.#dialer.dial(path.value.path, caller.signal);
        if (connection.ok) open.push(connection.value);
        return connection;
      },
    };
    try {
      const document = await prepared.run(call);
      if (!document.ok) return failure(document.error);
      return { text: fitDocument(document.value, tool.cuts ?? [], budget), isError: false };
    } finally {
      for (const connection of open) connection.close();
    }
  }

  async #overCli(tool: Tool, prepared: CliPrepared, caller: Caller, budget: Budget): Promise<Answer> {
    if (prepared.waitsFor !== null) caller.progress(prepared.waitsFor);
    const outcome = await this.#child(tool, prepared, caller.signal);
    if (!outcome.ok) return failure(outcome.error);
    const { text, value } = outcome.value;
    const inside = text.length <= budget.characters && text.split("\n", budget.lines + 1).length <= budget.lines;
    // The child's own text keeps numbers that JavaScript would round, so it is only taken apart when it must change.
    if (prepared.finish === null && inside) return { text, isError: false };
    const document = parseExactly(text) ?? value;
    if (typeof document !== "object" || document === null || Array.isArray(document)) return { text, isError: false };
    const members: Readonly<Record<string, unknown>> = { ...document };
    const finished = prepared.finish === null ? members : prepared.finish(members);
    return { text: fitDocument(finished, tool.cuts ?? [], budget), isError: false };
  }

  async #child(
    tool: Tool,
    prepared: CliPrepared,
    signal: AbortSignal,
  ): Promise<Result<{ readonly text: string; readonly value: unknown }, Refusal>> {
    const phux = findPhux(this.#place.environment, this.#place.self);
    if (!phux.ok) return fail(sentence(phux.error.message));
    // Null hands our own environment on untouched.
    const environment = childEnvironment(this.#place.environment, {
      ofCall: prepared.socket ?? null,
      found: this.#place.defaultSocket(),
    });
    const ran = await runCommand(
      {
        path: phux.value.path,
        args: prepared.argv,
        environment,
        deadlineMs: prepared.deadlineMs,
      },
      signal,
    );
    if (!ran.ok) return fail(sentence(ran.error.message));
    const answerExits = prepared.answerExits === "any" ? prepared.answerExits : new Set(prepared.answerExits);
    const verb = tool.verb ?? tool.name;
    const document = readDocument(ran.value, { verb, answerExits, deadlineMs: prepared.deadlineMs });
    if (document.ok) return ok(document.value);
    return fail(sentence(document.error.kind === "document" ? document.error.text : document.error.message));
  }
}

function failure(refusal: Refusal): Answer {
  return { text: refusalText(refusal), isError: true };
}
