interface CodeRow {
  /** Exit status the `phux` command line would have used, unless the verb says otherwise. */
  readonly exit: number;
  /** The next step for whoever reads the refusal, when the caller knows no better one. */
  readonly remedy: string;
}

const row = (exit: number, remedy: string): CodeRow => ({ exit, remedy });

/**
 * Every code an in-process tool may answer with (spec/client.md 9.1, and the four of 9.3 that 9.2 maps a wire
 * error to). The list is closed: a failure without a row here is a plain sentence.
 */
export const errorCodes = {
  no_server: row(1, "start phux (`phux`, or `phux server`) and call again; `phux doctor` inspects the installation"),
  server_disconnected: row(1, "run `phux doctor`; if this call was a write, look at its effect before repeating it"),
  transport: row(1, "run `phux doctor`; when the two sides differ in version, upgrade the older one (`phux upgrade`)"),
  invalid_selector: row(
    2,
    "write a session, session:window, session:window.pane, @id, host/@id, #tag, %agent, or `.` for the focused session",
  ),
  no_such_target: row(1, "call phux_ls to see what exists, then name one of those"),
  partial_view: row(3, "call again once every host of the fleet answers"),
  invalid_agent_name: row(2, "give that pane a name of its own with phux_agent_set, or address it by its @id"),
  agent_withdrawn: row(2, "look at the pane first, then address it by its @id"),
  agent_session_ambiguous: row(2, "address one of the agent sessions by its @id"),
  selector_not_single: row(2, "name one pane, by its @id or as session:window.pane"),
  selector_miss: row(2, "call phux_ls to see the panes, then name one of those"),
  satellite_target: row(2, "choose a pane of this host"),
  same_pane: row(2, "name two different panes"),
  cross_session: row(2, "choose panes of one session, or carry one over with phux_move_pane"),
  unknown_terminal_session: row(2, "call phux_ls to see which session each pane belongs to"),
  invalid_ratio: row(2, "give a number between 0 and 1, neither included, such as 0.5"),
  layout_missing: row(2, "attach to the session once, which stores a layout for it"),
  pane_not_in_layout: row(2, "place the pane first with phux_insert_pane"),
  pane_already_in_layout: row(2, "the pane is drawn already: carry it elsewhere with phux_move_pane"),
  layout_rejected: row(2, "read the session's layout again, then repeat the edit"),
  projection_invalid: row(2, "write the key as <prefix>.layout/v1/<session id>, with the id of this session"),
  projection_arity: row(2, "leave projections out, or give one for each session concerned"),
  server_too_old: row(2, "bring the server up to date with `phux upgrade`"),
  move_refused: row(1, "check both panes with phux_ls, then try again"),
  post_move_state_failed: row(1, "the pane has moved: look where it is with phux_ls"),
  destination_changed: row(1, "look at the destination with phux_ls, then try again"),
  destination_layout_failed: row(1, "check with phux_ls which session owns the pane, then repeat the placement"),
  source_layout_failed: row(1, "repeat the call before relying on the layout of either session"),
  spawn_failed: row(1, "correct what the message names, then spawn again"),
  unsupported_server: row(2, "bring the server up to date (`phux upgrade`), or do without this feature"),
  invalid_idempotency_key: row(2, "make a key from 16 random bytes, written as 32 hex digits"),
  idempotency_conflict: row(2, "use a fresh key: this one belongs to another request"),
  invalid_cursor: row(2, "pass a cursor exactly as an answer gave it, or none"),
  invalid_session_name: row(2, "choose a name without `:` and `/@` that does not start with @, # or %"),
  session_exists: row(2, "choose a name that no session has"),
  format_unsupported: row(2, "upgrade the server, or ask for the screen without `format`"),
  permission_denied: row(2, "use a connection whose credential allows this"),
  input_not_written: row(1, "nothing was typed: check the pane, then send it again"),
  delivery_unknown: row(1, "look at the pane before anything else, and do not send the input again"),
  agent_pane_not_available: row(
    2,
    "nothing was typed: name a pane that stands at a shell's prompt, type keys with phux_send_keys, or pass force: true",
  ),
  input_lease_held: row(2, "wait until the holder lets go, or ask them"),
  input_busy: row(1, "nothing was typed: send it again in a moment"),
  unsafe_paste: row(2, "shorten the text to one line, or vouch for it by leaving `untrusted` out"),
  canonical_limit_exceeded: row(2, "nothing was typed: send less at once, or pass it as a file with phux_upload"),
  input_too_large: row(2, "nothing was typed: send less at once, or pass it as a file with phux_upload"),
  resource_running: row(2, "wait until the pane has ended, or end it with phux_kill"),
  no_such_operation: row(1, "operation ids live as long as this adapter: look at the panes themselves"),
  io: row(1, "check that the path exists, is readable and is not being written"),
  upload_too_large: row(2, "send at most 64 MiB"),
  mailbox_full: row(1, "read and acknowledge messages with phux_mail_ack first"),
  no_such_message: row(1, "read the mailbox again and reply to a message that is in it"),
  claim_held: row(2, "wait until the claim expires, or ask its holder"),
  claim_lost: row(2, "take the claim again with phux_claim_take"),
  invalid_config: row(2, "correct the file that the message names; `phux config check` tells more"),
  json_serialize: row(1, "this is a defect of phux-mcp: please report it"),
  internal_error: row(1, "this is a defect of phux-mcp: please report it"),
  wrong_resource_kind: row(2, "see with phux_resource_methods what this resource can do"),
  not_producer: row(2, "only the connection that opened the agent session may append to it"),
  record_invalid: row(2, "correct the record, then send it again"),
  overflow: row(2, "close the agent session and open another: its log is full"),
} as const satisfies Readonly<Record<string, CodeRow>>;

export type ErrorDocumentCode = keyof typeof errorCodes;
