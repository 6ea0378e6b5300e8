import type { Connection } from "../phux/connection.ts";
import type { Refusal } from "../phux/errors.ts";
import type { Result } from "../wire/result.ts";

/** What a running tool has of the world: its own connection, its end, and a line to the person who waits. */
export interface Call {
  /** Aborted by a cancel, the end of input or a signal; everything the call opened ends with it. */
  readonly signal: AbortSignal;
  /** A negotiated connection to the socket that the call names, or to the default one. It closes with the call. */
  connect(socket: string | undefined): Promise<Result<Connection, Refusal>>;
  /** What the call waits for, in one line. */
  progress(message: string): void;
  /** A remark for the person who reads the adapter's log. */
  remark(message: string): void;
}
