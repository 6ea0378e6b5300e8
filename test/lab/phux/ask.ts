import { formatResource } from "../../../src/phux/selector.ts";
import { resolveOne, selectorOf } from "../../../src/phux/target.ts";
import { fail, ok } from "../../../src/wire/result.ts";
import { value, values, wholeNumber, word } from "./slot.ts";
import { json, socket, verb } from "./verb.ts";

/** A miss on a partial view has the exit of ask's own (tools.md section 11). */
const RULES = { partialViewExit: 1 } as const;

export const ask = verb({
  name: "ask",
  contract: 1,
  slots: {
    id: value("--id"),
    suggestions: values("--suggest"),
    elapsed: wholeNumber("--elapsed-seconds"),
    socket,
    json,
    target: word("TARGET"),
    question: word("QUESTION"),
  },
  async run(given, call) {
    const selector = selectorOf(given.target, RULES);
    if (!selector.ok) return selector;
    const connection = await call.connect(given.socket);
    if (!connection.ok) return connection;
    const pane = await resolveOne(connection.value, given.target, call, RULES);
    if (!pane.ok) return pane;
    const { id = "", question, suggestions, elapsed } = given;
    const terminal = formatResource(pane.value);
    const answer = await connection.value.command(
      {
        ...{ tag: "REPORT_ASKED", terminal_id: pane.value, id, question },
        ...(suggestions.length > 0 && { suggestion: suggestions }),
        ...(elapsed !== undefined && { elapsed_seconds: BigInt(elapsed) }),
      },
      `asking in ${terminal}`,
    );
    if (!answer.ok) return fail(answer.error.refusal);
    const asked = { terminal, id, question, suggestions, elapsed_seconds: elapsed ?? null };
    return ok({
      document: { schema_version: 1, event: "asked", ...asked },
      text: `reported ask ${id} to ${terminal}\n`,
    });
  },
});
