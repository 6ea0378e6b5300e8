import type { Codec, ValueOf } from "./codec.ts";
import { discarded, list32, nested, opt, record, trailing } from "./composite.ts";
import { resourceId } from "./identity.ts";
import { f32, i32, i64, str, u8, u16, u32, u64 } from "./primitive.ts";
import { block, optional, repeated } from "./tagged.ts";
import { plain, union } from "./union.ts";

export const sessionRow = record({
  id: u32,
  name: str,
  active_window: opt(u32),
  created_at_unix_secs: i64,
  window_count: u16,
  attached_client_count: u16,
});
export type SessionRow = ValueOf<typeof sessionRow>;

// Layouts live in metadata. The old slot is walked so that what follows it can be read, and nothing is kept.
const retiredLayoutTree: Codec<object> = union({
  leaf: plain(0, { id: resourceId }),
  split: plain(1, {
    dir: u8,
    ratio: f32,
    left: nested(() => retiredLayoutTree),
    right: nested(() => retiredLayoutTree),
  }),
});

export const windowRow = record({
  id: u32,
  session_id: u32,
  index: u16,
  name: str,
  active_resource: opt(resourceId),
  layout: discarded(opt(retiredLayoutTree)),
});
export type WindowRow = ValueOf<typeof windowRow>;

export const resourceRow = record({
  id: resourceId,
  window_id: u32,
  cols: u16,
  rows: u16,
  title: opt(str),
  cwd: opt(str),
});
export type ResourceRow = ValueOf<typeof resourceRow>;

export const agentFacet = record({ provider: str, native_id: opt(str), state: str });
export type AgentFacet = ValueOf<typeof agentFacet>;

/** What a resource is beyond its row. No facet: a terminal without a parent. */
export const resourceFacet = record({
  id: resourceId,
  kind: u8,
  parent: opt(resourceId),
  agent: opt(agentFacet),
});
export type ResourceFacet = ValueOf<typeof resourceFacet>;

export const hostSession = record({
  id: u32,
  name: str,
  created_at_unix_secs: i64,
  window_count: u16,
  pane_count: u16,
  attached_client_count: u16,
  active_resource: opt(resourceId),
});
export type HostSession = ValueOf<typeof hostSession>;

export const hostInventory = record({ host: str, unreachable: opt(str), sessions: list32(hostSession) });
export type HostInventory = ValueOf<typeof hostInventory>;

export const sessionFacet = record({ id: u32, flags: u8 });
export type SessionFacet = ValueOf<typeof sessionFacet>;

export const exitFacet = record({
  exit_status: opt(i32),
  signal: opt(i32),
  reason: u8,
  exited_at_ms: u64,
  retained_until_ms: u64,
});
export type ExitFacet = ValueOf<typeof exitFacet>;

/** A resource without an entry is running, unheld and unwatched (wire.md 10.3). */
export const resourceState = record(
  { id: resourceId },
  {
    tagged: {
      lifecycle: optional(1, u8),
      exit: optional(2, exitFacet),
      input_holder: optional(3, u32),
      viewer: repeated(4, u32),
    },
  },
);
export type ResourceState = ValueOf<typeof resourceState>;

export const extensionBlock = block({
  resource_state: repeated(1, resourceState),
  journal_head: optional(2, u64),
});
export type ExtensionBlock = ValueOf<typeof extensionBlock>;

/** The answer to GET_STATE (wire.md 10.1). A 0.8 server writes no trailing part. */
export const sessionSnapshot = record(
  {
    sessions: list32(sessionRow),
    windows: list32(windowRow),
    resources: list32(resourceRow),
    focused_session: u32,
    focused_window: u32,
    focused_resource: resourceId,
  },
  {
    trailing: {
      facets: trailing(list32(resourceFacet), []),
      hosts: trailing(list32(hostInventory), []),
      session_facets: trailing(list32(sessionFacet), []),
      listeners: trailing(opt(str), null),
      extensions: trailing(extensionBlock),
    },
  },
);
export type SessionSnapshot = ValueOf<typeof sessionSnapshot>;
