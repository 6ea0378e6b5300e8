import { agentStates, attentions } from "../phux/agent-record.ts";
import { clearAgent, declareAgent } from "../phux/declare-agent.ts";
import { sentence } from "../phux/errors.ts";
import { findLocalPane } from "../phux/local-pane.ts";
import { formatResource } from "../phux/selector.ts";
import { fail, ok } from "../wire/result.ts";
import { oneOf, optional, socket, text } from "./argument.ts";
import { refuseSelectorText } from "./refusal.ts";
import { inProcess } from "./tool.ts";

/** Whose record, when the call does not say (tools.md 7.2). */
const CURRENT = ".";

export const agentSet = inProcess({
  name: "phux_agent_set",
  verb: "phux agent set",
  about:
    "Declare which agent a pane hosts, and its state. Writes the whole record: what is left out is erased. Without state, " +
    "or with unknown, phux goes on detecting it; any other state switches detection off there until phux_agent_clear. " +
    "A name of a-z, 0-9, _ and - that begins with a letter can be addressed as %name.",
  touches: { methods: ["GET_STATE", "GET_METADATA", "SET_METADATA"] },
  input: {
    target: optional(text("Selector of a local pane; default the focused one.")),
    name: text("Agent name; not blank, trimmed."),
    kind: optional(text("Agent kind, such as claude.")),
    state: optional(oneOf(agentStates, "Default unknown.")),
    attention: optional(oneOf(attentions, "Default: follows from state.")),
    session: optional(text("The agent's own session id.")),
    socket,
  },
  exclude: (given) =>
    given.name.trim() === "" ? sentence('phux_agent_set: "name" is blank') : refuseSelectorText(given.target),
  async run(given, call) {
    const connection = await call.connect(given.socket);
    if (!connection.ok) return connection;
    const pane = await findLocalPane(connection.value, given.target ?? CURRENT, call);
    if (!pane.ok) return pane;
    const record = await declareAgent(connection.value, pane.value, {
      name: given.name.trim(),
      ...(given.kind !== undefined && { kind: given.kind }),
      state: given.state ?? "unknown",
      ...(given.attention !== undefined && { attention: given.attention }),
      ...(given.session !== undefined && { session: given.session }),
    });
    if (!record.ok) return record;
    return ok({ schema_version: 1, action: "set", terminal: formatResource(pane.value), record: record.value });
  },
});

export const agentClear = inProcess({
  name: "phux_agent_clear",
  verb: "phux agent clear",
  about:
    "Delete the agent record of a pane, so that phux detects the agent by itself again. Clearing what is not there succeeds.",
  touches: { methods: ["GET_STATE", "GET_METADATA", "DELETE_METADATA"] },
  input: { target: optional(text("Selector of a local pane; default the focused one.")), socket },
  exclude: (given) => refuseSelectorText(given.target),
  async run(given, call) {
    const connection = await call.connect(given.socket);
    if (!connection.ok) return connection;
    const pane = await findLocalPane(connection.value, given.target ?? CURRENT, call);
    if (!pane.ok) return pane;
    const refusal = await clearAgent(connection.value, pane.value);
    if (refusal !== null) return fail(refusal);
    return ok({ schema_version: 1, action: "clear", terminal: formatResource(pane.value), record: null });
  },
});
