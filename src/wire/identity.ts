import type { ValueOf } from "./codec.ts";
import { opt, record } from "./composite.ts";
import { str, u32 } from "./primitive.ts";
import { bare, plain, union } from "./union.ts";

/** A terminal or an agent session, here or on a satellite of a hub (wire.md 4.1). */
export const resourceId = union({
  local: plain(0, { id: u32 }),
  satellite: plain(1, { host: str, id: u32 }),
});
export type ResourceId = ValueOf<typeof resourceId>;

/** What a metadata key hangs on. Group 1 is the only group of the reference server. */
export const scope = union({
  resource: plain(0, { id: resourceId }),
  group: plain(1, { group: u32 }),
  global: bare(2),
});
export type Scope = ValueOf<typeof scope>;

/** Who caused something (0.9). */
export const actorRef = record({
  client: u32,
  credential_id: opt(str),
  client_name: opt(str),
});
export type ActorRef = ValueOf<typeof actorRef>;
