import { AGENT_KEY, parseAgentRecord } from "../../../src/phux/agent-record.ts";
import type { Connection } from "../../../src/phux/connection.ts";
import { Deadline } from "../../../src/phux/deadline.ts";
import { refuse } from "../../../src/phux/errors.ts";
import { requireFeature } from "../../../src/phux/target.ts";
import { fail, ok, type Result } from "../../../src/wire/result.ts";
import type { Question } from "../marks.ts";
import { submission } from "./agent-input.ts";
import { type FoundPane, findOwnPane, refuseTarget, TYPES } from "./agent-target.ts";
import { typeBatch, type Undelivered } from "./input-batch.ts";
import { AskFinder } from "./live-ask.ts";
import { type CliRefusal, refuseCli } from "./refusal.ts";
import { flag, value, wholeNumber, word } from "./slot.ts";
import { json, socket, verb } from "./verb.ts";

const TYPING_MS = 25_000;
const LONGEST_ANSWER = 4_096;

export const agentAnswer = verb({
  name: "agent answer",
  contract: 1,
  slots: {
    id: value("--id"),
    choice: wholeNumber("--choice"),
    text: value("--text"),
    allowUnlisted: flag("--allow-unlisted"),
    json,
    socket,
    target: word("TARGET"),
  },
  exclude({ id, choice, text, allowUnlisted }) {
    if (id === undefined) return "--id is missing";
    if (choice !== undefined && text !== undefined) return "--choice and --text exclude each other";
    return allowUnlisted && text === undefined ? "--allow-unlisted goes with --text" : null;
  },
  async run(given, call) {
    const refused = refuseGiven(given) ?? refuseTarget(given.target, TYPES);
    if (refused !== null) return fail(refused);
    const deadline = new Deadline(TYPING_MS, call.signal);
    const connection = await call.connect(given.socket, deadline);
    if (!connection.ok) return connection;
    const lacking = requireFeature(connection.value, "acknowledged_input");
    if (lacking !== null) return fail(lacking);
    const found = await findOwnPane(connection.value, given.target, call, TYPES);
    if (!found.ok) return found;
    const withdrawn = await refuseWithdrawn(connection.value, found.value);
    if (withdrawn !== null) return fail(withdrawn);
    const { pane, name: terminal } = found.value;
    const finder = new AskFinder(connection.value, found.value);
    const ask = await liveAsk(finder, given.id ?? "", terminal);
    if (!ask.ok) return ask;
    const answer = wordsOf(given, ask.value);
    if (!answer.ok) return answer;
    if (await finder.overtaken()) return fail(refuseCli("ask_stale", `${terminal} has asked something else meanwhile`));
    const typed = await typeBatch(connection.value, pane, submission(answer.value), call, deadline);
    if (!typed.ok) return fail(unanswered(typed.error));
    const { operation_id } = typed.value;
    const source = given.choice === undefined ? "text" : "choice";
    return ok({
      document: {
        ...{ schema_version: 1, terminal, ask: ask.value, answer: answer.value, source },
        ...{ operation_id, delivered: true },
      },
      text: `${terminal}\t${answer.value}\n`,
    });
  },
});

interface Given {
  readonly choice: number | undefined;
  readonly text: string | undefined;
  readonly allowUnlisted: boolean;
}

/** What is wrong with an answer whatever the question. */
function refuseGiven({ choice, text }: Given): CliRefusal | null {
  if (choice === undefined && text === undefined) return refuseCli("no_answer", "there is neither a choice nor a text");
  if (text === undefined) return null;
  if (text.trim() === "") return refuseCli("invalid_answer", "the answer has no text");
  if (/\p{Cc}/u.test(text)) return refuseCli("invalid_answer", "the answer has a line break or a control character");
  const bytes = Buffer.byteLength(text);
  if (bytes <= LONGEST_ANSWER) return null;
  return refuseCli("invalid_answer", `the answer has ${bytes} bytes, and ${LONGEST_ANSWER} are the most`);
}

/** Somebody whose state was withdrawn asks nothing. A pane without any agent may: a script can. */
async function refuseWithdrawn(connection: Connection, { pane, name }: FoundPane): Promise<CliRefusal | null> {
  const stored = await connection.metadata({ tag: "resource", id: pane }, AGENT_KEY);
  if (!stored.ok) return stored.error.refusal;
  const record = parseAgentRecord(stored.value);
  if (record?.kind === undefined || record.state !== "unknown") return null;
  return refuse("agent_withdrawn", `nothing is known any more of ${JSON.stringify(record.name)} in ${name}`);
}

async function liveAsk(finder: AskFinder, id: string, terminal: string): Promise<Result<Question, CliRefusal>> {
  const ask = await finder.find();
  if (!ask.ok) return ask;
  if (ask.value === null) return fail(refuseCli("no_active_ask", `${terminal} asks nothing`));
  if (ask.value === "unreadable" || ask.value.id === "") {
    return fail(refuseCli("ask_unidentified", `${terminal} asks something that has no id`));
  }
  if (ask.value.id === id) return ok(ask.value);
  const live = `${JSON.stringify(ask.value.id)}: ${ask.value.question}`;
  return fail(refuseCli("ask_stale", `${terminal} does not ask ${JSON.stringify(id)} but ${live}`));
}

/** What is typed: the suggestion of that number, or the text when it is one. */
function wordsOf({ choice, text = "", allowUnlisted }: Given, { suggestions }: Question): Result<string, CliRefusal> {
  if (choice !== undefined) {
    if (suggestions.length === 0) return fail(refuseCli("no_suggestions", "the question has no suggestions"));
    const chosen = suggestions[choice - 1];
    if (chosen !== undefined) return ok(chosen);
    return fail(
      refuseCli("choice_out_of_range", `there are ${suggestions.length} suggestions, and none is number ${choice}`),
    );
  }
  if (allowUnlisted || suggestions.length === 0 || suggestions.includes(text)) return ok(text);
  const all = suggestions.map((one) => JSON.stringify(one)).join(", ");
  return fail(refuseCli("unlisted_answer", `${JSON.stringify(text)} is none of ${all}`));
}

function unanswered({ fate, refusal }: Undelivered): CliRefusal {
  if (fate === "unknown") return refuseCli("answer_delivery_unknown", refusal.message);
  return refuseCli("answer_refused", refusal.message, fate === "refused" ? 2 : 1);
}
