/**
 * Why bytes are not what they claim to be.
 *
 * - `truncated`: a value runs past the end of what holds it
 * - `malformed`: a tag, option byte, number, UTF-8 text or rule that the protocol refuses
 * - `frame_empty`, `frame_too_large`: a length prefix outside 1..16 MiB (wire.md 2); both are ERROR 4 on the wire
 * - `unsupported_version`, `bad_window_id`, `malformed_ratio`, `too_large`: layout documents only (client.md 8.2)
 */
export type WireErrorCode =
  | "truncated"
  | "malformed"
  | "frame_empty"
  | "frame_too_large"
  | "unsupported_version"
  | "bad_window_id"
  | "malformed_ratio"
  | "too_large";

export type WireError = { readonly code: WireErrorCode; readonly message: string };

export function wireError(code: WireErrorCode, message: string): WireError {
  return { code, message };
}
