import { formatResource, parseSelector } from "../../src/phux/selector.ts";
import { Lifecycle, ResourceKind } from "../../src/wire/enums.ts";
import type { ResourceId, SessionSnapshot } from "../../src/wire/frame.ts";

/** The id that an `@N` or `host/@N` stands for. */
export function idOf(selector: string): ResourceId {
  const parsed = parseSelector(selector);
  if (parsed.ok && parsed.value.form === "id") return { tag: "local", id: parsed.value.id };
  if (parsed.ok && parsed.value.form === "satellite") {
    return { tag: "satellite", host: parsed.value.host, id: parsed.value.id };
  }
  throw new Error(`${selector} is no id`);
}

export const selectorsOf = (ids: readonly ResourceId[]) => ids.map(formatResource);

/** A snapshot in few words. Ids are selectors; a window lists its panes in `resources`. */
export interface Sketch {
  readonly sessions: readonly { readonly id: number; readonly name: string; readonly active_window?: number | null }[];
  readonly windows: readonly {
    readonly id: number;
    readonly session_id: number;
    readonly index: number;
    readonly name: string;
    readonly active_resource?: string | null;
  }[];
  readonly resources: readonly {
    readonly id: string;
    readonly window_id: number;
    readonly kind?: string;
    readonly parent?: string | null;
    readonly lifecycle?: keyof typeof Lifecycle;
  }[];
  readonly focused_session: number;
  readonly focused_window?: number;
  readonly focused_resource: string;
}

const kinds: Readonly<Record<string, number>> = { ...ResourceKind, unknown: 77 };

/** The whole snapshot that a sketch stands for. */
export function snapshotOf(sketch: Sketch): SessionSnapshot {
  return {
    sessions: sketch.sessions.map(({ id, name, active_window = null }) => ({
      id,
      name,
      active_window,
      created_at_unix_secs: 0n,
      window_count: sketch.windows.filter((window) => window.session_id === id).length,
      attached_client_count: 0,
    })),
    windows: sketch.windows.map(({ active_resource = null, ...window }) => ({
      ...window,
      active_resource: active_resource === null ? null : idOf(active_resource),
      layout: null,
    })),
    resources: sketch.resources.map(({ id, window_id }) => ({
      id: idOf(id),
      window_id,
      cols: 80,
      rows: 24,
      title: null,
      cwd: null,
    })),
    focused_session: sketch.focused_session,
    focused_window: sketch.focused_window ?? 0,
    focused_resource: idOf(sketch.focused_resource),
    facets: sketch.resources
      .filter(({ kind, parent }) => kind !== undefined || parent !== undefined)
      .map(({ id, kind = "terminal", parent = null }) => ({
        id: idOf(id),
        kind: kinds[kind] ?? ResourceKind.terminal,
        parent: parent === null ? null : idOf(parent),
        agent: null,
      })),
    extensions: {
      resource_state: sketch.resources.flatMap(({ id, lifecycle }) =>
        lifecycle === undefined ? [] : [{ id: idOf(id), lifecycle: Lifecycle[lifecycle] }],
      ),
    },
  };
}
