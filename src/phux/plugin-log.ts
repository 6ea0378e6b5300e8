import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { profileSuffix } from "./socket-path.ts";

/** Runs that the log keeps (tools.md 27), and the size beyond which it is somebody else's file and begins anew. */
const MOST_RUNS = 100;
const MOST_BYTES = 1024 * 1024;
const LOG_NAME = "plugin-runs.jsonl";
/** Characters of a name or a folder that a line keeps. */
const MOST_CHARACTERS = 1_024;

/** A finished run of an action. What it printed is not kept: that may be anything. */
export interface PluginRun {
  readonly started_at_ms: number;
  readonly plugin_id: string;
  readonly action_id: string;
  readonly cwd: string;
  readonly outcome: "completed" | "timed_out" | "cancelled" | "output_limit";
  readonly exit_code: number | null;
  readonly duration_ms: number;
}

/** The folder where phux keeps its state, a profile's apart; null when the environment has no home at all. */
export function stateFolder(environment: Readonly<Record<string, string | undefined>>): string | null {
  const { XDG_STATE_HOME: state, HOME: home, PHUX_PROFILE: profile } = environment;
  const folder = state || (home ? join(home, ".local", "state") : null);
  return folder === null ? null : join(folder, `phux${profileSuffix(profile)}`);
}

/**
 * Adds a run to the log, one JSON object a line, the newest 100. It is replaced as a whole, so that it is never half
 * written; of two adapters that write at the same moment one may lose its line. Why it failed, or null.
 */
export function logRun(folder: string, run: PluginRun): string | null {
  const path = join(folder, LOG_NAME);
  const draft = `${path}.${process.pid}.new`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const lines = [...linesOf(path).slice(1 - MOST_RUNS), JSON.stringify(run, shortened)];
    writeFileSync(draft, `${lines.join("\n")}\n`, { mode: 0o600 });
    renameSync(draft, path);
    return null;
  } catch (error) {
    discard(draft);
    // Without the path: a log of ours holds nothing out of the environment.
    const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    return `${LOG_NAME} in the state folder was not written${code}`;
  }
}

function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Where nothing can be written, nothing was.
  }
}

function linesOf(path: string): string[] {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts === undefined || facts.size > MOST_BYTES) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "");
}

function shortened(_key: string, member: unknown): unknown {
  return typeof member === "string" ? member.slice(0, MOST_CHARACTERS).replace(/[\ud800-\udbff]$/, "") : member;
}
