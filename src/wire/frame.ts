import { clientFrames } from "./client-frames.ts";
import type { WireError } from "./error.ts";
import type { Direction, Frame } from "./frame-type.ts";
import type { Reader } from "./reader.ts";
import { ok, type Result } from "./result.ts";
import { serverFrames } from "./server-frames.ts";

export type { BootstrapProfile, ClientCapabilities, ServerCapabilities, SshOrigin } from "./capability.ts";
export type { Command, CommandName, CommandResult, CommandValue } from "./command.ts";
export type { AgentEvent, AgentEventName } from "./event.ts";
export type { Direction } from "./frame-type.ts";
export type { ActorRef, ResourceId, Scope } from "./identity.ts";
export type { InputEvent, KeyEvent, MouseEvent, PasteEvent } from "./input.ts";
export type {
  AttachTarget,
  BootstrapCodec,
  GridSize,
  MoveError,
  MoveResult,
  SpawnError,
  SpawnResult,
  ViewportInfo,
} from "./resource.ts";
export type {
  AgentFacet,
  ExitFacet,
  ExtensionBlock,
  HostInventory,
  HostSession,
  ResourceFacet,
  ResourceRow,
  ResourceState,
  SessionFacet,
  SessionRow,
  SessionSnapshot,
  WindowRow,
} from "./state.ts";

/** Every frame of the protocol by name. `frames.HELLO.encode(value)` gives the whole frame. */
export const frames = { ...clientFrames, ...serverFrames } as const;

export type FrameName = keyof typeof frames;

/** The value of a frame: `FrameValue<"HELLO">`. */
export type FrameValue<N extends FrameName> = (typeof frames)[N]["content"] extends { read(from: Reader): infer V }
  ? V
  : never;

/** A frame with its name: of several names the union, `AnyFrame` of all. */
export type FrameOf<N extends FrameName> = N extends FrameName
  ? { readonly name: N; readonly value: FrameValue<N> }
  : never;
export type AnyFrame = FrameOf<FrameName>;

/** A type byte that is not in the table: a client skips it, a server takes it as fatal (wire.md 7.3, 8). */
export type UnknownFrame = { readonly name: "UNKNOWN"; readonly type: number; readonly body: Uint8Array };

/** A frame seen through the table, its value not yet tied to its name. */
type Entry = Frame<FrameName, unknown>;
const byName = new Map<string, Entry>(Object.entries<Entry>(frames));
const byType = new Map([...byName.values()].map((entry) => [entry.type, entry]));

/** Number of a frame name on the wire. */
export function frameType(name: FrameName): number {
  return frames[name].type;
}

/** Who sends frames of this type byte, or null for an unknown one. */
export function frameDirection(type: number): Direction | null {
  return byType.get(type)?.direction ?? null;
}

/** The whole frame, with its length prefix. RangeError for a value no frame can carry: that is a bug of the caller. */
export function encodeFrame({ name, value }: AnyFrame): Uint8Array {
  const entry: Entry = frames[name];
  return entry.encode(value);
}

/**
 * Decodes the body behind a type byte. Total: any bytes give a frame, an unknown frame or a typed error. Byte members
 * are views of `body`.
 */
export function decodeFrame(type: number, body: Uint8Array): Result<AnyFrame | UnknownFrame, WireError> {
  const entry = byType.get(type);
  if (entry === undefined) return ok({ name: "UNKNOWN", type, body });
  const value = entry.decode(body);
  if (!value.ok) return value;
  // The entry's own decoder made the value, so name and value belong together.
  return ok({ name: entry.name, value: value.value } as AnyFrame);
}
