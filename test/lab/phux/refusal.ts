import { agentCodes } from "./agent-codes.ts";

/** Why a verb could not answer. The refusals of the client half fit in: its codes are some of the CLI's. */
export interface CliRefusal {
  /** Null where phux has no code: the message is the whole answer. */
  readonly code: string | null;
  readonly message: string;
  readonly remedy: string;
  readonly exitCode: number;
}

/** The codes that only the command line has, with their exit status (tools.md 11) and their next step. */
const cliCodes = {
  session_exists: { exit: 1, remedy: "choose a name that no session has; `phux ls` shows them" },
  session_create_failed: { exit: 1, remedy: "look with `phux ls` before asking again" },
  server_start_failed: { exit: 1, remedy: "start it by hand with `phux server`, which says what is wrong" },
  server_start_timeout: { exit: 1, remedy: "start it by hand with `phux server`, and look what it does" },
  no_agent_session: { exit: 2, remedy: "open one with `phux agent session open`" },
  parent_not_found: { exit: 1, remedy: "name a pane that is alive; `phux ls` shows them" },
  parent_kind_mismatch: { exit: 2, remedy: "name the pane in which the agent runs" },
  agent_session_refused: { exit: 1, remedy: "correct what the message names, then open it again" },
  unknown_integration: { exit: 2, remedy: "choose one that `phux launch --list` shows" },
  ambiguous_integration: { exit: 2, remedy: "put the plugin before it: PLUGIN/INTEGRATION" },
  workspace: { exit: 1, remedy: "name a folder inside a git checkout" },
  ...agentCodes,
} as const;

/** `exitCode` where a verb has its own. */
export function refuseCli(code: keyof typeof cliCodes, message: string, exitCode?: number): CliRefusal {
  const { exit, remedy } = cliCodes[code];
  return { code, message, remedy, exitCode: exitCode ?? exit };
}

/** The one line that ends stderr with --json (tools.md 11); null for a refusal without a code, which is plain text. */
export function refusalDocument({ code, message, remedy, exitCode }: CliRefusal): string | null {
  if (code === null) return null;
  return JSON.stringify({ schema_version: 1, error: { code, message }, remedy, exit_code: exitCode });
}
