import * as v from "valibot";
import { configPath } from "../../../src/phux/config-file.ts";
import { refuse } from "../../../src/phux/errors.ts";
import { firstFault } from "../../../src/phux/schema-fault.ts";
import { readToml } from "../../../src/phux/toml-file.ts";
import { fail, ok, type Result } from "../../../src/wire/result.ts";
import type { CliRefusal } from "./refusal.ts";

const tables = v.object({
  agents: v.optional(
    v.object({ detection: v.optional(v.boolean("must be true or false"), true) }, "must be a table"),
    {},
  ),
});

/** Whether `[agents] detection` of the configuration leaves detection on, as it is where nothing is said. */
export async function detectionIsOn(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Result<boolean, CliRefusal>> {
  const path = configPath(environment);
  const read = path === null ? null : await readToml(path);
  if (path === null || read === null || (!read.ok && read.error.absent)) return ok(true);
  if (!read.ok) return fail(refuse("invalid_config", `the configuration ${path} ${read.error.reason}`));
  const parsed = v.safeParse(tables, read.value);
  if (parsed.success) return ok(parsed.output.agents.detection);
  return fail(refuse("invalid_config", `the configuration ${path} ${firstFault(parsed.issues)}`));
}
