import { type CommandFailure, malformed, readDocument, readText } from "../cli/document.ts";
import { childEnvironment } from "../cli/environment.ts";
import { findPhux } from "../cli/find.ts";
import { runCommand } from "../cli/run.ts";
import type { Connection } from "../phux/connection.ts";
import type { Dialer } from "../phux/dial.ts";
import { type Refusal, refusalText, sentence } from "../phux/errors.ts";
import { stringifyDocument } from "../phux/json-number.ts";
import { Operations } from "../phux/operations.ts";
import { unknownTool } from "../text/nearest.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import type { RawArguments } from "./arguments.ts";
import { type Budget, budgetOf, budgetOverride } from "./budget.ts";
import type { Call } from "./call.ts";
import { fitDocument } from "./cut.ts";
import { parseExactly } from "./exact-json.ts";
import { childFailureText, failureText } from "./failure-text.ts";
import type { Place } from "./place.ts";
import { restOf } from "./rest.ts";
import type { Selection } from "./selection.ts";
import { fits } from "./shown.ts";
import { isMembers } from "./squeeze.ts";
import type { Document, Prepared, Tool } from "./tool.ts";
import { Turns } from "./turns.ts";

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

/** A caller in a line of others that do the same. */
interface Waiting extends Caller {
  /** Waits for its turn; a refusal when that does not come in time. */
  turn(): Promise<Refusal | null>;
}

/** Why a call's own signal is aborted when the call is over. */
const ENDED = "the call is over";
/** At this many bytes or characters what a step leaves behind is collected at once: the runtime would pile up several. */
const MUCH = 1024 * 1024;

type InProcessPrepared = Extract<Prepared, { readonly runs: "in-process" }>;
type CliPrepared = Extract<Prepared, { readonly runs: "cli" }>;

/** Runs tools by name: gate, arguments, work, and the text that fits the host that asked (tools.md sections 4 to 6). */
export class ToolRunner {
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #selection: Selection | null;
  readonly #place: Place;
  readonly #dialer: Dialer;
  readonly #operations = new Operations();
  readonly #turns = new Turns();

  /** `selection`: which of the tools are offered, null for all. */
  constructor(tools: readonly Tool[], place: Place, dialer: Dialer, selection: Selection | null = null) {
    const offered = tools.filter(({ name }) => selection === null || selection.names.has(name));
    this.#tools = new Map(offered.map((tool) => [tool.name, tool]));
    this.#selection = selection;
    this.#place = place;
    this.#dialer = dialer;
  }

  async run(name: string, raw: RawArguments, caller: Caller): Promise<Answer> {
    const override = budgetOverride(this.#place.environment["PHUX_MCP_MAX_RESULT_CHARS"]);
    const budget = budgetOf(caller.host?.name ?? null, override);
    const tool = this.#tools.get(name);
    if (tool === undefined)
      return failure(this.#selection?.refusal(name) ?? unknownTool(name, [...this.#tools.keys()]));
    const unconfirmed = tool.confirm?.(raw) ?? null;
    if (unconfirmed !== null) return failure(failureText(sentence(unconfirmed), budget));
    const prepared = tool.prepare(raw);
    if (!prepared.ok) return failure(failureText(prepared.error, budget));
    const { turn } = prepared.value;
    const place = turn === null ? null : this.#turns.enter(turn);
    const refusalOfTurn = async () => {
      if (turn === null || place === null || (await place.wait(caller.signal))) return null;
      return sentence(turn.refusal);
    };
    try {
      if (prepared.value.runs === "in-process") {
        return await this.#inProcess(tool, prepared.value, { ...caller, turn: refusalOfTurn }, budget);
      }
      const late = await refusalOfTurn();
      if (late !== null) return failure(failureText(late, budget));
      return await this.#overCli(tool, prepared.value, { ...caller, turn: async () => null }, budget);
    } finally {
      place?.leave();
    }
  }

  async #inProcess(tool: Tool, prepared: InProcessPrepared, caller: Waiting, budget: Budget): Promise<Answer> {
    const opened: Connection[] = [];
    const document = await this.#during(tool, caller, opened, prepared.run);
    if (!document.ok) return failure(failureText(document.error, budget));
    collectAfter(opened.reduce((sum, { bytesRead }) => sum + bytesRead, 0));
    const answer = this.#answer(tool, document.value, budget);
    collectAfter(answer.text.length);
    return answer;
  }

  /** Does something with a call of its own. What that opened ends with it, unless an operation that goes on keeps it. */
  async #during<T>(tool: Tool, caller: Waiting, opened: Connection[], work: (call: Call) => Promise<T>): Promise<T> {
    const ending = new AbortController();
    let kept = false;
    // A reason of our own: without one an exception is made each time, which costs more than all the rest of an abort.
    const end = () => ending.abort(ENDED);
    const letGo = () => caller.signal.removeEventListener("abort", end);
    const keep = () => {
      kept = true;
      letGo();
      return end;
    };
    caller.signal.addEventListener("abort", end, { once: true });
    if (caller.signal.aborted) end();
    try {
      return await work(this.#callOf(tool, caller, ending.signal, keep, opened));
    } finally {
      letGo();
      if (!kept) end();
    }
  }

  #callOf(tool: Tool, caller: Waiting, signal: AbortSignal, keep: Call["keep"], opened: Connection[]): Call {
    return {
      signal,
      environment: this.#place.environment,
      keep,
      operations: this.#operations,
      turn: caller.turn,
      progress: (message) => caller.progress(message),
      remark: (message) => this.#place.remark(`${tool.name}: ${message}`),
      connect: async (socket, deadline) => {
        const path = this.#place.socket(socket);
        if (!path.ok) return path;
        const connection = await this.#dialer.dial(path.value.path, signal, deadline);
        if (connection.ok) opened.push(connection.value);
        return connection;
      },
    };
  }

