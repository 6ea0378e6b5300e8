import { refuse } from "../../../src/phux/errors.ts";
import type { RequestFailure } from "../../../src/phux/request-failure.ts";
import { formatResource } from "../../../src/phux/selector.ts";
import { requireFeature, resolveOne, selectorOf } from "../../../src/phux/target.ts";
import { ResourceKind } from "../../../src/wire/enums.ts";
import { ErrorCode } from "../../../src/wire/error-code.ts";
import type { SpawnError } from "../../../src/wire/frame.ts";
import { fail, ok } from "../../../src/wire/result.ts";
import { findAgentSession } from "./agent-session-target.ts";
import { type CliRefusal, refuseCli } from "./refusal.ts";
import { value, word } from "./slot.ts";
import { json, socket, verb } from "./verb.ts";

/** The only group of the reference server. */
const GROUP = 1;

export const open = verb({
  name: "agent session open",
  contract: 1,
  slots: {
    provider: value("--provider"),
    nativeId: value("--native-id"),
    json,
    socket,
    target: word("TARGET"),
  },
  exclude: ({ provider }) => (provider === undefined ? "--provider is missing" : null),
  async run(given, call) {
    const selector = selectorOf(given.target);
    if (!selector.ok) return selector;
    const connection = await call.connect(given.socket);
    if (!connection.ok) return connection;
    const lacking = requireFeature(connection.value, "resource_kinds");
    if (lacking !== null) return fail(lacking);
    const parent = await resolveOne(connection.value, given.target, call);
    if (!parent.ok) return parent;
    const parentName = formatResource(parent.value);
    if (parent.value.tag === "satellite") {
      return fail(refuse("satellite_target", `${parentName} is on another host`));
    }
    const { provider = "", nativeId } = given;
    const opened = await connection.value.spawn({
      ...{ group: GROUP, kind: ResourceKind.agent_session, parent: parent.value, provider },
      ...(nativeId !== undefined && { native_id: nativeId }),
    });
    if (!opened.ok) return fail(failedOpen(opened.error));
    const { result } = opened.value;
    if (result.tag === "err") return fail(refusedOpen(result.error, parentName));
    const resource = formatResource(result.id);
    const document = { schema_version: 1, resource, parent: parentName, provider, native_id: nativeId ?? null };
    return ok({ document, text: `${resource}\n` });
  },
});

/** An ERROR that answers the open refuses this one, but for what this connection may not do at all. */
function failedOpen({ refusal, wireCode }: RequestFailure): CliRefusal {
  const stands = wireCode === null || wireCode === ErrorCode.PERMISSION_DENIED;
  return stands ? refusal : refuseCli("agent_session_refused", refusal.message);
}

function refusedOpen(error: SpawnError, parent: string): CliRefusal {
  switch (error.tag) {
    case "parent_not_found":
      return refuseCli("parent_not_found", `${parent} has ended`);
    case "parent_kind_mismatch":
      return refuseCli("parent_kind_mismatch", `${parent} is no pane, and an agent session needs one above it`);
    case "spawn_failed":
      return refuseCli("agent_session_refused", `the server opened no agent session: ${error.message}`);
    default:
      return refuseCli("agent_session_refused", `the server refused: ${error.tag.replaceAll("_", " ")}`);
  }
}

/** The one verb whose answer is a line in either case (tools.md 14), so its refusals are prose. */
export const close = verb({
  name: "agent session close",
  slots: { socket, target: word("TARGET") },
  async run(given, call) {
    const selector = selectorOf(given.target);
    if (!selector.ok) return selector;
    const connection = await call.connect(given.socket);
    if (!connection.ok) return connection;
    const session = await findAgentSession(connection.value, given.target, call);
    if (!session.ok) return session;
    const { id } = session.value;
    const closed = await connection.value.command(
      { tag: "KILL_RESOURCE", terminal_id: id },
      `closing ${formatResource(id)}`,
    );
    return closed.ok ? ok({ text: `${formatResource(id)}\tclosed\n` }) : fail(closed.error.refusal);
  },
});
