/** The terminal that a call names, and what the person at the guard recognises it by. */
import type { Connection } from "../../phux/connection.ts";
import { type Refusal, refuse, sentence } from "../../phux/errors.ts";
import { Inventory } from "../../phux/inventory.ts";
import { formatResource } from "../../phux/selector.ts";
import { selectorOf } from "../../phux/target.ts";
import type { ResourceId, ResourceRow, SessionRow } from "../../wire/frame.ts";
import { fail, ok, type Result } from "../../wire/result.ts";
import type { Target } from "../request.ts";
import type { Front } from "./front.ts";
import { readFront } from "./front.ts";
import { wasMoved } from "./moved-mark.ts";

export interface FoundTerminal {
  readonly id: ResourceId;
  /** Its selector, `@4`. */
  readonly name: string;
  readonly row: ResourceRow;
  readonly inventory: Inventory;
  /** The session that the server counts it to, whoever brought it there. */
  readonly session: SessionRow | null;
}

/** A terminal with who is in front of it, and the request's target that this makes. */
export interface KnownTerminal extends FoundTerminal {
  readonly front: Front;
  readonly target: Target;
}

/** The terminal of an id like `@4`: ids alone, because a name could mean another one by the time it is typed into. */
export async function findTerminal(connection: Connection, text: string): Promise<Result<FoundTerminal, Refusal>> {
  const selector = selectorOf(text);
  if (!selector.ok) return selector;
  if (selector.value.form !== "id") {
    return fail(refuse("invalid_selector", `${JSON.stringify(text)} is no terminal's id`, "list_terminals gives ids"));
  }
  const state = await connection.state();
  if (!state.ok) return fail(state.error.refusal);
  const inventory = new Inventory(state.value.snapshot);
  const id = { tag: "local", id: selector.value.id } as const;
  const row = inventory.find(id);
  const name = formatResource(id);
  if (row === null || !inventory.isTerminal(id)) {
    return fail(refuse("no_such_target", `there is no terminal ${name}`, "call list_terminals to see what there is"));
  }
  return ok({ id, name, row, inventory, session: sessionOf(inventory, row) });
}

export function sessionOf(inventory: Inventory, row: ResourceRow): SessionRow | null {
  const window = inventory.windowOf(row);
  return inventory.snapshot.sessions.find(({ id }) => id === window?.session_id) ?? null;
}

/** The same with what is in front. */
export async function knowTerminal(connection: Connection, text: string): Promise<Result<KnownTerminal, Refusal>> {
  const found = await findTerminal(connection, text);
  if (!found.ok) return found;
  const front = await readFront(connection, found.value.id);
  if (!front.ok) return front;
  const moved = await wasMoved(connection, found.value.id);
  if (!moved.ok) return moved;
  const { name, row, session } = found.value;
  const target: Target = {
    terminal: name,
    // What an agent brought into a group is in none for grants: it carries no right along, and gains none.
    group: session === null || moved.value ? null : String(session.id),
    title: row.title ?? "",
    folder: front.value.folder ?? row.cwd ?? "",
    process: front.value.process?.name ?? "",
  };
  return ok({ ...found.value, front: front.value, target });
}

/**
 * The terminal again, after the person was asked: a refusal when it is not what the person was shown. What is in front may
 * have changed, as a command that ended; the program of the pane and its group may not.
 */
export async function knowSame(connection: Connection, before: KnownTerminal): Promise<Result<KnownTerminal, Refusal>> {
  const now = await knowTerminal(connection, before.name);
  if (!now.ok) return now;
  const changed = changeBetween(before, now.value);
  if (changed === null) return now;
  return fail(sentence(`${before.name} ${changed} while the question was open: nothing was done. Look and ask again.`));
}

function changeBetween(before: KnownTerminal, now: KnownTerminal): string | null {
  if (before.session?.id !== now.session?.id || before.target.group !== now.target.group) return "changed its group";
  const [was, is] = [before.front.child, now.front.child];
  return was?.pid === is?.pid && was?.start === is?.start ? null : "started another program";
}
