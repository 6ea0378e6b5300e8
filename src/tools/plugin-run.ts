import { delimiter, isAbsolute, resolve } from "node:path";
import type { Environment } from "../cli/environment.ts";
import { type CommandOutcome, runCommand, STDERR_CAP, STDOUT_CAP } from "../cli/run.ts";
import { type Refusal, sentence } from "../phux/errors.ts";
import { logRun, type PluginRun, stateFolder } from "../phux/plugin-log.ts";
import type { PluginAction } from "../phux/plugin-manifest.ts";
import type { Plugin } from "../phux/plugins.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import type { Call } from "./call.ts";

/** An action to run, and how. */
export interface ActionRequest {
  readonly plugin: Plugin;
  readonly action: PluginAction;
  /** A relative one starts at the plugin's root; undefined for the action's own folder, else the root. */
  readonly cwd: string | undefined;
  /** Milliseconds until it is killed with everything in its process group; Infinity for never. */
  readonly limitMs: number;
}

/** What came of a run that ended by itself or at its limit. */
export interface ActionOutcome {
  readonly cwd: string;
  readonly outcome: "completed" | "timed_out";
  /** Null at the limit, or when a signal ended it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
}

const outcomes = {
  exited: "completed",
  deadline: "timed_out",
  aborted: "cancelled",
  stdout_cap: "output_limit",
  stderr_cap: "output_limit",
} as const satisfies Record<CommandOutcome["ended"], PluginRun["outcome"]>;

/**
 * Runs an action's program directly, without a shell and without a server, and notes the run in phux's log (tools.md
 * 27). Refused: a program that cannot be started, and one that prints more than an answer holds.
 */
export async function runAction(request: ActionRequest, call: Call): Promise<Result<ActionOutcome, Refusal>> {
  const { plugin, action, limitMs } = request;
  const cwd = resolve(plugin.root, request.cwd ?? action.cwd ?? "");
  const [program = "", ...args] = action.command;
  const path = programPath(program, cwd, call.environment);
  if (path === null) return fail(sentence(`${label(request)} cannot be started: ${program} is not on PATH`));
  const startedAt = Date.now();
  const environment = actionEnvironment(request, call.environment);
  const ran = await runCommand({ path, args, environment, deadlineMs: limitMs, cwd }, call.signal);
  if (!ran.ok) return fail(sentence(`${label(request)} cannot be started: ${ran.error.message}`));
  note(call, request, cwd, startedAt, ran.value);
  return outcomeOf(request, cwd, ran.value);
}

function outcomeOf(request: ActionRequest, cwd: string, ran: CommandOutcome): Result<ActionOutcome, Refusal> {
  const durationMs = Math.round(ran.durationMs);
  switch (ran.ended) {
    case "exited": {
      const [stdout, stderr] = [ran.stdout, ran.stderr].map((bytes) => new TextDecoder().decode(bytes));
      const exitCode = ran.signal === null ? ran.exitCode : null;
      return ok({ cwd, outcome: "completed", exitCode, stdout: stdout ?? "", stderr: stderr ?? "", durationMs });
    }
    case "deadline":
      return ok({ cwd, outcome: "timed_out", exitCode: null, stdout: "", stderr: "", durationMs });
    case "aborted":
      return fail(sentence(`${label(request)} was cancelled and ended`));
    case "stdout_cap":
      return fail(tooMuch(request, "stdout", STDOUT_CAP));
    case "stderr_cap":
      return fail(tooMuch(request, "stderr", STDERR_CAP));
  }
}

function tooMuch(request: ActionRequest, pipe: string, cap: number): Refusal {
  return sentence(
    `${label(request)} printed more than ${cap} bytes on ${pipe} and was ended: what it did until then stays`,
  );
}

function label({ plugin, action }: ActionRequest): string {
  return `the action ${JSON.stringify(action.id)} of plugin ${JSON.stringify(plugin.id)}`;
}

/** A bare name is looked for on PATH, but never in a folder that an agent happens to work in. */
function programPath(program: string, cwd: string, environment: Environment): string | null {
  if (program.includes("/")) return resolve(cwd, program);
  const folders = (environment.PATH ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  return Bun.which(program, { PATH: folders.join(delimiter) });
}

function actionEnvironment({ plugin, action }: ActionRequest, environment: Environment): Record<string, string> {
  const inherited = Object.entries(environment).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );
  return {
    ...Object.fromEntries(inherited),
    PHUX_PLUGIN_ID: plugin.id,
    PHUX_PLUGIN_ACTION_ID: action.id,
    PHUX_PLUGIN_ROOT: plugin.root,
  };
}

/** A log that cannot be written takes nothing away from the run. */
function note(
  call: Call,
  { plugin, action }: ActionRequest,
  cwd: string,
  startedAt: number,
  ran: CommandOutcome,
): void {
  const folder = stateFolder(call.environment);
  if (folder === null) return;
  const outcome = outcomes[ran.ended];
  const failed = logRun(folder, {
    ...{ started_at_ms: startedAt, plugin_id: plugin.id, action_id: action.id, cwd, outcome },
    exit_code: outcome === "completed" && ran.signal === null ? ran.exitCode : null,
    duration_ms: Math.round(ran.durationMs),
  });
  if (failed !== null) call.remark(failed);
}
