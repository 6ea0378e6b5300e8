/** Who is in front of a terminal, and whether that is a shell that waits for a line. */
import type { Connection } from "../../phux/connection.ts";
import type { Refusal } from "../../phux/errors.ts";
import { isShell, OCCUPANT_KEY, parseOccupant } from "../../phux/occupant.ts";
import { type ProcessFacts, parseProcessFacts } from "../../phux/process-facts.ts";
import { formatResource } from "../../phux/selector.ts";
import type { ResourceId } from "../../wire/frame.ts";
import { fail, ok, type Result } from "../../wire/result.ts";
import { type ProcessRow, processesOfPane } from "./process-table.ts";

/** What is known of the processes of a terminal; null is "not known". */
export interface Front {
  /** The pane's own program, by its pid and the time that the server gives for its start. */
  readonly child: { readonly pid: number; readonly start: number | null } | null;
  /** Who reads what is typed: its name, and whether it is the pane's own program. */
  readonly process: { readonly name: string; readonly isChild: boolean } | null;
  /** What the shell's own marks say, where it makes any. */
  readonly prompt: "at_prompt" | "running" | null;
  readonly folder: string | null;
}

const UNKNOWN: Front = { child: null, process: null, prompt: null, folder: null };

/** Asks the server. Only a lost connection fails: it need not tell. */
export async function readFront(connection: Connection, pane: ResourceId): Promise<Result<Front, Refusal>> {
  const ask = {
    tag: "GET_TERMINAL_STATE",
    terminal_id: pane,
    include_scrollback: false,
    max_scrollback_lines: 0,
  } as const;
  const answer = await connection.json(ask, `reading the processes of ${formatResource(pane)}`);
  if (!answer.ok && answer.error.wireCode === null) return fail(answer.error.refusal);
  const facts = answer.ok ? parseProcessFacts(answer.value) : null;
  if (facts !== null) return ok(frontOf(facts));
  // 0.8 tells no process there, but keeps the name of the one in front under a key.
  const stored = await connection.metadata({ tag: "resource", id: pane }, OCCUPANT_KEY);
  if (!stored.ok) return stored.error.wireCode === null ? fail(stored.error.refusal) : ok(UNKNOWN);
  const occupant = parseOccupant(stored.value);
  if (occupant === null) return ok(UNKNOWN);
  return ok({ ...UNKNOWN, process: { name: occupant.name, isChild: occupant.isPaneShell } });
}

export function frontOf({ child, foreground, cwd, prompt }: ProcessFacts): Front {
  const pid = typeof child?.pid === "number" ? child.pid : null;
  const start = typeof child?.start_ms === "number" ? child.start_ms : null;
  const group = typeof foreground?.pgid === "number" ? foreground.pgid : null;
  const name = typeof foreground?.name === "string" ? foreground.name : null;
  return {
    child: pid === null ? null : { pid, start },
    process: name === null || group === null ? null : { name, isChild: group === pid },
    prompt: prompt.state === "at_prompt" || prompt.state === "running" ? prompt.state : null,
    folder: typeof cwd === "string" ? cwd : null,
  };
}

/** Why nothing may be typed: the process that would get in the way, null when it is not known. */
export interface Busy {
  readonly process: string | null;
  readonly why: string;
}

/**
 * The rule for an idle terminal, in one place: its own program is in front, is a shell, is not in the middle of a command
 * by its own marks, and nothing else is in its process group, as what a script starts is. `beside` are the other processes
 * of that group that this machine sees. Null: it is idle.
 */
export function busyWith({ process, prompt }: Front, beside: readonly string[]): Busy | null {
  if (process === null) return { process: null, why: "the server does not say what runs in it" };
  const { name, isChild } = process;
  if (!isChild) return { process: name, why: `${name} runs in it` };
  if (!isShell(name)) return { process: name, why: `it has no shell in front, but ${name}` };
  if (prompt === "running") return { process: name, why: `a command of its ${name} runs` };
  const [other] = beside;
  return other === undefined ? null : { process: other, why: `${other} runs in it` };
}

/** The processes that share the group of a pane's own program, which is in front when it is idle. */
export function besideChild(table: readonly ProcessRow[], { child }: Front, terminal: number): readonly string[] {
  if (child === null) return [];
  const rows = processesOfPane(table, child.pid, terminal);
  return rows.filter((row) => row.group === child.pid && row.pid !== child.pid).map((row) => row.name);
}
