import { formatResource } from "../phux/selector.ts";
import { resolveOne } from "../phux/target.ts";
import { fail, ok } from "../wire/result.ts";
import { anyText, anyTexts, integer, optional, socket, someText } from "./argument.ts";
import { refuseSelectorText } from "./refusal.ts";
import { inProcess } from "./tool.ts";

/** ask's own exit code for a miss on a partial view (client.md 3.7). */
const ASK_RULES = { partialViewExit: 1 } as const;

export const ask = inProcess({
  name: "phux_ask",
  verb: "phux ask",
  sets: ["core", "agents"],
  about:
    "Publish an agent's question to humans. Returns at once: the answer is typed into its pane. The same id again " +
    "updates it.",
  touches: { methods: ["GET_STATE", "GET_METADATA", "REPORT_ASKED"] },
  input: {
    target: anyText("Pane that asks."),
    id: someText("Your id for it, at most 128 bytes."),
    question: anyText("1..4096 bytes, not blank."),
    suggestions: optional(anyTexts("Choices: at most 16 of 1..512 bytes.")),
    elapsed_seconds: optional(integer("Seconds it waited already.", 0, null)),
    socket,
  },
  exclude: (given) => refuseSelectorText(given.target),
  async run(given, call) {
    const connection = await call.connect(given.socket);
    if (!connection.ok) return connection;
    const pane = await resolveOne(connection.value, given.target, call, ASK_RULES);
    if (!pane.ok) return pane;
    const { id, question, suggestions = [], elapsed_seconds } = given;
    const terminal = formatResource(pane.value);
    const answer = await connection.value.act(
      {
        tag: "REPORT_ASKED",
        terminal_id: pane.value,
        id,
        question,
        ...(suggestions.length > 0 && { suggestion: suggestions }),
        ...(elapsed_seconds !== undefined && { elapsed_seconds: BigInt(elapsed_seconds) }),
      },
      `asking in ${terminal}`,
    );
    if (!answer.ok) return fail(answer.error.refusal);
    const asked = { id, question, suggestions, elapsed_seconds: elapsed_seconds ?? null };
    return ok({ schema_version: 1, event: "asked", terminal, ...asked });
  },
});