  async #overCli(tool: Tool, prepared: CliPrepared, caller: Waiting, budget: Budget): Promise<Answer> {
    const refused = prepared.guard === null ? null : await this.#during(tool, caller, [], prepared.guard);
    if (refused !== null) return failure(failureText(refused, budget));
    if (prepared.waitsFor !== null) caller.progress(prepared.waitsFor);
    const printed = await this.#child(tool, prepared, caller.signal);
    if (!printed.ok) return failure(childFailureText(printed.error, budget));
    const text = printed.value;
    if (prepared.whole !== null && !fits(text, budget)) {
      const size = `the document has ${text.length} characters, more than the ${budget.characters} that can be returned`;
      return failure(`${tool.name}: ${size}, and is of no use in part: ${prepared.whole}`);
    }
    // The child's own text keeps numbers that JavaScript would round, so it is only taken apart when it must change.
    if (prepared.finish === null && fits(text, budget)) return { text, isError: false };
    const parsed = parseExactly(text);
    // A bare list could not say that it was cut. No release prints one.
    const document = isMembers(parsed) ? parsed : { entries: parsed };
    const finished = prepared.finish === null ? document : prepared.finish(document);
    return this.#answer(tool, finished, budget);
  }

  #answer(tool: Tool, document: Document, budget: Budget): Answer {
    const general = `the oldest part was left out: ${restOf(tool)}`;
    return { text: fitDocument(document, tool.cuts ?? [], budget, general), isError: false };
  }

  /** The text of the child's document, or of its failure. */
  async #child(tool: Tool, prepared: CliPrepared, signal: AbortSignal): Promise<Result<string, string>> {
    const phux = findPhux(this.#place.environment, this.#place.self);
    if (!phux.ok) return fail(phux.error.message);
    const { argv: args, deadlineMs, socket } = prepared;
    // The child would connect to whatever stands there, so what we refuse for ourselves is refused for it.
    const chosen = prepared.reachesServer ? this.#place.socket(socket) : null;
    if (chosen?.ok === false) return fail(refusalText(chosen.error));
    const found = chosen?.value.found === true ? chosen.value.path : null;
    // Null hands our own environment on untouched.
    const environment = childEnvironment(this.#place.environment, { ofCall: socket ?? null, found });
    const ran = await runCommand({ path: phux.value.path, args, environment, deadlineMs }, signal);
    if (!ran.ok) return fail(ran.error.message);
    const answerExits = prepared.answerExits === "any" ? prepared.answerExits : new Set(prepared.answerExits);
    const expected = { verb: tool.verb ?? tool.name, answerExits, deadlineMs, instead: prepared.whole ?? restOf(tool) };
    if (prepared.read !== null) {
      const stdout = readText(ran.value, expected);
      const made = stdout.ok ? prepared.read(stdout.value) : null;
      if (made?.ok) return ok(stringifyDocument(made.value));
      return fail(childFailure(stdout.ok ? malformed(ran.value, expected, made?.error ?? "") : stdout.error));
    }
    const document = readDocument(ran.value, expected);
    if (document.ok) return ok(document.value.text);
    return fail(childFailure(document.error));
  }
}

function childFailure(failure: CommandFailure): string {
  return failure.kind === "document" ? failure.text : failure.message;
}

function collectAfter(size: number): void {
  if (size >= MUCH) Bun.gc(true);
}

function failure(text: string): Answer {
  return { text, isError: true };
}
