import type { Capability, Scope } from "../capability.ts";
import type { Asker, Request } from "../request.ts";

/** How far a grant would reach, in words of ours. */
export interface Reach {
  readonly scope: Scope;
  readonly covers: string;
}

export interface Sheet {
  readonly request: Request;
  /** Narrowest first, only what can be anchored. */
  readonly reaches: readonly Reach[];
}

export type SheetAnswer = { readonly answer: "once" | "always"; readonly scope: Scope } | { readonly answer: "no" };

export interface ShownGrant {
  readonly id: string;
  readonly client: string;
  readonly capability: Capability;
  readonly scope: Scope;
  readonly terminal: string | null;
  readonly group: string | null;
}

export interface ShownDecision {
  readonly time: string;
  readonly client: string;
  readonly capability: Capability;
  readonly target: string | null;
  readonly answer: string;
}

export interface GuardState {
  readonly agents: readonly Asker[];
  readonly grants: readonly ShownGrant[];
  /** Newest first. */
  readonly decisions: readonly ShownDecision[];
}
