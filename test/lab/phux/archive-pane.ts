import type { ArchivedPane, ArchivedSession } from "./archive-document.ts";
import type { Integration } from "./integrations.ts";
import { type LaunchPlan, planLaunch } from "./launch-plan.ts";

/** What to start for an archived pane, and what is worth knowing about it. */
export interface Revival {
  readonly plan: LaunchPlan;
  readonly warnings: readonly string[];
}

export interface Archived {
  readonly session: ArchivedSession;
  readonly pane: ArchivedPane;
  /** How warnings call it. */
  readonly label: string;
  /** The session's own command is that of its first pane. */
  readonly isFirst: boolean;
}

export interface Surroundings {
  /** What can be launched today. */
  readonly integrations: readonly Integration[];
  readonly isFolder: (path: string) => boolean;
}

/**
 * The program of an archived pane. An agent is resumed by what its integration says today, and never by what the archive
 * says to run; where nothing resumes it, the pane gets a shell (tools.md 13, tool 25).
 */
export function revive({ session, pane, label, isFirst }: Archived, { integrations, isFolder }: Surroundings): Revival {
  const cwd = pane.cwd ?? session.cwd ?? null;
  const warnings = cwd === null || isFolder(cwd) ? [] : [`${label}: ${cwd} is no folder any more`];
  if (pane.agent_session === undefined) {
    const argv = pane.command ?? (isFirst ? session.command : undefined) ?? [];
    return { plan: { argv, cwd, env: [], origin: null }, warnings };
  }
  const plan = resume(pane.agent_session, cwd, integrations);
  if (typeof plan !== "string") return { plan, warnings };
  return {
    plan: { argv: [], cwd, env: [], origin: null },
    warnings: [...warnings, `${label} got a shell in place of its agent: ${plan}`],
  };
}

/** How an agent's session goes on, or why it does not. */
function resume(
  { plugin_id, integration_id, native_id }: NonNullable<ArchivedPane["agent_session"]>,
  cwd: string | null,
  integrations: readonly Integration[],
): LaunchPlan | string {
  const named = `${plugin_id}/${integration_id}`;
  const found = integrations.filter(({ plugin, id }) => plugin === plugin_id && id === integration_id);
  const [integration] = found;
  if (integration === undefined) return `no integration ${named} can be launched`;
  if (found.length > 1) return `there are several integrations ${named}`;
  if (integration.session_identity?.resume_args === undefined) return `${named} resumes no sessions`;
  const plan = planLaunch(integration, { cwd, extra: [], nativeId: native_id, freshId: () => native_id });
  return plan.ok ? plan.value : plan.error;
}
