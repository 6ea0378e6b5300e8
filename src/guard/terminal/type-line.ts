import type { Connection } from "../../phux/connection.ts";
import { type Refusal, refuse } from "../../phux/errors.ts";
import { pasteInput, typedKey } from "../../phux/key-event.ts";
import { type Redial, sendKeyed } from "../../phux/keyed.ts";
import { formatResource } from "../../phux/selector.ts";
import { requireFeature } from "../../phux/target.ts";
import type { InputEvent, ResourceId } from "../../wire/frame.ts";

const ENTER = 0x0d;

/**
 * Types one line and Enter as a single acknowledged batch: all of it or nothing, and never twice, also when the answer is
 * lost (wire.md 14.2). Null: the terminal took it.
 */
export async function typeLine(
  connection: Connection,
  pane: ResourceId,
  line: string,
  redial: Redial,
): Promise<Refusal | null> {
  const lacking = requireFeature(connection, "acknowledged_input");
  if (lacking !== null) return lacking;
  const enter = typedKey(ENTER);
  const paste = pasteInput(new TextEncoder().encode(line), true);
  const events: readonly InputEvent[] = enter === null ? [paste] : [paste, enter];
  const key = crypto.getRandomValues(new Uint8Array(16));
  const what = `typing into ${formatResource(pane)}`;
  const { answer } = await sendKeyed(connection, { key, redial }, (line) =>
    line.command({ tag: "APPLY_INPUT", operation_id: key, terminal_id: pane, events }, what),
  );
  if (answer.ok) return null;
  const { refusal, effect } = answer.error;
  return effect === "none" ? refusal : refuse("delivery_unknown", refusal.message);
}
