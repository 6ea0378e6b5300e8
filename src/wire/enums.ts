/** The numbers of the protocol by name. Which of them a decoder refuses when unknown is said where they are used. */

/** The name of a number in one of the tables below, or null when the table does not have it. */
export function nameOf<T extends Readonly<Record<string, number>>>(table: T, value: number): (keyof T & string) | null {
  for (const name in table) if (table[name] === value) return name;
  return null;
}

export const ColorTier = { truecolor: 0, indexed256: 1, indexed16: 2, mono: 3 } as const;
export const Layers = { L1: 1, L2_reserved: 2, L3: 4 } as const;
export const ImageProtocols = { sixel: 1, kitty: 2, iterm2: 4 } as const;
export const KeyboardProtocols = { kitty: 1, modify_other_keys: 2 } as const;
export const OutputMode = { raw: 0, statesync: 1 } as const;
export const BootstrapProfiles = {
  retired: 1,
  synthesized_vt_raw: 2,
  synthesized_vt_statesync: 4,
  native_state: 8,
} as const;
export const NativeCodecs = { legacy_checkpoint_v2: 4, retired: 8, libghostty_snapshot_v1: 16 } as const;
export const NativeFeatures = {
  continuation: 1,
  ready_boundary: 2,
  history_pages: 4,
  bounded_history_control: 8,
} as const;
export const Compression = { none: 0, deflate: 1 } as const;

export const FocusEvent = { gained: 0, lost: 1 } as const;
export const KeyAction = { release: 0, press: 1, repeat: 2 } as const;
export const ModSet = {
  shift: 1,
  ctrl: 2,
  alt: 4,
  super: 8,
  caps_lock: 16,
  num_lock: 32,
  shift_side: 64,
  ctrl_side: 128,
  alt_side: 256,
  super_side: 512,
} as const;
export const MouseAction = { press: 0, release: 1, motion: 2 } as const;
export const MouseButton = {
  unknown: 0,
  left: 1,
  right: 2,
  middle: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
} as const;
export const PasteTrust = { trusted: 0, untrusted: 1 } as const;

export const StateScope = { server: 0 } as const;
export const ResourceEventType = {
  shell_state_changed: 0,
  command_started: 1,
  command_ended: 2,
  output_received: 3,
  prompt_ready: 4,
  grid_changed: 5,
  cwd_changed: 6,
} as const;
export const InputMode = { cooperative: 0, seize: 1 } as const;
export const TerminalSignal = { interrupt: 0, freeze: 1, resume: 2, terminate: 3, kill: 4 } as const;
export const ReportedAgentState = { working: 0, blocked: 1, done: 2 } as const;
export const ResourceKind = { terminal: 0, agent_session: 1 } as const;
export const RolePolicy = { viewer: 1, deliberate: 2 } as const;
export const KillConditions = { unattached_since_spawn: 1 } as const;
/** The low seven bits of the format byte of GET_SCREEN; UNWRAP_BIT joins soft-wrapped rows (wire.md 11.1). */
export const GetScreenFormat = { none: 0, html: 1, vt: 2 } as const;
export const UNWRAP_BIT = 0x80;
export const ListenerTransport = { quic: 0 } as const;

export const CloseReason = { exited: 0, killed: 1, parent_closed: 2, server_shutdown: 3 } as const;
/** An absent or unknown reason is "unstated", never "requested" (wire.md 7.2). */
export const DetachReason = {
  requested: 0,
  server_shutdown: 1,
  session_killed: 2,
  replaced: 3,
  protocol_error: 4,
  authentication_failed: 5,
  authorization_revoked: 6,
  authorization_expired: 7,
  internal_error: 255,
} as const;
export const TombstoneReason = {
  raw_replay_overflow: 0,
  outbound_gap: 1,
  resize: 2,
  relay_reconnect: 3,
  explicit_reattach: 4,
  codec_failure: 5,
  other: 6,
} as const;
export const HistoryTombstoneReason = {
  stale: 0,
  pruned: 1,
  reset: 2,
  resize: 3,
  expired: 4,
  released: 5,
  limit: 6,
  codec_failure: 7,
} as const;
export const HistoryRejectionReason = { zero_limit: 0, too_small: 1, busy: 2 } as const;

export const Lifecycle = { running: 0, frozen: 1, exited: 2 } as const;
export const ControlAction = {
  acquired: 0,
  seized: 1,
  released: 2,
  interrupted: 3,
  frozen: 4,
  resumed: 5,
  terminated: 6,
  killed: 7,
  exited: 8,
  expired: 9,
  role_changed: 10,
} as const;
export const ApprovalOutcome = { approved: 0, denied: 1, expired: 2, withdrawn: 3 } as const;
export const SessionFlags = { keep_empty: 1 } as const;
export const DirectoryEntryFlags = { symlink: 1 } as const;
export const DirectoryErrorCode = { not_found: 0, permission_denied: 1, not_a_directory: 2, other: 3 } as const;
export const PathKind = { file: 0, directory: 1, symlink: 2 } as const;
export const PathStatus = { complete: 0, warming: 1, truncated: 2 } as const;
