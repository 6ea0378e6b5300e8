import type { Connection } from "../../../src/phux/connection.ts";
import { refuse } from "../../../src/phux/errors.ts";
import { type FoundResource, findResource } from "../../../src/phux/resource-target.ts";
import { formatResource } from "../../../src/phux/selector.ts";
import { type Remarks, requireFeature } from "../../../src/phux/target.ts";
import { fail, ok, type Result } from "../../../src/wire/result.ts";
import { type CliRefusal, refuseCli } from "./refusal.ts";

/**
 * The agent session that a selector names: itself, or the only one under the pane that it names, `%name` included
 * (tools.md 7.3). Refusals: `unsupported_server`, `no_agent_session`, `agent_session_ambiguous`,
 * `wrong_resource_kind`, and those of any target.
 */
export async function findAgentSession(
  connection: Connection,
  text: string,
  remarks: Remarks,
): Promise<Result<FoundResource, CliRefusal>> {
  const lacking = requireFeature(connection, "resource_kinds");
  if (lacking !== null) return fail(lacking);
  const found = await findResource(connection, text, remarks);
  if (!found.ok) return found;
  const { id, inventory } = found.value;
  const name = formatResource(id);
  switch (inventory.kindOf(id)) {
    case "agent_session":
      return found;
    case "unknown":
      return fail(refuse("wrong_resource_kind", `${name} is neither a pane nor an agent session`));
    case "terminal": {
      const [only, ...more] = inventory.agentSessionsOf(id);
      if (only === undefined) return fail(refuseCli("no_agent_session", `${name} has no agent session`));
      if (more.length === 0) return ok({ ...found.value, id: only });
      const all = [only, ...more].map(formatResource).join(", ");
      return fail(refuse("agent_session_ambiguous", `${name} has several agent sessions: ${all}`));
    }
  }
}
