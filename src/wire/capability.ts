import type { ValueOf } from "./codec.ts";
import { opt, record, trailing } from "./composite.ts";
import { BootstrapProfiles, ColorTier, ImageProtocols, KeyboardProtocols, Layers, OutputMode } from "./enums.ts";
import { checked, oneOf, rgb24, str, u8, u16, u32, u64 } from "./primitive.ts";
import { bare, plain, union } from "./union.ts";

/** Chunk and page sizes on offer: zero or more than this is malformed (wire.md 6.1). */
const MAX_OFFER = 8_388_608;
const offer = checked(u32, `not 1 to ${MAX_OFFER} bytes`, (value) => value >= 1 && value <= MAX_OFFER);

export const clientCapabilities = record({
  color: oneOf(u8, "color tier", ColorTier),
  layers: u8,
  images: u8,
  kbd_protocols: u8,
  hyperlinks: u8,
  output_mode: u8,
  default_colors: opt(record({ foreground: rgb24, background: rgb24 })),
  bootstrap_profiles: u8,
  native_codecs: u64,
  native_features: u32,
  max_chunk_bytes: offer,
  max_history_page_bytes: offer,
});
export type ClientCapabilities = ValueOf<typeof clientCapabilities>;

/**
 * What a client without a screen offers: exactly these 28 bytes, which every server accepts. Without L3 the server
 * answers no metadata request at all, and without a synthesized profile it refuses HELLO (wire.md 6.1).
 */
export const headlessCapabilities: ClientCapabilities = {
  color: ColorTier.truecolor,
  layers: Layers.L1 | Layers.L3,
  images: ImageProtocols.sixel | ImageProtocols.kitty | ImageProtocols.iterm2,
  kbd_protocols: KeyboardProtocols.kitty | KeyboardProtocols.modify_other_keys,
  hyperlinks: 1,
  output_mode: OutputMode.raw,
  default_colors: null,
  bootstrap_profiles: BootstrapProfiles.synthesized_vt_raw | BootstrapProfiles.synthesized_vt_statesync,
  native_codecs: 0n,
  native_features: 0,
  max_chunk_bytes: 262_144,
  max_history_page_bytes: 1_048_576,
};

/** An absent word is a word of zeros. */
export const serverCapabilities = record(
  { layers: u8 },
  { trailing: { features: trailing(u32, 0), features_ext: trailing(u32, 0) } },
);
export type ServerCapabilities = ValueOf<typeof serverCapabilities>;

export const bootstrapProfile = union({
  synthesized_vt_raw: bare(1),
  synthesized_vt_statesync: bare(2),
  native_state: plain(3, { codec: u8, features: u32 }),
});
export type BootstrapProfile = ValueOf<typeof bootstrapProfile>;

/** Written by the ssh bridge only (0.9). */
export const sshOrigin = record({
  client_addr: str,
  client_port: u16,
  server: opt(record({ addr: str, port: u16 })),
});
export type SshOrigin = ValueOf<typeof sshOrigin>;

/** Bits a server advertises: `[word, bit]`. A client sees the bit before it sends what the bit gates (wire.md 6.2). */
export const features = {
  acknowledged_input: [0, 4],
  file_upload: [0, 5],
  move_resource: [0, 6],
  terminal_reply: [0, 7],
  shutdown: [0, 8],
  spawn_initial_size: [0, 9],
  report_agent_state: [0, 10],
  get_perf: [0, 11],
  transcribe: [0, 13],
  resource_kinds: [0, 14],
  list_directory: [0, 15],
  host_sessions: [0, 16],
  keep_empty_sessions: [0, 17],
  whoami: [0, 18],
  list_directory_host: [0, 19],
  ssh_origin: [0, 20],
  conditional_kill: [0, 21],
  quic_streams: [0, 22],
  open_listener: [0, 23],
  event_journal: [0, 24],
  retain_on_exit: [0, 25],
  spawn_idempotency: [0, 26],
  attach_roles: [0, 27],
  close_tab_resources: [0, 28],
  keyed_signal: [0, 29],
  approvals: [0, 30],
  path_query: [1, 0],
  resize_cell_px: [1, 1],
} as const satisfies Record<string, readonly [word: 0 | 1, bit: number]>;

export type Feature = keyof typeof features;

// `features` above is the only source of these keys.
const allFeatures = Object.keys(features) as Feature[];

export function hasFeature(server: ServerCapabilities, feature: Feature): boolean {
  const [word, bit] = features[feature];
  const bits = (word === 0 ? server.features : server.features_ext) ?? 0;
  return ((bits >>> bit) & 1) === 1;
}

/** Names of the known features a server advertises, in bit order; unknown bits are ignored. */
export function featureNames(server: ServerCapabilities): Feature[] {
  return allFeatures.filter((feature) => hasFeature(server, feature));
}

/** The capabilities of a server with these features; a word of zeros is left out unless a later one is not. */
export function capabilitiesOf(names: readonly Feature[], layers = 0x07): ServerCapabilities {
  const words = [0, 0];
  for (const name of names) {
    const [word, bit] = features[name];
    words[word] = ((words[word] ?? 0) | (1 << bit)) >>> 0;
  }
  const [first = 0, second = 0] = words;
  if (second !== 0) return { layers, features: first, features_ext: second };
  return first === 0 ? { layers } : { layers, features: first };
}
