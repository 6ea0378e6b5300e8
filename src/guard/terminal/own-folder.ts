import { statSync } from "node:fs";
import type { Connection } from "../../phux/connection.ts";
import type { GuardedCall } from "../tool.ts";
import { findTerminal } from "./found-terminal.ts";
import { readFront } from "./front.ts";

/** The folder in which the caller's own terminal stands; null for one outside every terminal, or elsewhere. */
export async function ownFolder(connection: Connection, call: GuardedCall): Promise<string | null> {
  const own = call.asker.tab === null ? null : await findTerminal(connection, call.asker.tab.terminal);
  if (own?.ok !== true) return null;
  const front = await readFront(connection, own.value.id);
  const folder = (front.ok ? front.value.folder : null) ?? own.value.row.cwd;
  return folder !== null && statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? folder : null;
}
