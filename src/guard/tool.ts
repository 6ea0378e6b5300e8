import type { Environment } from "../cli/environment.ts";
import type { Connection } from "../phux/connection.ts";
import type { Deadline } from "../phux/deadline.ts";
import type { Refusal } from "../phux/errors.ts";
import { type Arguments, type Given, parseArguments } from "../tools/arguments.ts";
import type { Cut } from "../tools/cut.ts";
import type { Document } from "../tools/tool.ts";
import type { Result } from "../wire/result.ts";
import type { Asker, Request } from "./request.ts";

/** What the run of a guarded tool has of the world. */
export interface GuardedCall {
  readonly asker: Asker;
  /** Aborted by a cancel, by the end of the connection, and by the end of the guard. */
  readonly signal: AbortSignal;
  /** The guard's own environment. */
  readonly environment: Environment;
  /** The guard's own socket, as panes that it opens get it in `PHUX_MCP_SOCKET`. */
  readonly guardSocket: string;
  /** The path of our own executable; `phux` is looked for beside it. */
  readonly self: string;
  /** A connection to the phux that is guarded; it closes with the call. */
  connect(deadline?: Deadline): Promise<Result<Connection, Refusal>>;
  /** Null when a grant allows it or the person does now; a refusal otherwise. The one door to what needs a capability. */
  permit(request: Omit<Request, "asker">): Promise<Refusal | null>;
  progress(message: string): void;
}

/** A tool of the guarded catalogue (guard.md "Tools"). */
export interface GuardTool {
  readonly name: string;
  /** For the model: what it does, what it needs, its limits. Under 2 KB. */
  readonly about: string;
  readonly input: Arguments;
  /** True when it changes nothing. */
  readonly readOnly: boolean;
  /** What may be cut from the document when it is larger than the host shows, first entry first. */
  readonly cuts?: readonly Cut[];
  run(raw: Readonly<Record<string, unknown>>, call: GuardedCall): Promise<Result<Document, Refusal>>;
}

interface Declaration<Input extends Arguments> extends Omit<GuardTool, "input" | "run"> {
  readonly input: Input;
  run(given: Given<Input>, call: GuardedCall): Promise<Result<Document, Refusal>>;
}

/** Checks the arguments as every tool's are checked (tools.md 5.1), then runs. */
export function guardTool<const Input extends Arguments>(tool: Declaration<Input>): GuardTool {
  return {
    ...tool,
    async run(raw, call) {
      const given = parseArguments(tool.name, tool.input, raw);
      return given.ok ? tool.run(given.value, call) : given;
    },
  };
}
