import type { ValueOf } from "./codec.ts";
import { opt, record } from "./composite.ts";
import { ApprovalOutcome, ControlAction, Lifecycle } from "./enums.ts";
import { resourceId } from "./identity.ts";
import { approvalId, familiar, i32, str, u8, u32, u64 } from "./primitive.ts";
import { field, optional, repeated } from "./tagged.ts";
import { bare, plain, sizedUnion, variant } from "./union.ts";

/**
 * What happened (wire.md 19.2). A tag we do not know, and a body with a lifecycle, action, outcome or approval id we
 * do not know, is kept as `{ tag: "unknown", raw_tag, body }`: a newer server must not break a watch.
 */
export const agentEvent = sizedUnion({
  command_started: bare(0x00),
  command_finished: plain(0x01, { exit_code: opt(i32) }),
  title_changed: plain(0x02, { title: str }),
  bell: bare(0x03),
  pane_spawned: variant(0x04, record({}, { tagged: { kind: optional(1, u8), parent: optional(2, resourceId) } })),
  pane_closed: plain(0x05, { exit_status: opt(i32) }),
  dirty: bare(0x06),
  idle: bare(0x07),
  terminal_control: plain(0x08, {
    lifecycle: familiar(u8, Lifecycle),
    exit_status: opt(i32),
    input_holder: opt(u32),
    action: familiar(u8, ControlAction),
    actor: opt(u32),
  }),
  asked: variant(
    0x09,
    record(
      {},
      {
        tagged: {
          id: field(1, str),
          question: field(2, str),
          suggestion: repeated(3, str),
          elapsed_seconds: optional(4, u64),
        },
      },
    ),
  ),
  cwd_changed: plain(0x0a, { cwd: str }),
  journal_gap: variant(0x0b, record({}, { tagged: { first_missing: field(1, u64), last_missing: field(2, u64) } })),
  source_gap: variant(0x0c, record({}, { tagged: { dropped: field(1, u64) } })),
  approval_requested: plain(0x0d, { id: approvalId }),
  approval_decided: plain(0x0e, { id: approvalId, outcome: familiar(u8, ApprovalOutcome) }),
});
export type AgentEvent = ValueOf<typeof agentEvent>;
export type AgentEventName = AgentEvent["tag"];
