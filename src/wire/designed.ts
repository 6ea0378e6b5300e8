import { record, trailing } from "./composite.ts";
import { resourceId } from "./identity.ts";
import { mintedId } from "./primitive.ts";
import { variant } from "./union.ts";

/**
 * Commands that our tools need and of which no source tells the bytes. Their tags stand at the far end, where a tag that
 * phux assigns next is furthest away, and each is sent only to a server that advertises its feature. This table is the
 * one place that changes when the real bytes are known: by then its rows move into wire/command.ts.
 */
export const designedCommands = {
  // Starts what an exited or lost Terminal ran, under its old id. The value is a JSON text (phux/relaunch.ts).
  RELAUNCH_RESOURCE: variant(
    0xf0,
    record({ terminal_id: resourceId }, { trailing: { operation_id: trailing(mintedId) } }),
  ),
} as const;
