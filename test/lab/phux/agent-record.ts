import { agentStates, attentions } from "../../../src/phux/agent-record.ts";
import { clearAgent, declareAgent } from "../../../src/phux/declare-agent.ts";
import { sentence } from "../../../src/phux/errors.ts";
import { findLocalPane } from "../../../src/phux/local-pane.ts";
import { formatResource } from "../../../src/phux/selector.ts";
import { resolveOne, selectorOf } from "../../../src/phux/target.ts";
import { ReportedAgentState } from "../../../src/wire/enums.ts";
import { fail, ok } from "../../../src/wire/result.ts";
import { oneOf, oneWord, optionalWord, value, word } from "./slot.ts";
import { socket, verb } from "./verb.ts";

/** The focused session. */
const CURRENT = ".";

export const agentSet = verb({
  name: "agent set",
  slots: {
    name: value("--name"),
    kind: value("--kind"),
    state: oneOf(agentStates, "--state"),
    attention: oneOf(attentions, "--attention"),
    session: value("--session"),
    socket,
    target: optionalWord("TARGET"),
  },
  exclude: ({ name }) => (name === undefined ? "--name is missing" : null),
  async run(given, call) {
    const name = (given.name ?? "").trim();
    if (name === "") return fail(sentence("the name is blank", 2));
    const selector = selectorOf(given.target ?? CURRENT);
    if (!selector.ok) return selector;
    const connection = await call.connect(given.socket);
    if (!connection.ok) return connection;
    const pane = await findLocalPane(connection.value, given.target ?? CURRENT, call);
    if (!pane.ok) return pane;
    const { kind, state = "unknown", attention, session } = given;
    const record = await declareAgent(connection.value, pane.value, {
      ...{ name, state },
      ...(kind !== undefined && { kind }),
      ...(attention !== undefined && { attention }),
      ...(session !== undefined && { session }),
    });
    return record.ok ? ok({ text: `${formatResource(pane.value)}\t${JSON.stringify(record.value)}\n` }) : record;
  },
});

export const agentClear = verb({
  name: "agent clear",
  slots: { socket, target: optionalWord("TARGET") },
  async run(given, call) {
    const selector = selectorOf(given.target ?? CURRENT);
    if (!selector.ok) return selector;
    const connection = await call.connect(given.socket);
    if (!connection.ok) return connection;
    const pane = await findLocalPane(connection.value, given.target ?? CURRENT, call);
    if (!pane.ok) return pane;
    const refusal = await clearAgent(connection.value, pane.value);
    return refusal === null ? ok({ text: `${formatResource(pane.value)}\t-\n` }) : fail(refusal);
  },
});

/** What a hook of an agent says about it: evidence for detection (wire.md section 17). */
export const agentReportState = verb({
  name: "agent report-state",
  slots: { socket, target: word("TARGET"), state: oneWord(["working", "blocked", "done"], "STATE") },
  async run(given, call) {
    const selector = selectorOf(given.target);
    if (!selector.ok) return selector;
    const connection = await call.connect(given.socket);
    if (!connection.ok) return connection;
    const pane = await resolveOne(connection.value, given.target, call);
    if (!pane.ok) return pane;
    const report = {
      tag: "REPORT_AGENT_STATE",
      terminal_id: pane.value,
      state: ReportedAgentState[given.state],
    } as const;
    const answer = await connection.value.command(report, `reporting for ${formatResource(pane.value)}`);
    return answer.ok ? ok({}) : fail(answer.error.refusal);
  },
});
