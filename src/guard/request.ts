import type { Capability } from "./capability.ts";

/** Where a terminal is. Ids, never names: a name can be given to another. */
export interface Spot {
  /** The pane's selector, `@4`. */
  readonly terminal: string;
  /** The id of its session in decimal, `2`; null when that is not known. */
  readonly group: string | null;
}

/** The terminal that a request is about, with what a person recognises it by. */
export interface Target extends Spot {
  readonly title: string;
  readonly folder: string;
  readonly process: string;
}

/** Who asks: what was proven of the connection, and the name that its hello claims. */
export interface Asker {
  readonly client: string;
  readonly pid: number;
  /** The pane that it was proven to run in; null for a process outside every pane. */
  readonly tab: Spot | null;
}

/** One thing that an agent may not do unasked. Every text in it is the agent's or a program's: never trusted. */
export interface Request {
  readonly asker: Asker;
  readonly capability: Capability;
  /** Null for what is about no terminal, as a worktree is. */
  readonly target: Target | null;
  /** The exact text that would be typed, or the exact change. */
  readonly act: string;
  /** What is at stake when it is allowed, in one or two sentences of ours. */
  readonly stake: string;
  /** It is asked every time, whatever was granted (`remove_worktree`). */
  readonly everyTime?: true;
}
