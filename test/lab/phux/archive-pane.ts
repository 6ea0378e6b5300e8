import type { ArchivedPane, ArchivedSession } from "./archive-document.ts";
import type { Integration } from "./integrations.ts";
import { type LaunchPlan, planLaunch } from "./launch-plan.ts";

/** What to start for an archived pane, and what is worth knowing about it. */
export interface Revival {
  readonly plan: Omit<LaunchPlan, "cwd"> & { readonly cwd: string | null };
  readonly warnings: readonly string[];
}

export interface Revived {
  readonly session: ArchivedSession;
  readonly pane: ArchivedPane;
  /** How warnings call it. */
  readonly label: string;
  /** The session's own command is that of its first pane. */
  readonly isFirst: boolean;
}

export interface Surroundings {
  /** What could be launched today. */
  readonly integrations: readonly Integration[];
  readonly isFolder: (path: string) => boolean;
}

/**
 * The program of an archived pane. An agent is resumed by what its integration says today, and never by what the archive
 * says to run; where nothing resumes it, the pane gets a shell (tools.md 13, tool 25).
 */
export function revive({ session, pane, label, isFirst }: Revived, { integrations, isFolder }: Surroundings): Revival {
  const cwd = pane.cwd ?? session.cwd ?? null;
  const lost = cwd !== null && !isFolder(cwd) ? [`${label}: ${cwd} is no folder any more`] : [];
  const origin = pane.agent_session;
  if (origin === undefined) {
    const argv = pane.command ?? (isFirst ? session.command : undefined) ?? [];
    return { plan: { argv, cwd, env: [], origin: null }, warnings: lost };
  }
  const shell = (why: string): Revival => ({
    plan: { argv: [], cwd, env: [], origin: null },
    warnings: [...lost, `${label} got a shell in place of its agent: ${why}`],
  });
  const named = `${origin.plugin_id}/${origin.integration_id}`;
  const [integration, ...more] = integrations.filter(
    ({ plugin, id }) => plugin === origin.plugin_id && id === origin.integration_id,
  );
  if (integration === undefined) return shell(`no integration ${named} can be launched`);
  if (more.length > 0) return shell(`there are several integrations ${named}`);
  if (integration.session_identity?.resume_args === undefined) return shell(`${named} resumes no sessions`);
  const neverFresh = () => origin.native_id;
  const plan = planLaunch(integration, { cwd: cwd ?? ".", extra: [], nativeId: origin.native_id, freshId: neverFresh });
  return plan.ok ? { plan: { ...plan.value, cwd: plan.value.cwd === "." ? null : plan.value.cwd }, warnings: lost } : shell(plan.error);
}
