import { fail, ok, type Result } from "../../../src/wire/result.ts";
import type { LaunchPlan } from "./launch-plan.ts";
import { type CliRefusal, refuseCli } from "./refusal.ts";

/** A word that no shell takes for anything else, wherever it stands. */
const plain = /^[A-Za-z0-9_./:@-][A-Za-z0-9_./:@%+=,-]*$/;

/** The line that starts a plan in a shell: every word arrives as it is. Refusals: `invalid_launch_argv`. */
export function launchLine({ argv, env }: Pick<LaunchPlan, "argv" | "env">): Result<string, CliRefusal> {
  const values = env.map(({ value }) => value);
  const bad = [...argv, ...values].find((word) => /\p{Cc}/u.test(word));
  if (bad !== undefined) {
    return fail(refuseCli("invalid_launch_argv", `${JSON.stringify(bad)} cannot be typed as one word`));
  }
  const [program = "", ...rest] = argv;
  const settings = env.map(({ name, value }) => `${name}=${quoted(value)}`);
  // A program with an equals sign would be a setting too.
  const first = program.includes("=") ? always(program) : quoted(program);
  return ok([...settings, first, ...rest.map(quoted)].join(" "));
}

function quoted(word: string): string {
  return plain.test(word) ? word : always(word);
}

function always(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
