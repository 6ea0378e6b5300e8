import { decide, readApprovals, requireApprovals } from "../phux/approvals.ts";
import { fail, ok } from "../wire/result.ts";
import { flag, hexId, oneOf, optional, socket } from "./argument.ts";
import { inProcess } from "./tool.ts";

export const approvals = inProcess({
  name: "phux_approvals",
  verb: "phux approvals",
  sets: ["agents"],
  about:
    "List the actions that the server holds until somebody decides: who asked, the method, its subjects, when it expires. " +
    "Oldest first.",
  touches: { methods: ["LIST_METADATA", "GET_METADATA"] },
  input: { socket },
  cuts: [{ at: ["approvals"], hint: "the oldest were left out: decide some, then list again" }],
  async run(given, call) {
    const connection = await call.connect(given.socket);
    if (!connection.ok) return connection;
    const lacking = requireApprovals(connection.value);
    if (lacking !== null) return fail(lacking);
    const held = await readApprovals(connection.value);
    return held.ok ? ok({ schema_version: 1, approvals: held.value }) : held;
  },
});

const decisions = ["approve", "deny"] as const;

export const approve = inProcess({
  name: "phux_approve",
  verb: "phux approve",
  sets: ["agents"],
  about:
    "Decide an action that phux_approvals lists. approve lets it run, as dangerous as it is: show the human its method and " +
    "subjects, get a yes, and pass confirm: true. deny needs none. Nobody decides an action of their own.",
  touches: { methods: ["SET_METADATA", "APPROVE", "GET_METADATA"] },
  input: {
    id: hexId("Approval id."),
    decision: oneOf(decisions, "The verdict."),
    confirm: optional(flag("true, to approve: the human said yes to exactly this.")),
    socket,
  },
  confirm: ({ decision, confirm }) =>
    decision === "deny" || confirm === true
      ? null
      : "phux_approve with decision approve is destructive: it must be called with confirm: true, after the human has seen the held action and said yes",
  async run(given, call) {
    const connection = await call.connect(given.socket);
    if (!connection.ok) return connection;
    const lacking = requireApprovals(connection.value);
    if (lacking !== null) return fail(lacking);
    const decided = await decide(connection.value, given.id, given.decision);
    return decided.ok ? ok({ schema_version: 1, id: given.id, decision: given.decision }) : decided;
  },
});
