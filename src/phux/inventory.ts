import { CloseReason, Lifecycle, nameOf, ResourceKind } from "../wire/enums.ts";
import type {
  AgentFacet,
  ExitFacet,
  ResourceFacet,
  ResourceId,
  ResourceRow,
  ResourceState,
  SessionRow,
  SessionSnapshot,
  WindowRow,
} from "../wire/frame.ts";
import { formatResource } from "./selector.ts";

/** How a retained pane's program ended, as documents show it. Times are milliseconds since 1970. */
export interface ExitDocument {
  readonly status: number | null;
  readonly signal: number | null;
  readonly reason: string | null;
  readonly exited_at_ms: bigint;
  readonly retained_until_ms: bigint;
}

/** The answer to GET_STATE, with the facts about a resource that it keeps in separate lists put together. */
export class Inventory {
  readonly snapshot: SessionSnapshot;
  readonly #rows: ReadonlyMap<string, ResourceRow>;
  readonly #facets: ReadonlyMap<string, ResourceFacet>;
  readonly #states: ReadonlyMap<string, ResourceState>;
  readonly #windows: ReadonlyMap<number, WindowRow>;
  // Made when they are first asked for: a listing asks them of every session, most tools of none.
  #terminals: readonly ResourceRow[] | null = null;
  #terminalsBySession: ReadonlyMap<number | null, readonly ResourceRow[]> | null = null;
  #terminalsByWindow: ReadonlyMap<number | null, readonly ResourceRow[]> | null = null;
  #windowsBySession: ReadonlyMap<number, readonly WindowRow[]> | null = null;

  constructor(snapshot: SessionSnapshot) {
    this.snapshot = snapshot;
    this.#rows = bySelector(snapshot.resources);
    this.#facets = bySelector(snapshot.facets ?? []);
    this.#states = bySelector(snapshot.extensions?.resource_state ?? []);
    this.#windows = new Map(snapshot.windows.map((window) => [window.id, window]));
  }

  /** Every Terminal, satellites' included, in snapshot order. */
  get terminals(): readonly ResourceRow[] {
    this.#terminals ??= this.snapshot.resources.filter(({ id }) => this.kindOf(id) === "terminal");
    return this.#terminals;
  }

  /** The row of a resource, or null when the snapshot does not have it. */
  find(id: ResourceId): ResourceRow | null {
    return this.#rows.get(formatResource(id)) ?? null;
  }

  /** Whether the snapshot has this resource, and as a Terminal. */
  isTerminal(id: ResourceId): boolean {
    return this.find(id) !== null && this.kindOf(id) === "terminal";
  }

  /** A resource without a facet is a terminal: 0.8 sends none at all. */
  kindOf(id: ResourceId): keyof typeof ResourceKind | "unknown" {
    const facet = this.#facets.get(formatResource(id));
    return facet === undefined ? "terminal" : (nameOf(ResourceKind, facet.kind) ?? "unknown");
  }

  parentOf(id: ResourceId): ResourceId | null {
    return this.#facets.get(formatResource(id))?.parent ?? null;
  }

  /** What an agent session says of itself; null for anything else. */
  agentFacetOf(id: ResourceId): AgentFacet | null {
    return this.#facets.get(formatResource(id))?.agent ?? null;
  }

  /** Nothing said, and a number nobody knows, mean running. */
  lifecycleOf(id: ResourceId): keyof typeof Lifecycle {
    return nameOf(Lifecycle, this.stateOf(id)?.lifecycle ?? Lifecycle.running) ?? "running";
  }

  exitOf(id: ResourceId): ExitDocument | null {
    const exit = this.stateOf(id)?.exit;
    return exit === undefined ? null : exitDocument(exit);
  }

  /** Lifecycle, exit, holder and viewers, when the server says anything about them. */
  stateOf(id: ResourceId): ResourceState | null {
    return this.#states.get(formatResource(id)) ?? null;
  }

  session(name: string): SessionRow | null {
    return this.snapshot.sessions.find((session) => session.name === name) ?? null;
  }

  /**
   * The window row a resource belongs to. None for a satellite's: its window id, where it has one, counts on another
   * host and must not be joined with ours (spec/wire.md 10.1). Zero means no window.
   */
  windowOf({ id, window_id }: ResourceRow): WindowRow | null {
    return id.tag === "local" && window_id !== 0 ? (this.#windows.get(window_id) ?? null) : null;
  }

  /** The Terminals whose window belongs to the session, in snapshot order, drawn in a tab or not. */
  terminalsOf({ id }: Pick<SessionRow, "id">): readonly ResourceRow[] {
    this.#terminalsBySession ??= Map.groupBy(this.terminals, (row) => this.windowOf(row)?.session_id ?? null);
    return this.#terminalsBySession.get(id) ?? [];
  }

  /** The Terminals that the server counts to a window, in snapshot order. */
  terminalsIn({ id }: Pick<WindowRow, "id">): readonly ResourceRow[] {
    this.#terminalsByWindow ??= Map.groupBy(this.terminals, (row) => this.windowOf(row)?.id ?? null);
    return this.#terminalsByWindow.get(id) ?? [];
  }

  /** The session's active pane: its active window, else its first one, and there the active or the first Terminal. */
  activeTerminalOf(session: SessionRow): ResourceId | null {
    this.#windowsBySession ??= Map.groupBy(this.snapshot.windows, (window) => window.session_id);
    const windows = this.#windowsBySession.get(session.id) ?? [];
    const window = windows.find(({ id }) => id === session.active_window) ?? windows[0];
    if (window === undefined) return null;
    return window.active_resource ?? this.terminalsIn(window)[0]?.id ?? null;
  }

  /** The agent sessions under a Terminal that have not ended, in snapshot order. */
  agentSessionsOf(terminal: ResourceId): readonly ResourceId[] {
    const selector = formatResource(terminal);
    const ids = this.snapshot.resources.map(({ id }) => id);
    return ids.filter((id) => {
      const parent = this.parentOf(id);
      if (parent === null || formatResource(parent) !== selector) return false;
      return this.kindOf(id) === "agent_session" && this.lifecycleOf(id) !== "exited";
    });
  }
}

/** An exit facet as documents show it. */
export function exitDocument(exit: ExitFacet): ExitDocument {
  return {
    status: exit.exit_status,
    signal: exit.signal,
    reason: nameOf(CloseReason, exit.reason),
    exited_at_ms: exit.exited_at_ms,
    retained_until_ms: exit.retained_until_ms,
  };
}

function bySelector<T extends { readonly id: ResourceId }>(rows: readonly T[]): ReadonlyMap<string, T> {
  return new Map(rows.map((row) => [formatResource(row.id), row]));
}
