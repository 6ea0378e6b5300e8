import { clientCapabilities, sshOrigin } from "./capability.ts";
import { command } from "./command.ts";
import { frame } from "./frame-type.ts";
import { resourceId, scope } from "./identity.ts";
import { focusEvent, keyEvent, mouseEvent, pasteEvent } from "./input.ts";
import { limits } from "./limits.ts";
import { bool, bytes, mintedId, sized, str, u8, u16, u32, u64 } from "./primitive.ts";
import { attachTarget, env, gridSize, streamFields, stringList, viewportInfo } from "./resource.ts";
import { field, optional } from "./tagged.ts";

/** The frames that only a client sends (wire.md 8). An absent request id is read as 0; always write one. */
export const clientFrames = {
  HELLO: frame(0x01, "HELLO", "c2s", {
    client_name: field(1, str),
    protocol_major: field(2, u16),
    protocol_minor: field(3, u16),
    protocol_patch: field(4, u16),
    client_caps: field(5, clientCapabilities),
    compression: optional(6, u8),
    ssh_origin: optional(9, sshOrigin),
    quic_streams: optional(10, bool),
  }),
  ATTACH: frame(0x02, "ATTACH", "c2s", {
    target: field(1, attachTarget),
    viewport: field(2, viewportInfo),
    request_scrollback: optional(3, bool),
    scrollback_limit_lines: optional(4, u32),
    attach_id: field(5, u32),
    role_policy: optional(6, u8),
  }),
  DETACH: frame(0x03, "DETACH", "c2s", {}),
  INPUT_KEY: frame(0x10, "INPUT_KEY", "c2s", { terminal_id: field(1, resourceId), event: field(2, keyEvent) }),
  INPUT_PASTE: frame(0x11, "INPUT_PASTE", "c2s", { terminal_id: field(1, resourceId), event: field(2, pasteEvent) }),
  INPUT_MOUSE: frame(0x12, "INPUT_MOUSE", "c2s", { terminal_id: field(1, resourceId), event: field(2, mouseEvent) }),
  INPUT_FOCUS: frame(0x14, "INPUT_FOCUS", "c2s", { terminal_id: field(1, resourceId), event: field(2, focusEvent) }),
  HISTORY_REQUEST: frame(0x16, "HISTORY_REQUEST", "c2s", {
    ...streamFields,
    cursor: field(4, bytes),
    max_bytes: field(5, u32),
    max_rows: field(6, u32),
  }),
  INPUT_TERMINAL_REPLY: frame(0x17, "INPUT_TERMINAL_REPLY", "c2s", {
    terminal_id: field(1, resourceId),
    bytes: field(2, sized(1, limits.terminal_reply)),
  }),
  VIEWPORT_RESIZE: frame(0x20, "VIEWPORT_RESIZE", "c2s", { viewport: field(1, viewportInfo) }),
  FRAME_ACK: frame(0x21, "FRAME_ACK", "c2s", {
    terminal_id: field(1, resourceId),
    seq: field(2, u64),
    stream_id: field(3, u64),
    bootstrap_id: field(4, u64),
  }),
  SPAWN_RESOURCE: frame(0x22, "SPAWN_RESOURCE", "c2s", {
    request_id: optional(1, u32),
    group: optional(2, u32),
    command: optional(3, stringList),
    cwd: optional(4, str),
    env: optional(5, env),
    term: optional(6, str),
    satellite: optional(7, str),
    owner_terminal: optional(8, resourceId),
    agent_session: optional(9, bytes),
    initial_size: optional(10, gridSize),
    kind: optional(11, u8),
    parent: optional(12, resourceId),
    provider: optional(13, str),
    native_id: optional(14, str),
    bind_instance: optional(15, bool),
    retain_secs: optional(16, u32),
    idempotency_key: optional(17, mintedId),
  }),
  RESIZE_TERMINAL: frame(0x23, "RESIZE_TERMINAL", "c2s", {
    terminal_id: field(1, resourceId),
    cols: optional(2, u16),
    rows: optional(3, u16),
    // Both or neither, and only under the feature bit resize_cell_px.
    cell_width_px: optional(4, u16),
    cell_height_px: optional(5, u16),
  }),
  MOVE_RESOURCE: frame(0x2a, "MOVE_RESOURCE", "c2s", {
    request_id: optional(1, u32),
    terminal: field(2, resourceId),
    owner_terminal: field(3, resourceId),
  }),
  COMMAND: frame(0x31, "COMMAND", "c2s", { request_id: optional(1, u32), command: field(2, command) }),
  SUBSCRIBE_EVENTS: frame(0x41, "SUBSCRIBE_EVENTS", "c2s", {
    terminal: optional(1, resourceId),
    after_seq: optional(2, u64),
  }),
  GET_METADATA: frame(0x50, "GET_METADATA", "c2s", {
    request_id: optional(1, u32),
    scope: field(2, scope),
    key: field(3, str),
  }),
  SET_METADATA: frame(0x51, "SET_METADATA", "c2s", {
    request_id: optional(1, u32),
    scope: field(2, scope),
    key: field(3, str),
    value: optional(4, bytes),
  }),
  DELETE_METADATA: frame(0x52, "DELETE_METADATA", "c2s", {
    request_id: optional(1, u32),
    scope: field(2, scope),
    key: field(3, str),
  }),
  LIST_METADATA: frame(0x53, "LIST_METADATA", "c2s", { request_id: optional(1, u32), scope: field(2, scope) }),
  SUBSCRIBE_METADATA: frame(0x54, "SUBSCRIBE_METADATA", "c2s", { scope: field(1, scope), key: field(2, str) }),
  LIST_DIRECTORY: frame(0x55, "LIST_DIRECTORY", "c2s", {
    request_id: optional(1, u32),
    path: optional(2, str),
    host: optional(3, str),
  }),
  PATH_QUERY: frame(0x56, "PATH_QUERY", "c2s", {
    request_id: field(1, u32),
    root: field(2, str),
    query: field(3, str),
    recursive: field(4, bool),
    host: optional(5, str),
  }),
} as const;
