import type { Environment } from "../cli/environment.ts";
import type { Connection } from "../phux/connection.ts";
import type { Deadline } from "../phux/deadline.ts";
import type { Refusal } from "../phux/errors.ts";
import type { Operations } from "../phux/operations.ts";
import type { Result } from "../wire/result.ts";

/** What a running tool has of the world: its own connections, its end, and a line to the person who waits. */
export interface Call {
  /** Aborted by a cancel, the end of input or a signal; everything the call opened ends with it. */
  readonly signal: AbortSignal;
  /** The adapter's own environment. */
  readonly environment: Environment;
  /**
   * A negotiated connection to the socket that the call names, or to the default one. It closes with the call.
   * `deadline` bounds connecting and every request that brings no limit of its own.
   */
  connect(socket: string | undefined, deadline?: Deadline): Promise<Result<Connection, Refusal>>;
  /** The mutations of this process that were not waited out. */
  readonly operations: Operations;
  /**
   * From now on neither a cancel nor the answer of this call closes what it opened: only the function that this gives
   * back does, and the end of the process (tools.md 10.4).
   */
  keep(): () => void;
  /**
   * Waits until earlier calls of the same kind and target are over; at once for a tool that declares no turn. A refusal
   * when they take too long: nothing has been done then.
   */
  turn(): Promise<Refusal | null>;
  /** What the call waits for, in one line. */
  progress(message: string): void;
  /** A remark for the person who reads the adapter's log. */
  remark(message: string): void;
}
