import type { Refusal } from "../phux/errors.ts";
import { isMutating, type MethodName, methods } from "../phux/method.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import type { Argument, Arguments, Given, RawArguments } from "./arguments.ts";
import { parseArguments } from "./arguments.ts";
import type { Call } from "./call.ts";
import type { Cut } from "./cut.ts";
import type { SetName } from "./selection.ts";
import type { Turn } from "./turns.ts";

/** A result document. `bigint` members are written as exact digits. */
export type Document = Readonly<Record<string, unknown>>;

/**
 * What a tool can do to the world, as the methods it can send (tools.md 6.2). From this come its three hints, so
 * nothing states a hint twice.
 */
export interface Touch {
  readonly methods: readonly MethodName[];
  /** It starts a program in a way that no method above shows: a session's first shell, a local command. */
  readonly starts?: true;
  /** It runs a command that a configuration declares, on the adapter's machine. */
  readonly runsLocalCommand?: true;
  /** It writes a file on the adapter's machine. */
  readonly writesFile?: true;
}

/** The part of a declaration that needs no argument: everything published comes from here. */
interface Face<Input extends Arguments> {
  readonly name: string;
  /** The CLI verb whose document this tool returns; null for the two that only an agent needs. */
  readonly verb: string | null;
  /** The sets by which `--tools` names it beside its own name; none: by name and by `all` only. */
  readonly sets: readonly SetName[];
  /** For the model: what it does, when to use it, its limits. Under 2 KB. */
  readonly about: string;
  readonly touches: Touch;
  readonly input: Input;
  /** The sentence for a call that needs `confirm: true` and lacks it, judged on the arguments as they came (tools.md 6.1). */
  readonly confirm?: (raw: RawArguments) => string | null;
  /** What may be cut from the document when it is larger than the host shows, first entry first. */
  readonly cuts?: readonly Cut[];
  /** How to get what is more than is returned, as the second half of a sentence, where `rest.ts` has no better word. */
  readonly rest?: string;
}

interface Declaration<Input extends Arguments> extends Face<Input> {
  /** Arguments that are wrong together, or in a way that no schema says: checked last, before anything is opened. */
  readonly exclude?: (given: Given<Input>) => Refusal | null;
  /** What no two calls may do at once. */
  readonly turn?: (given: Given<Input>) => Turn;
}

interface InProcessDeclaration<Input extends Arguments> extends Declaration<Input> {
  run(given: Given<Input>, call: Call): Promise<Result<Document, Refusal>>;
}

interface CliDeclaration<Input extends Arguments> extends Declaration<Input> {
  /** The child's argument vector, verb first. `--socket` is part of it. */
  argv(given: Given<Input>): readonly string[];
  /** Milliseconds until the child's group is killed; a little more than a deadline of the child's own. */
  readonly deadlineMs: number | ((given: Given<Input>) => number);
  /** Exit codes that are an answer when stdout holds a document; "any" for a verb that mirrors another exit. */
  readonly answerExits?: readonly number[] | "any" | ((given: Given<Input>) => readonly number[]);
  /** For a call whose stdout is no JSON document: makes one of it, or says what is wrong with it. Exit 0 alone counts. */
  readonly read?: (given: Given<Input>) => ((stdout: string) => Result<Document, string>) | null;
  /** For a document that is worthless when it is cut: what to ask for instead, as the second half of a sentence. */
  readonly whole?: (given: Given<Input>) => string | null;
  /** A look before the child starts, for what it may not look at itself; a refusal keeps it from being started. */
  readonly guard?: (given: Given<Input>, call: Call) => Promise<Refusal | null>;
  /** The child waits for something that can take a while: the line that progress shows. */
  readonly waitsFor?: (given: Given<Input>) => string;
  /** The step from the child's document to ours; without it the child's text goes out as it stands. */
  readonly finish?: (document: Document, given: Given<Input>) => Document;
}

