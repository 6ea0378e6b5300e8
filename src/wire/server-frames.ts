import { bootstrapProfile, serverCapabilities } from "./capability.ts";
import { commandResult } from "./command.ts";
import { list32, record } from "./composite.ts";
import { agentEvent } from "./event.ts";
import { frame } from "./frame-type.ts";
import { actorRef, resourceId, scope } from "./identity.ts";
import { bool, bytes, bytes16, i32, str, u8, u16, u32, u64 } from "./primitive.ts";
import { bootstrapCodec, moveResult, spawnResult, streamFields, stringList } from "./resource.ts";
import { sessionSnapshot } from "./state.ts";
import { field, optional } from "./tagged.ts";

/** The frames that a server sends, and those that go both ways (wire.md 8). */
export const serverFrames = {
  PING: frame(0x7f, "PING", "both", { nonce: field(1, u64) }),
  HELLO_OK: frame(0x80, "HELLO_OK", "s2c", {
    protocol_major: field(1, u16),
    protocol_minor: field(2, u16),
    protocol_patch: field(3, u16),
    server_caps: field(4, serverCapabilities),
    server_id: field(5, bytes),
    selected_profile: field(6, bootstrapProfile),
    max_chunk_bytes: field(7, u32),
    max_history_page_bytes: field(8, u32),
    compression: optional(9, u8),
  }),
  ATTACHED: frame(0x81, "ATTACHED", "s2c", {
    snapshot: field(1, sessionSnapshot),
    initial_client_id: field(2, u32),
    attach_id: field(3, u32),
  }),
  DETACHED: frame(0x82, "DETACHED", "s2c", { reason: optional(1, u8), message: optional(2, str) }),
  ATTACH_READY: frame(0x83, "ATTACH_READY", "s2c", { attach_id: field(1, u32) }),
  RESOURCE_OUTPUT: frame(0x90, "RESOURCE_OUTPUT", "s2c", {
    terminal_id: field(1, resourceId),
    seq: field(2, u64),
    bytes: field(3, bytes),
    stream_id: field(4, u64),
    bootstrap_id: field(5, u64),
  }),
  BOOTSTRAP_BEGIN: frame(0x93, "BOOTSTRAP_BEGIN", "s2c", {
    ...streamFields,
    codec: field(4, bootstrapCodec),
    cols: field(5, u16),
    rows: field(6, u16),
    output_mode: field(7, u8),
    base_seq: field(8, u64),
  }),
  BOOTSTRAP_CHUNK: frame(0x94, "BOOTSTRAP_CHUNK", "s2c", {
    ...streamFields,
    chunk_seq: field(4, u32),
    payload: field(5, bytes),
  }),
  BOOTSTRAP_READY: frame(0x95, "BOOTSTRAP_READY", "s2c", { ...streamFields, history_cursor: optional(4, bytes) }),
  HISTORY_PAGE: frame(0x96, "HISTORY_PAGE", "s2c", {
    ...streamFields,
    cursor: field(4, bytes),
    next_cursor: optional(5, bytes),
    payload: field(6, bytes),
    page_seq: field(7, u64),
    rows: field(8, u32),
  }),
  BOOTSTRAP_TOMBSTONE: frame(0x97, "BOOTSTRAP_TOMBSTONE", "s2c", {
    ...streamFields,
    reason: field(4, u8),
    last_valid_seq: field(5, u64),
  }),
  HISTORY_TOMBSTONE: frame(0x98, "HISTORY_TOMBSTONE", "s2c", {
    ...streamFields,
    cursor: field(4, bytes),
    reason: field(5, u8),
  }),
  HISTORY_REJECTED: frame(0x99, "HISTORY_REJECTED", "s2c", {
    ...streamFields,
    cursor: field(4, bytes),
    reason: field(5, u8),
    required_bytes: field(6, u32),
    required_rows: field(7, u32),
  }),
  // Only after compression was negotiated, which a client on a Unix socket never offers.
  FRAME_COMPRESSED: frame(0x9a, "FRAME_COMPRESSED", "both", {
    algorithm: field(1, u8),
    uncompressed_len: field(2, u32),
    payload: field(3, bytes),
  }),
  RESOURCE_CLOSED: frame(0xa1, "RESOURCE_CLOSED", "s2c", {
    terminal_id: field(1, resourceId),
    exit_status: optional(2, i32),
    reason: optional(3, u8),
    signal: optional(4, i32),
  }),
  RESOURCE_SPAWNED: frame(0xa2, "RESOURCE_SPAWNED", "s2c", {
    request_id: optional(1, u32),
    result: field(2, spawnResult),
    instance: optional(3, bytes16),
    replayed: optional(4, bool),
  }),
  RESOURCE_MOVED: frame(0xa8, "RESOURCE_MOVED", "s2c", { request_id: optional(1, u32), result: field(2, moveResult) }),
  BELL: frame(0xb0, "BELL", "s2c", { terminal_id: field(1, resourceId) }),
  EVENT: frame(0xb3, "EVENT", "s2c", {
    terminal: optional(1, resourceId),
    event: field(2, agentEvent),
    seq: optional(3, u64),
    ts_ms: optional(4, u64),
    actor: optional(5, actorRef),
    operation_id: optional(6, bytes16),
  }),
  ERROR: frame(0xc1, "ERROR", "s2c", { request_id: optional(1, u32), code: field(2, u16), message: field(3, str) }),
  COMMAND_RESULT: frame(0xc2, "COMMAND_RESULT", "s2c", {
    request_id: optional(1, u32),
    result: field(2, commandResult),
  }),
  METADATA_CHANGED: frame(0xd0, "METADATA_CHANGED", "s2c", {
    scope: field(1, scope),
    key: field(2, str),
    value: optional(3, bytes),
    actor: optional(4, actorRef),
  }),
  METADATA_VALUE: frame(0xd1, "METADATA_VALUE", "s2c", { request_id: optional(1, u32), value: optional(2, bytes) }),
  METADATA_KEYS: frame(0xd2, "METADATA_KEYS", "s2c", { request_id: optional(1, u32), keys: optional(2, stringList) }),
  DIRECTORY_LISTING: frame(0xd3, "DIRECTORY_LISTING", "s2c", {
    request_id: optional(1, u32),
    path: optional(2, str),
    parent: optional(3, str),
    entries: optional(4, list32(record({ name: str, flags: u8 }))),
    truncated: optional(5, bool),
    error: optional(6, u8),
    message: optional(7, str),
  }),
  PATH_RESULTS: frame(0xd4, "PATH_RESULTS", "s2c", {
    request_id: field(1, u32),
    root: field(2, str),
    parent: optional(3, str),
    rows: optional(4, list32(record({ path: str, kind: u8 }))),
    status: optional(5, u8),
    error: optional(6, u8),
    message: optional(7, str),
  }),
  PONG: frame(0xff, "PONG", "both", { nonce: field(1, u64) }),
} as const;
