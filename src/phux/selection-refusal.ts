import type { ResourceId } from "../wire/frame.ts";
import { type Refusal, refuse } from "./errors.ts";
import type { AgentFault } from "./resolve-agent.ts";
import { formatResource, type SelectorFault } from "./selector.ts";

/** How many candidates a message lists before it only counts the rest. */
const listed = 8;

/** A text that is no selector. Exit 2; kill and tag pass 1 (spec/client.md 3.1). */
export function refuseSelector(fault: SelectorFault, exitCode?: number): Refusal {
  return refuse("invalid_selector", fault.message, undefined, exitCode);
}

/**
 * A selector that matched nothing. `notices` are the parts of the fleet that did not answer: with any, the view was
 * partial, and that is `partial_view` (exit 3; wait, watch and ask pass 1) whatever the form (spec/tools.md 7.2).
 */
export function refuseMiss(text: string, notices: readonly string[], partialExitCode?: number): Refusal {
  if (notices.length === 0) return refuse("no_such_target", `nothing here answers to ${JSON.stringify(text)}`);
  const message = `${JSON.stringify(text)} was not found in a partial view: part of the fleet gave no answer (${notices.join("; ")})`;
  return refuse("partial_view", `${message}, so it may exist all the same`, undefined, partialExitCode);
}

/** A selector that names several where exactly one is wanted. */
export function refuseSeveral(text: string, set: readonly ResourceId[]): Refusal {
  return refuse("selector_not_single", `${JSON.stringify(text)} names ${set.length} panes: ${list(set)}`);
}

/** An agent name that gives no pane (spec/client.md 3.6). `partialExitCode` as for a miss. */
export function refuseAgent({ reason, name, candidates, terminal }: AgentFault, partialExitCode?: number): Refusal {
  const pane = terminal === null ? "the pane" : formatResource(terminal);
  switch (reason) {
    case "kind_constant":
      return refuse("invalid_agent_name", `%${name} is a kind of agent, not the name of one: ${list(candidates)}`);
    case "ambiguous":
      return refuse("selector_not_single", `%${name} is the agent of ${candidates.length} panes: ${list(candidates)}`);
    case "partial_index": {
      const found = candidates.length === 0 ? "" : ` beside ${list(candidates)}`;
      const message = `%${name} is undecided: some agent records could not be read, and one may bear the name${found}`;
      return refuse("partial_view", message, undefined, partialExitCode);
    }
    case "unknown":
      return refuse("no_such_target", `no pane has an agent named ${name}`);
    case "ambiguous_session":
      return refuse("agent_session_ambiguous", `%${name} in ${pane} has several sessions: ${list(candidates)}`);
    case "withdrawn":
      return refuse("agent_withdrawn", `the claim of %${name} on ${pane} was withdrawn: who is there now is not known`);
  }
}

function list(ids: readonly ResourceId[]): string {
  const rest = ids.length - listed;
  return ids.slice(0, listed).map(formatResource).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
