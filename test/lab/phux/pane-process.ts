import type { Connection } from "../../../src/phux/connection.ts";
import { parseJsonObject } from "../../../src/phux/json-object.ts";
import { parseProcessFacts } from "../../../src/phux/process-facts.ts";
import { formatResource } from "../../../src/phux/selector.ts";
import type { ResourceId } from "../../../src/wire/frame.ts";
import { fail, ok, type Result } from "../../../src/wire/result.ts";
import type { CliRefusal } from "./refusal.ts";

/** Who has the terminal of a pane. */
export interface Occupant {
  /** Its name as the kernel has it. */
  readonly name: string;
  /** Whether it is the pane's own program. */
  readonly isPaneProgram: boolean;
  /** Its process group when the server asked the kernel just now, null for what it remembers from the last rest. */
  readonly pgid: number | null;
}

/** What a server tells of the processes of a pane; null is "not known". */
export interface PaneProcess {
  readonly occupant: Occupant | null;
  readonly cwd: string | null;
  /** At a prompt, or running a command, where the shell marks both. */
  readonly prompt: string | null;
}

const OCCUPANT_KEY = "phux.pane-occupant/v1";
const nothing: PaneProcess = { occupant: null, cwd: null, prompt: null };

/** Asks for the processes of a pane. Only a lost connection fails: a server need not tell. */
export async function paneProcess(connection: Connection, pane: ResourceId): Promise<Result<PaneProcess, CliRefusal>> {
  if (pane.tag === "satellite") return ok(nothing);
  const ask = {
    tag: "GET_TERMINAL_STATE",
    terminal_id: pane,
    include_scrollback: false,
    max_scrollback_lines: 0,
  } as const;
  const answer = await connection.json(ask, `reading the processes of ${formatResource(pane)}`);
  if (!answer.ok && answer.error.wireCode === null) return fail(answer.error.refusal);
  const facts = answer.ok ? parseProcessFacts(answer.value) : null;
  // 0.8 tells no process there, but keeps the name of the one in front under a key.
  if (facts === null) return remembered(connection, pane);
  const { foreground, child, cwd, prompt } = facts;
  const known = typeof foreground?.name === "string" && typeof foreground.pgid === "number";
  return ok({
    occupant: known
      ? { name: String(foreground.name), isPaneProgram: foreground.pgid === child?.pid, pgid: Number(foreground.pgid) }
      : null,
    cwd: typeof cwd === "string" ? cwd : null,
    prompt: typeof prompt.state === "string" && prompt.state !== "unknown" ? prompt.state : null,
  });
}

async function remembered(connection: Connection, pane: ResourceId): Promise<Result<PaneProcess, CliRefusal>> {
  const stored = await connection.metadata({ tag: "resource", id: pane }, OCCUPANT_KEY);
  if (!stored.ok) return stored.error.wireCode === null ? fail(stored.error.refusal) : ok(nothing);
  const { foreground, is_pane_shell } = (stored.value && parseJsonObject(stored.value)) ?? {};
  if (typeof foreground !== "string" || typeof is_pane_shell !== "boolean") return ok(nothing);
  return ok({ ...nothing, occupant: { name: foreground, isPaneProgram: is_pane_shell, pgid: null } });
}
