import type { ValueOf } from "./codec.ts";
import { atMost, list16, opt, record, trailing } from "./composite.ts";
import { designedCommands } from "./designed.ts";
import { InputMode, ReportedAgentState, StateScope, TerminalSignal } from "./enums.ts";
import { type ResourceId, resourceId } from "./identity.ts";
import { type InputEvent, inputEvent } from "./input.ts";
import { limits } from "./limits.ts";
import { bool, bytes, bytes16, bytes32, checked, mintedId, oneOf, sized, str, u8, u16, u32, u64 } from "./primitive.ts";
import { sessionSnapshot } from "./state.ts";
import { field, optional, repeated } from "./tagged.ts";
import { bare, plain, union, variant } from "./union.ts";
import { Writer } from "./writer.ts";

/** A key that makes a repeat harmless; only where `keyed_signal` is advertised (wire.md 16). */
const operation = { operation_id: trailing(mintedId) };

const inputBatch = checked(
  list16(inputEvent),
  `more than ${limits.apply_input_events} events`,
  (events) => events.length <= limits.apply_input_events,
);

const fileChunk = checked(
  record({
    upload_id: mintedId,
    terminal_id: resourceId,
    extension: str,
    offset: u64,
    data: sized(0, limits.put_file_chunk),
    final_chunk: bool,
    sha256: opt(bytes32),
  }),
  `a file over ${limits.put_file_total} bytes`,
  ({ offset, data }) => offset + BigInt(data.length) <= BigInt(limits.put_file_total),
);

/**
 * Bytes of the body of an APPLY_INPUT with these events. To be compared with `limits.apply_input_body` before
 * sending: over it, encoding throws, and a server that got it would drop the connection (wire.md 14.2).
 */
export function inputBatchBytes(terminal: ResourceId, events: readonly InputEvent[]): number {
  const to = new Writer();
  resourceId.write(to, terminal);
  for (const event of events) inputEvent.write(to, event);
  return bytes16.least + list16(inputEvent).least + to.length;
}

/** Everything a client can ask of the server (wire.md 9.2). Tags 0x00, 0x04, 0x06, 0x0a and 0x0b are not ours to use. */
export const command = union({
  ATTACH_RESOURCE: variant(0x01, record({ terminal_id: resourceId }, { trailing: { role_policy: trailing(u8, 0) } })),
  DETACH_RESOURCE: plain(0x02, { terminal_id: resourceId }),
  KILL_RESOURCE: variant(0x03, record({ terminal_id: resourceId }, { trailing: operation })),
  GET_STATE: plain(0x05, { scope: oneOf(u8, "state scope", StateScope) }),
  // A 0.9 client always writes `format`, a 0.8 client never: the caller says so by leaving it out.
  GET_SCREEN: variant(
    0x07,
    record(
      { terminal_id: resourceId, request_scrollback: opt(u32) },
      { trailing: { cells: trailing(bool, false), format: trailing(u8, 0) } },
    ),
  ),
  ROUTE_INPUT: plain(0x08, { terminal_id: resourceId, event: inputEvent }),
  KILL_RESOURCES: variant(0x09, record({ ids: list16(resourceId) }, { trailing: operation })),
  GET_TERMINAL_STATE: plain(0x0c, { terminal_id: resourceId, include_scrollback: bool, max_scrollback_lines: u16 }),
  SUBSCRIBE_RESOURCE_EVENTS: plain(0x0d, { terminal_id: resourceId, event_types: list16(u8) }),
  UPGRADE: bare(0x0e),
  ACQUIRE_INPUT: plain(0x0f, { terminal_id: resourceId, mode: oneOf(u8, "input mode", InputMode), ttl_ms: u32 }),
  RELEASE_INPUT: plain(0x10, { terminal_id: resourceId }),
  SIGNAL_TERMINAL: variant(
    0x11,
    record({ terminal_id: resourceId, signal: oneOf(u8, "signal", TerminalSignal) }, { trailing: operation }),
  ),
  REPORT_ASKED: variant(
    0x12,
    record(
      { terminal_id: resourceId },
      {
        tagged: {
          id: optional(1, str),
          question: field(2, str),
          suggestion: repeated(3, str),
          elapsed_seconds: optional(4, u64),
        },
      },
    ),
  ),
  DETACH_CLIENTS: plain(0x13, { session: opt(str) }),
  // Over a bound the real server cannot decode the batch and drops the connection (wire.md 14.2).
  APPLY_INPUT: variant(
    0x14,
    atMost(record({ operation_id: mintedId, terminal_id: resourceId, events: inputBatch }), limits.apply_input_body),
  ),
  PUT_FILE: variant(0x15, fileChunk),
  SHUTDOWN: bare(0x16),
  REPORT_AGENT_STATE: plain(0x17, {
    terminal_id: resourceId,
    state: oneOf(u8, "reported agent state", ReportedAgentState),
  }),
  GET_PERF: plain(0x18, { reset: bool }),
  TRANSCRIBE: plain(0x19, { upload_id: mintedId, terminal_id: resourceId }),
  APPEND_RESOURCE_OUTPUT: plain(0x1a, { terminal_id: resourceId, bytes }),
  KILL_RESOURCE_IF: variant(
    0x1b,
    record({ terminal_id: resourceId, instance: opt(bytes16), conditions: u8 }, { trailing: operation }),
  ),
  OPEN_LISTENER: plain(0x1c, { transport: u8, port_min: u16, port_max: u16, linger_secs: u32 }),
  CLOSE_TAB_RESOURCES: plain(0x1d, { ids: list16(resourceId) }),
  ...designedCommands,
});
export type Command = ValueOf<typeof command>;
export type CommandName = Command["tag"];

/** What a successful command gives back, where it gives anything (wire.md 9.1). */
export const commandValue = union({
  resource_id: plain(0, { id: resourceId }),
  group_id: plain(1, { group: u32 }),
  state: plain(2, { state: sessionSnapshot }),
  json: plain(3, { json: str }),
  bytes: plain(4, { bytes }),
  file_upload: plain(5, { next_offset: u64, path: opt(str) }),
});
export type CommandValue = ValueOf<typeof commandValue>;

export const commandResult = union({
  ok: bare(0),
  ok_with: plain(1, { value: commandValue }),
  error: plain(2, { code: u16, message: str }),
});
export type CommandResult = ValueOf<typeof commandResult>;