/** A call whose arguments are checked: what is left to do. */
export type Prepared =
  | {
      readonly runs: "in-process";
      readonly turn: Turn | null;
      readonly run: (call: Call) => Promise<Result<Document, Refusal>>;
    }
  | {
      readonly runs: "cli";
      readonly guard: ((call: Call) => Promise<Refusal | null>) | null;
      readonly turn: Turn | null;
      readonly argv: readonly string[];
      /** Whether the child talks to a server, and to which one when the call names it. */
      readonly reachesServer: boolean;
      readonly socket: string | undefined;
      readonly deadlineMs: number;
      readonly answerExits: readonly number[] | "any";
      readonly read: ((stdout: string) => Result<Document, string>) | null;
      readonly whole: string | null;
      readonly waitsFor: string | null;
      readonly finish: ((document: Document) => Document) | null;
    };

/** A tool as the catalog holds it: published face, and a closure that knows the types of its own arguments. */
export interface Tool extends Face<Arguments> {
  readonly runs: Prepared["runs"];
  /** Steps 2 to 5 of tools.md 5.1, after the gate. */
  prepare(raw: RawArguments): Result<Prepared, Refusal>;
}

function check<Input extends Arguments>(tool: Declaration<Input>, raw: RawArguments): Result<Given<Input>, Refusal> {
  const parsed = parseArguments(tool.name, tool.input, raw);
  if (!parsed.ok) return parsed;
  const wrong = tool.exclude?.(parsed.value) ?? null;
  return wrong === null ? parsed : fail(wrong);
}

function faceOf<Input extends Arguments>(tool: Face<Input>): Face<Arguments> {
  const { name, verb, sets, about, touches, input, confirm, cuts, rest } = tool;
  const optional = { ...(confirm && { confirm }), ...(cuts && { cuts }), ...(rest !== undefined && { rest }) };
  return { name, verb, sets, about, touches, input, ...optional };
}

/** A tool that talks to the server itself. */
export function inProcess<const Input extends Arguments>(tool: InProcessDeclaration<Input>): Tool {
  return {
    ...faceOf(tool),
    runs: "in-process",
    prepare(raw) {
      const given = check(tool, raw);
      if (!given.ok) return given;
      const turn = tool.turn?.(given.value) ?? null;
      return ok({ runs: "in-process", turn, run: (call) => tool.run(given.value, call) });
    },
  };
}

/** A tool whose answer only the `phux` executable can assemble (tools.md section 9). */
export function overCli<const Input extends Arguments & { socket?: Argument }>(tool: CliDeclaration<Input>): Tool {
  return {
    ...faceOf(tool),
    runs: "cli",
    prepare(raw) {
      const given = check(tool, raw);
      if (!given.ok) return given;
      const { finish, guard } = tool;
      const chosen: unknown = "socket" in given.value ? given.value["socket"] : undefined;
      return ok({
        runs: "cli",
        guard: guard === undefined ? null : (call) => guard(given.value, call),
        turn: tool.turn?.(given.value) ?? null,
        argv: tool.argv(given.value),
        reachesServer: "socket" in tool.input,
        socket: typeof chosen === "string" ? chosen : undefined,
        deadlineMs: typeof tool.deadlineMs === "number" ? tool.deadlineMs : tool.deadlineMs(given.value),
        answerExits: typeof tool.answerExits === "function" ? tool.answerExits(given.value) : (tool.answerExits ?? []),
        read: tool.read?.(given.value) ?? null,
        whole: tool.whole?.(given.value) ?? null,
        waitsFor: tool.waitsFor?.(given.value) ?? null,
        finish: finish === undefined ? null : (document) => finish(document, given.value),
      });
    },
  };
}

export interface Hints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly openWorldHint: boolean;
}

/** The annotations of tools/list, derived (tools.md 6.2, design.md section 3). */
export function hintsOf(tool: Tool): Hints {
  const used = tool.touches.methods.map((name) => methods[name]);
  const local = tool.touches.runsLocalCommand === true;
  const types = used.some((method) => method.verbs.some((verb) => verb === "INPUT"));
  return {
    readOnlyHint: !local && tool.touches.writesFile !== true && !used.some(isMutating),
    destructiveHint: local || types || used.some((method) => method.dangerous),
    openWorldHint: local || types || tool.touches.starts === true || used.some((method) => method.starts),
  };
}
