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
  sets: ["agents"],
  about:
    "Declare the agent in a pane. Writes the whole record: what is left out is erased. A state other than unknown switches " +
    "detection off there until phux_agent_clear. A name like my-agent_1 can be addressed as %my-agent_1.",
  touches: { methods: ["GET_STATE", "GET_METADATA", "SET_METADATA"] },
  input: {
    target: optional(text("Local pane; default the focused one.")),
    name: text("Not blank; trimmed."),
    kind: optional(text("Such as claude.")),
    state: optional(oneOf(agentStates, "Default unknown.")),
    attention: optional(oneOf(attentions, "Default from state.")),
    session: optional(text("Its own session id.")),
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
  sets: ["agents"],
  about: "Delete a pane's agent record; phux detects again. Succeeds when there is none.",
  touches: { methods: ["GET_STATE", "GET_METADATA", "DELETE_METADATA"] },
  input: { target: optional(text("Local pane; default the focused one.")), socket },
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
