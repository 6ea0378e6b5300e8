// The state that a scripted server answers from: panes that come and go, and a metadata map.
import { formatResource } from "../../src/phux/selector.ts";
import type { AnyFrame, Command, ResourceId, Scope, SessionSnapshot } from "../../src/wire/frame.ts";
import { type Client, jsonResult, metadataValue, okResult, requestId, type Script } from "./fake-server.ts";
import { idOf, type Sketch, snapshotOf } from "./snapshot.ts";

export type ScreenDocument = Readonly<Record<string, unknown>>;

export const plainScreen: ScreenDocument = {
  schema_version: 3,
  pane: 1,
  cols: 20,
  rows: 2,
  cursor: { x: 2, y: 0, visible: true },
  lines: ["$ ", ""],
  scrollback: [],
  soft_wrap: { lines: [], scrollback: [] },
};

/** Two sessions: `work` with @1 and @2 in its one window, `home` with @3. Focus on @1. */
export const twoSessions: Sketch = {
  sessions: [
    { id: 1, name: "work", active_window: 1 },
    { id: 2, name: "home", active_window: 2 },
  ],
  windows: [
    { id: 1, session_id: 1, index: 0, name: "window-0", active_resource: "@1" },
    { id: 2, session_id: 2, index: 0, name: "window-0", active_resource: "@3" },
  ],
  resources: [
    { id: "@1", window_id: 1 },
    { id: "@2", window_id: 1 },
    { id: "@3", window_id: 2 },
  ],
  focused_session: 1,
  focused_window: 1,
  focused_resource: "@1",
};

export function scopeText(scope: Scope): string {
  if (scope.tag === "global") return "global";
  return scope.tag === "group" ? `group ${scope.group}` : formatResource(scope.id);
}

export class SmallPhux {
  state: SessionSnapshot;
  readonly metadata = new Map<string, Uint8Array>();
  screen: (pane: ResourceId) => ScreenDocument = () => plainScreen;
  /** Sent in front of each answer to GET_STATE. */
  notices: readonly AnyFrame[] = [];
  /** Where a new pane goes: as asked, or where the test says. */
  spawnWindow: number | null = null;
  /** A script of the test's own comes first; true when it took the frame. */
  override: (frame: AnyFrame, client: Client) => boolean = () => false;
  /** The id of the next new pane. */
  nextId = 11;

  constructor(sketch: Sketch = twoSessions) {
    this.state = snapshotOf(sketch);
  }

  readonly script: Script = (frame, client) => {
    if (!this.override(frame, client)) this.answer(frame, client);
  };

  set(scope: string, key: string, value: Uint8Array | string): void {
    this.metadata.set(`${scope} ${key}`, typeof value === "string" ? new TextEncoder().encode(value) : value);
  }

  get(scope: string, key: string): Uint8Array | undefined {
    return this.metadata.get(`${scope} ${key}`);
  }

  remove(pane: string): void {
    this.state = { ...this.state, resources: this.state.resources.filter(({ id }) => formatResource(id) !== pane) };
  }

  answer(frame: AnyFrame, client: Client): void {
    switch (frame.name) {
      case "COMMAND":
        client.send(...this.#command(frame.value.command, requestId(frame)));
        break;
      case "GET_METADATA":
        client.send(metadataValue(requestId(frame), this.get(scopeText(frame.value.scope), frame.value.key)));
        break;
      case "SET_METADATA":
        this.set(scopeText(frame.value.scope), frame.value.key, frame.value.value ?? new Uint8Array());
        break;
      case "SPAWN_RESOURCE":
        client.send(this.#spawn(frame.value.owner_terminal, requestId(frame)));
        break;
      default:
    }
  }

  #command(command: Command, id: number): readonly AnyFrame[] {
    switch (command.tag) {
      case "GET_STATE":
        return [...this.notices, stateResult(id, this.state)];
      case "GET_SCREEN":
        return [jsonResult(id, this.screen(command.terminal_id))];
      case "KILL_RESOURCE":
        this.remove(formatResource(command.terminal_id));
        return [okResult(id)];
      case "KILL_RESOURCES":
        for (const pane of command.ids) this.remove(formatResource(pane));
        return [okResult(id)];
      default:
        return [okResult(id)];
    }
  }

  #spawn(owner: ResourceId | undefined, request_id: number): AnyFrame {
    const pane = idOf(`@${this.nextId++}`);
    const beside = owner && this.state.resources.find(({ id }) => formatResource(id) === formatResource(owner));
    const row = { id: pane, window_id: this.spawnWindow ?? beside?.window_id ?? 0, cols: 80, rows: 24 };
    this.state = { ...this.state, resources: [...this.state.resources, { ...row, title: null, cwd: null }] };
    return { name: "RESOURCE_SPAWNED", value: { request_id, result: { tag: "ok", id: pane } } };
  }
}

export function stateResult(request_id: number, state: SessionSnapshot): AnyFrame {
  return {
    name: "COMMAND_RESULT",
    value: { request_id, result: { tag: "ok_with", value: { tag: "state", state } } },
  };
}
