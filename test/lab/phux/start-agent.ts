import { randomUUID } from "node:crypto";
import { AGENT_KEY, type AgentRecord, parseAgentRecord } from "../../../src/phux/agent-record.ts";
import type { Connection } from "../../../src/phux/connection.ts";
import type { Deadline } from "../../../src/phux/deadline.ts";
import { clearAgent, declareAgent } from "../../../src/phux/declare-agent.ts";
import { refuse } from "../../../src/phux/errors.ts";
import { formatResource } from "../../../src/phux/selector.ts";
import { requireFeature } from "../../../src/phux/target.ts";
import type { ResourceId } from "../../../src/wire/frame.ts";
import { fail, ok, type Result } from "../../../src/wire/result.ts";
import type { Manifest } from "../detect/manifest.ts";
import { submission } from "./agent-input.ts";
import { type FoundPane, findOwnPane } from "./agent-target.ts";
import { AgentWatch } from "./agent-watch.ts";
import type { Call } from "./call.ts";
import { checkShell, type ShellCheck } from "./free-shell.ts";
import { typeBatch, type Undelivered } from "./input-batch.ts";
import type { Integration } from "./integrations.ts";
import { launchLine } from "./launch-line.ts";
import { type LaunchPlan, planLaunch } from "./launch-plan.ts";
import { confirmOrigin } from "./new-pane.ts";
import { paneProcess } from "./pane-process.ts";
import { type Ready, waitUntilReady } from "./readiness.ts";
import { type CliRefusal, refuseCli } from "./refusal.ts";

/** Who is to be started, and where. */
export interface Wish {
  readonly name: string;
  readonly kind: string;
  readonly target: string;
  readonly integration: Integration;
  /** By what it is seen to be ready. Null: nobody waits for that. */
  readonly manifest: Manifest | null;
  readonly force: boolean;
  readonly args: readonly string[];
  /** Seconds, for what is said at the end of them. */
  readonly timeout: number;
}

export interface Started {
  readonly terminal: string;
  readonly check: ShellCheck;
  /** Null: nobody waited. */
  readonly ready: Ready | null;
}

/** Starts an agent in a pane that is there: the launch line of its integration is typed at the shell's prompt. */
export async function startAgent(
  connection: Connection,
  wish: Wish,
  call: Call,
  deadline: Deadline,
): Promise<Result<Started, CliRefusal>> {
  const lacking = requireFeature(connection, "acknowledged_input");
  if (lacking !== null) return fail(lacking);
  const found = await findOwnPane(connection, wish.target, call);
  if (!found.ok) return found;
  const { pane, name: terminal } = found.value;
  const before = await recordBefore(connection, found.value, wish.name);
  if (!before.ok) return before;
  const shell = wish.force ? ok("forced" as const) : await checkShell(connection, pane, before.value, deadline);
  if (!shell.ok) return shell;
  const plan = await planFor(connection, pane, wish);
  if (!plan.ok) return plan;
  const line = launchLine(plan.value);
  if (!line.ok) return line;

  // The name is bound before anything is typed, so that whoever sees the agent sees whose it is.
  const bound = await declareAgent(connection, pane, { name: wish.name, kind: wish.kind, state: "unknown" });
  if (!bound.ok) return bound;
  const watch = await AgentWatch.begin(connection, [pane]);
  if (!watch.ok) return watch;
  const typed = await typeBatch(connection, pane, submission(line.value), call, deadline);
  if (!typed.ok) return fail(await untyped(connection, pane, before.value, typed.error));
  const { origin } = plan.value;
  const kept = origin === null ? null : await confirmOrigin(typed.value.connection, pane, origin);
  if (kept !== null) call.remark(`where the agent's session comes from was not kept: ${kept.message}`);
  if (wish.manifest === null) return ok({ terminal, check: shell.value, ready: null });

  const start = { connection: typed.value.connection, pane, terminal, manifest: wish.manifest, watch: watch.value };
  const ready = await waitUntilReady(start, call, deadline);
  if (!ready.ok) return ready;
  if (ready.value !== null) return ok({ terminal, check: shell.value, ready: ready.value });
  const message = `${wish.name} was started in ${terminal}, and was not ready within ${wish.timeout} s`;
  return fail(refuseCli("agent_start_timeout", message));
}

/** The record of the pane, once it is clear that no other pane has an agent of this name. */
async function recordBefore(
  connection: Connection,
  { pane, inventory }: FoundPane,
  name: string,
): Promise<Result<AgentRecord | null, CliRefusal>> {
  const own = formatResource(pane);
  let before: AgentRecord | null = null;
  for (const { id } of inventory.terminals) {
    const stored = await connection.metadata({ tag: "resource", id }, AGENT_KEY);
    if (!stored.ok && stored.error.wireCode === null) return fail(stored.error.refusal);
    const at = formatResource(id);
    if (!stored.ok) {
      return fail(refuse("partial_view", `the agent of ${at} could not be read, and may be called ${name} too`));
    }
    const record = parseAgentRecord(stored.value);
    if (at === own) before = record;
    else if (record?.name === name) return fail(refuseCli("agent_name_taken", `${at} has an agent called ${name}`));
  }
  return ok(before);
}

async function planFor(connection: Connection, pane: ResourceId, wish: Wish): Promise<Result<LaunchPlan, CliRefusal>> {
  const { integration, args } = wish;
  const plan = planLaunch(integration, { cwd: null, extra: args, nativeId: null, freshId: randomUUID });
  if (!plan.ok) return fail(refuseCli("invalid_launch_argv", plan.error));
  const { cwd } = plan.value;
  if (cwd === null) return plan;
  const process = await paneProcess(connection, pane);
  if (!process.ok) return process;
  if (process.value.cwd === cwd) return plan;
  const stands = process.value.cwd ?? "a directory that the server does not tell";
  const message = `${integration.id} runs in ${cwd}, and ${formatResource(pane)} is in ${stands}`;
  return fail(refuseCli("agent_cwd_mismatch", message));
}

/** The launch line was not typed, or may not have been: then the name stays, else the record is what it was. */
async function untyped(
  connection: Connection,
  pane: ResourceId,
  before: AgentRecord | null,
  { fate, refusal }: Undelivered,
): Promise<CliRefusal> {
  if (fate === "unknown") return refuseCli("agent_start_unknown", refusal.message);
  const left = before === null ? await clearAgent(connection, pane) : await restored(connection, pane, before);
  const aside = left === null ? "" : `; the name stays bound: ${left.message}`;
  return refuseCli("agent_start_failed", `${refusal.message}${aside}`, fate === "refused" ? 2 : 1);
}

async function restored(connection: Connection, pane: ResourceId, before: AgentRecord): Promise<CliRefusal | null> {
  const declared = await declareAgent(connection, pane, before);
  return declared.ok ? null : declared.error;
}
