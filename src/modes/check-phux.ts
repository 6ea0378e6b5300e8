import type { Environment } from "../cli/environment.ts";
import { findPhux } from "../cli/find.ts";
import { type CommandOutcome, runCommand } from "../cli/run.ts";
import type { Answered, PhuxFacts } from "./check-facts.ts";

/** Milliseconds for each question to `phux`; both are asked at once. */
const ANSWER_MS = 4_000;

/** Which `phux` the tools would run, and what it says of itself. `self`: the path of our own executable. */
export async function phuxFacts(environment: Environment, self: string, signal: AbortSignal): Promise<PhuxFacts> {
  const found = findPhux(environment, self);
  if (!found.ok) return { kind: "missing", why: found.error.searched };
  const { path } = found.value;
  const [version, launcher] = await Promise.all([
    answerOf(path, ["--version"], signal),
    answerOf(path, ["mcp", "--version"], signal),
  ]);
  return { kind: "found", path, version, launcher: isOurs(launcher) };
}

/** The first line of what a program prints, when it ends well. */
async function answerOf(path: string, args: readonly string[], signal: AbortSignal): Promise<Answered> {
  const ran = await runCommand({ path, args, environment: null, deadlineMs: ANSWER_MS }, signal);
  if (!ran.ok) return { kind: "failed", why: ran.error.message.replace(/\.$/, "") };
  const { ended, exitCode, stdout } = ran.value;
  const said = firstLine(stdout);
  if (ended === "exited" && exitCode === 0 && said !== "") return { kind: "said", text: said };
  return { kind: "failed", why: whyOf(ran.value, said) };
}

function whyOf({ ended, exitCode, signal, stderr }: CommandOutcome, said: string): string {
  if (ended === "deadline" || ended === "aborted") return `no answer within ${ANSWER_MS / 1_000} s`;
  if (ended !== "exited") return "it printed far more than a version";
  if (exitCode === null) return `ended by ${signal ?? "a signal"}`;
  const complaint = firstLine(stderr) || said;
  return `exit code ${exitCode}${complaint === "" ? ", without a word" : `: ${complaint}`}`;
}

/** A phux of another kind may print anything for `mcp`. */
function isOurs(launcher: Answered): Answered {
  if (launcher.kind === "failed" || launcher.text.startsWith("phux-mcp ")) return launcher;
  return { kind: "failed", why: `it prints ${launcher.text}` };
}

const firstLine = (bytes: Uint8Array) =>
  new TextDecoder()
    .decode(bytes)
    .split("\n")
    .map((line) => line.trim())
    .find((line) => line !== "") ?? "";
