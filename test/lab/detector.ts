import {
  AGENT_KEY,
  type AgentRecord,
  type AgentState,
  encodeAgentRecord,
  parseAgentRecord,
} from "../../src/phux/agent-record.ts";
import { look, stateOf } from "./detect/look.ts";
import { declaredKind, type Manifest, manifestFor } from "./detect/manifest.ts";
import type { Pane } from "./pane.ts";
import { processRow } from "./process-table.ts";
import { rowTexts } from "./screen-state.ts";
import type { LabServer } from "./server.ts";

/** Output is looked at so long after it came, so that no half of a redraw is judged. */
const PAUSE_MS = 25;
/** Without any output a look follows: a program may go without a word. */
const AFTERWARDS_MS = 200;
/** An agent that works or asks, and then shows nothing of it, is looked at twice before it counts as resting. */
const REST_MS = 50;
/** A hook's word against a screen that shows rest: hooks are quicker than screens. */
const HOOK_MS = 1_000;

/** The process that is the agent of a pane. */
type Presence = { readonly manifest: Manifest; readonly pid: number; readonly startMs: number };

type Watch = {
  readonly pane: Pane;
  presence: Presence | null;
  /** The state that a client declared: it stands until the record is deleted, or until the agent leaves. */
  declared: boolean;
  /** The server made the record, or gave it its state. */
  derived: boolean;
  hook: { readonly state: AgentState; readonly atMs: number } | null;
  /** Since when an agent that was busy shows rest. */
  restsSince: number | null;
  /** Its session's records were the last word. */
  streamed: boolean;
  /** When it is looked at next. */
  dueAt: number | null;
};

/** Sees which panes have an agent and what it does, and keeps their records (wire.md 21.2). */
export class Detector {
  readonly #server: LabServer;
  readonly #watches = new Map<Pane, Watch>();

  constructor(server: LabServer) {
    this.#server = server;
  }

