import { nameOf } from "./enums.ts";

/** Codes of ERROR frames and of COMMAND_RESULT errors (wire.md 7.1). A code that is not here is kept as its number. */
export const ErrorCode = {
  VERSION_INCOMPATIBLE: 1,
  UNKNOWN_MESSAGE_TYPE: 2,
  MALFORMED_MESSAGE: 3,
  FRAME_TOO_LARGE: 4,
  CODEC_UNAVAILABLE: 6,
  NOT_ATTACHED: 100,
  ALREADY_ATTACHED: 101,
  SESSION_NOT_FOUND: 102,
  WINDOW_NOT_FOUND: 103,
  TERMINAL_NOT_FOUND: 104,
  CLIENT_NOT_FOUND: 105,
  UNSUPPORTED_SATELLITE_ROUTE: 106,
  SATELLITE_UNREACHABLE: 107,
  INVALID_COMMAND: 200,
  PERMISSION_DENIED: 201,
  RESOURCE_EXHAUSTED: 202,
  UNSAFE_PASTE: 203,
  INPUT_LEASE_HELD: 204,
  INPUT_DELIVERY_UNKNOWN: 205,
  CANONICAL_LIMIT_EXCEEDED: 206,
  INPUT_NOT_WRITTEN: 207,
  WRONG_RESOURCE_KIND: 208,
  NOT_PRODUCER: 209,
  RECORD_INVALID: 210,
  OVERFLOW: 211,
  PRECONDITION_FAILED: 212,
  INCARNATION_CHANGED: 213,
  INTERNAL_ERROR: 65535,
} as const;

export type ErrorName = keyof typeof ErrorCode;

/** The name of an error code, or null for one that is not allocated. */
export function errorName(code: number): ErrorName | null {
  return nameOf(ErrorCode, code);
}

/**
 * How far an error makes its receiver degrade: `terminal` keeps everything else, `request` fails one request,
 * `connection` expects the server to close. Unknown codes are terminal-scoped.
 */
export type ErrorScope = "terminal" | "request" | "connection";

const requestScoped: ReadonlySet<number> = new Set([
  ...[ErrorCode.NOT_ATTACHED, ErrorCode.ALREADY_ATTACHED, ErrorCode.SESSION_NOT_FOUND, ErrorCode.WINDOW_NOT_FOUND],
  ...[ErrorCode.CLIENT_NOT_FOUND, ErrorCode.UNSAFE_PASTE, ErrorCode.INPUT_LEASE_HELD],
  ...[ErrorCode.INPUT_DELIVERY_UNKNOWN, ErrorCode.CANONICAL_LIMIT_EXCEEDED, ErrorCode.INPUT_NOT_WRITTEN],
  ...[ErrorCode.NOT_PRODUCER, ErrorCode.RECORD_INVALID, ErrorCode.OVERFLOW],
  ...[ErrorCode.PRECONDITION_FAILED, ErrorCode.INCARNATION_CHANGED],
]);

const connectionScoped: ReadonlySet<number> = new Set([
  ...[ErrorCode.VERSION_INCOMPATIBLE, ErrorCode.FRAME_TOO_LARGE],
  ...[ErrorCode.INVALID_COMMAND, ErrorCode.PERMISSION_DENIED],
]);

export function errorScope(code: number): ErrorScope {
  if (requestScoped.has(code)) return "request";
  return connectionScoped.has(code) ? "connection" : "terminal";
}
