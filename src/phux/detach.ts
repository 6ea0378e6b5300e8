import { beginningOf } from "../text/character.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import type { Action } from "./action.ts";
import { type Refusal, sentence } from "./errors.ts";

/**
 * Ejects the viewers of a session, or of the whole server for null, and gives their number (client.md 4.11). The name is
 * the server's to resolve: 0.8 counts nobody in a session that it does not know, later ones may refuse it.
 */
export async function detachViewers(action: Action, session: string | null): Promise<Result<number, Refusal>> {
  const what = session === null ? "detaching every viewer" : `detaching the viewers of ${JSON.stringify(session)}`;
  const answer = await action.request({ tag: "DETACH_CLIENTS", session }, what);
  if (!answer.ok) return fail(answer.error.refusal);
  const said = answer.value ?? "";
  // A number as a JSON text; one too long for it counts nobody's viewers.
  if (/^\s*[0-9]{1,15}\s*$/.test(said)) return ok(Number(said));
  return fail(sentence(`the server's answer to ${what} is no count: ${JSON.stringify(beginningOf(said, 80))}`));
}
