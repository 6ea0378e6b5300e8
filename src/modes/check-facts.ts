/** What `phux-mcp check` found out. Texts are as they came, and may be hostile: page and document clean them. */
import type { Refusal } from "../phux/errors.ts";
import type { SocketPath } from "../phux/socket-path.ts";
import type { ProtocolVersion } from "../wire/version.ts";

/** What a program said to a question for its version. */
export type Answered =
  | { readonly kind: "said"; readonly text: string }
  /** One sentence, without a stop at its end. */
  | { readonly kind: "failed"; readonly why: string };

/** The `phux` that tools would run. */
export type PhuxFacts =
  | {
      readonly kind: "found";
      readonly path: string;
      /** `phux --version`. */
      readonly version: Answered;
      /** `phux mcp --version`: what a host reaches that was registered with the launcher. */
      readonly launcher: Answered;
    }
  | { readonly kind: "missing"; readonly why: string };

/** What stands at the socket's path, links followed. */
export interface SocketStanding {
  readonly kind: "socket" | "file" | "folder" | "other";
  readonly uid: number;
  /** Permission bits. */
  readonly mode: number;
}

export interface SocketFacts {
  readonly path: string;
  readonly origin: SocketPath["origin"];
  /** Null where nothing stands, or nothing that may be seen. */
  readonly standing: SocketStanding | null;
  /** The system knows a process that listens there, whether or not it accepts. False where the system does not say. */
  readonly listening: boolean;
  /** Why nothing is sent there; null for a way that is safe. */
  readonly unsafe: Refusal | null;
}

export interface SessionFacts {
  readonly count: number;
  readonly panes: number;
  /** The first names, in the server's order. */
  readonly names: readonly string[];
}

export type ServerFacts =
  | {
      readonly kind: "answers";
      readonly version: ProtocolVersion;
      readonly features: readonly string[];
      readonly id: string;
      /** Of the features that tools need, those that this server lacks, with what does not work for it. */
      readonly lacking: readonly Lacking[];
      /** Or why they could not be read. */
      readonly sessions: SessionFacts | Refusal;
    }
  | {
      readonly kind: "fails";
      /** Something accepts there, and says nothing. */
      readonly silent: boolean;
      readonly refusal: Refusal;
    }
  /** The socket is refused before anything is sent. */
  | { readonly kind: "not_asked" };

export interface Lacking {
  readonly feature: string;
  readonly without: string;
}

/** What tools/list gives a host. */
export type ToolFacts =
  | {
      readonly kind: "offered";
      readonly count: number;
      readonly of: number;
      /** Variables that made it fewer. */
      readonly fewerBy: readonly string[];
      /** Of the list as JSON. */
      readonly bytes: number;
    }
  | { readonly kind: "refused"; readonly why: string };

export interface CheckFacts {
  /** Our user id; null where the system has none. */
  readonly uid: number | null;
  readonly phux: PhuxFacts;
  /** Or why there is no path to try. */
  readonly socket: SocketFacts | Refusal;
  readonly server: ServerFacts;
  readonly tools: ToolFacts;
  readonly binary: { readonly version: string; readonly path: string };
}

export function isRefusal(value: object): value is Refusal {
  return "remedy" in value;
}
