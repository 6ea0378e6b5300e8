import type { ValueOf } from "./codec.ts";
import { list32, opt, record } from "./composite.ts";
import { resourceId } from "./identity.ts";
import { str, u8, u16, u32, u64 } from "./primitive.ts";
import { field } from "./tagged.ts";
import { bare, plain, union } from "./union.ts";

export const stringList = list32(str);

/** Pairs added to the environment that the server passes on; an empty list clears nothing. */
export const env = list32(record({ name: str, value: str }));

export const gridSize = record({ cols: u16, rows: u16 });
export type GridSize = ValueOf<typeof gridSize>;

export const viewportInfo = record({ cols: u16, rows: u16, pixel_w: opt(u16), pixel_h: opt(u16) });
export type ViewportInfo = ValueOf<typeof viewportInfo>;

export const attachTarget = union({
  last: bare(0),
  by_name: plain(1, { name: str }),
  by_id: plain(2, { session_id: u32 }),
  create_if_missing: plain(3, { name: str, command: opt(stringList), cwd: opt(str) }),
});
export type AttachTarget = ValueOf<typeof attachTarget>;

export const spawnError = union({
  group_not_found: bare(0),
  spawn_failed: plain(1, { message: str }),
  unsupported_satellite_route: bare(2),
  satellite_unreachable: plain(3, { message: str }),
  unsupported_kind: bare(4),
  parent_not_found: bare(5),
  parent_kind_mismatch: bare(6),
  idempotency_conflict: bare(7),
});
export type SpawnError = ValueOf<typeof spawnError>;

export const spawnResult = union({
  ok: plain(0, { id: resourceId }),
  err: plain(1, { error: spawnError }),
});
export type SpawnResult = ValueOf<typeof spawnResult>;

export const moveError = union({
  move_failed: plain(0, { message: str }),
  unsupported_satellite_route: bare(1),
});
export type MoveError = ValueOf<typeof moveError>;

export const moveResult = union({
  ok: plain(0, { id: resourceId }),
  err: plain(1, { error: moveError }),
});
export type MoveResult = ValueOf<typeof moveResult>;

/** How the bytes of an output stream are to be read (wire.md 18.1). */
export const bootstrapCodec = union({
  synthesized_vt_v1: bare(0),
  native: plain(1, { engine_version: u8 }),
  agent_events_jsonl_v1: bare(3),
});
export type BootstrapCodec = ValueOf<typeof bootstrapCodec>;

/** Which output stream of which terminal: the first fields of every frame about one. */
export const streamFields = {
  terminal_id: field(1, resourceId),
  stream_id: field(2, u64),
  bootstrap_id: field(3, u64),
};