  /** Something happened in a pane that may mean something for its agent. */
  stir(pane: Pane): void {
    if (!this.#server.options.detection) return;
    this.#schedule(this.#watchOf(pane), PAUSE_MS, AFTERWARDS_MS);
  }

  /** A client has written or deleted the record of a pane. */
  recordWritten(pane: Pane): void {
    const watch = this.#watchOf(pane);
    watch.derived = false;
    watch.declared = (this.#recordOf(pane)?.state ?? "unknown") !== "unknown";
    this.stir(pane);
  }

  /** A hook of the agent has said what it does. It is evidence, not the last word. */
  reported(pane: Pane, state: AgentState): void {
    this.#watchOf(pane).hook = { state, atMs: performance.now() };
    this.stir(pane);
  }

  forget(pane: Pane): void {
    this.#watches.delete(pane);
  }

  #watchOf(pane: Pane): Watch {
    const known = this.#watches.get(pane);
    if (known) return known;
    const watch: Watch = {
      ...{ pane, presence: null, declared: false, derived: false },
      ...{ hook: null, restsSince: null, streamed: false, dueAt: null },
    };
    this.#watches.set(pane, watch);
    return watch;
  }

  /** A look in `ms`, unless there is one sooner. `again`: one more so long after it. */
  #schedule(watch: Watch, ms: number, again: number | null): void {
    const at = performance.now() + ms;
    if (watch.dueAt !== null && watch.dueAt <= at) return;
    watch.dueAt = at;
    this.#server.after(ms, async () => {
      if (watch.dueAt !== at) return;
      watch.dueAt = null;
      if (this.#server.panes.get(watch.pane.id) !== watch.pane) return this.forget(watch.pane);
      await this.#look(watch);
      const next = openFor(watch) ?? again;
      if (next !== null) this.#schedule(watch, next, null);
    });
  }

  async #look(watch: Watch): Promise<void> {
    const { pane } = watch;
    const before = this.#recordOf(pane);
    const stream = this.#streamOf(pane);
    const wasHere = watch.presence !== null || watch.streamed;
    watch.presence = presenceOf(pane, watch.presence, watch.derived ? null : declaredKind(before));
    watch.streamed = stream !== null;
    if (wasHere && watch.presence === null && stream === null) this.#leave(watch, before);
    if (watch.declared) return;
    if (stream !== null) return this.#derive(watch, stream.provider, stream.state);
    if (watch.presence === null) return;
    const { manifest } = watch.presence;
    const state = await this.#stateOf(watch, watch.presence, before?.state ?? "unknown");
    if (state !== null) this.#derive(watch, manifest.kind, state);
  }

  /** What the agent does, by hooks and by its screen; null when neither says. */
  async #stateOf(watch: Watch, presence: Presence, before: AgentState): Promise<AgentState | null> {
    const { pane, hook } = watch;
    const { foreground } = pane.terminal;
    // It has handed the terminal to a program of its own.
    if (foreground?.pgid !== presence.pid) return "working";
    const rows = await pane.terminal.screen.read(({ buffer, rows: height }) =>
      rowTexts(buffer, { first: buffer.baseY, end: buffer.baseY + height }),
    );
    const shown = stateOf(presence.manifest, look(presence.manifest, rows));
    if (shown === "working" || shown === "blocked") {
      // What a hook said was said before this.
      watch.restsSince = null;
      if (hook && hook.state !== shown && performance.now() - hook.atMs > HOOK_MS) watch.hook = null;
      return shown;
    }
    const busy = before === "working" || before === "blocked";
    if (hook && (shown === null || hook.state === "done" || performance.now() - hook.atMs < HOOK_MS)) {
      watch.restsSince = null;
      return hook.state;
    }
    if (shown === null) return null;
    if (!busy) return shown;
    watch.restsSince ??= performance.now();
    if (performance.now() - watch.restsSince < REST_MS) return null;
    watch.restsSince = null;
    return shown;
  }

  /** The agent session under a pane that says what its agent does. */
  #streamOf(pane: Pane): { readonly provider: string; readonly state: AgentState } | null {
    for (const agent of this.#server.agents.values()) {
      const { parent, provider, state, finished } = agent;
      const word = (["working", "blocked", "done"] as const).find((known) => known === state);
      if (parent === pane.id && !finished && word !== undefined) return { provider, state: word };
    }
    return null;
  }

  #derive(watch: Watch, kind: string, state: AgentState): void {
    const before = this.#recordOf(watch.pane);
    watch.derived ||= before === null;
    // A name that somebody gave stays; a kind that had left is another's now.
    const kept = watch.derived ? { name: kind, kind } : { ...before, name: before?.name ?? kind };
    this.#write(watch.pane, { ...kept, kind: kept.kind ?? kind, state });
  }

  /** The agent has gone: whoever it was keeps its name, and nothing is known of it. */
  #leave(watch: Watch, record: AgentRecord | null): void {
    watch.declared = false;
    watch.hook = null;
    watch.restsSince = null;
    if (record === null || record.state === "unknown") return;
    const { attention: _, ...identity } = record;
    this.#write(watch.pane, { ...identity, state: "unknown" });
  }

  #recordOf({ resource }: Pane): AgentRecord | null {
    return parseAgentRecord(this.#server.metadata.get({ tag: "resource", id: resource }, AGENT_KEY) ?? null);
  }

  #write({ id, resource }: Pane, record: AgentRecord): void {
    // It may have ended while its screen was read.
    if (!this.#server.panes.has(id)) return;
    this.#server.writeMetadata({ tag: "resource", id: resource }, AGENT_KEY, encodeAgentRecord(record));
  }
}

/** Milliseconds after which a look would judge otherwise although nothing happens; null when there are none. */
function openFor({ hook, restsSince }: Watch): number | null {
  if (restsSince !== null) return REST_MS;
  const left = hook === null || hook.state === "done" ? 0 : HOOK_MS - (performance.now() - hook.atMs);
  return left > 0 ? left + 1 : null;
}

/** The agent's process: the one in front, or the one before, when what is in front now is a child of it. */
function presenceOf(pane: Pane, before: Presence | null, kind: string | null): Presence | null {
  const { foreground, pid } = pane.terminal;
  if (pane.retained || !foreground) return null;
  const manifest = manifestFor(foreground.name, kind);
  // A shell that is the pane's own is where an agent would be started.
  const isHost = foreground.pgid === pid && manifest?.anywhere !== true;
  if (manifest && !isHost) return { manifest, pid: foreground.pgid, startMs: foreground.start_ms };
  const lives = before !== null && processRow(before.pid)?.startMs === before.startMs;
  return lives && !isHost ? before : null;
}
